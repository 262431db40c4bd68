/* How messages become texts, and texts messages: a test or an artifact may put others in the place of what the language has. */

export const { parse, stringify } = JSON;
