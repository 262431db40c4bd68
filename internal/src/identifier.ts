/**
 * Longest identifier that others chose and that is accepted, characters: a `d` tag, for example. Ids that are composed of several
 * are longer: what is stored under them is found by their hash.
 */
export const maxIdentifierChars = 1_024;
