/** The channel of anonymous peers that keep the counts of erased ones. No message can name it. */
export const erasedChannel = 'erased';

/** Replaces an erased text where a text is required. */
export const erasedText = '[erased]';
