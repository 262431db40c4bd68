import type { Paint, Style } from './io.ts';

const styles: Readonly<Record<string, Style>> = {
  SUCCESS: 'green',
  PARTIAL: 'yellow',
  FAILURE: 'red',
  ERROR: 'red',
  SECURITY_VIOLATION: 'red',
  ACTIVE: 'green',
  CONDITIONAL: 'yellow',
  REJECTED: 'red',
  BLACKLISTED: 'red',
};

/** Colours the outcomes of a judgment and the states of a platform wherever they stand in a text. */
export function paintStatusWords(text: string, paint: Paint): string {
  return text.replace(/\b[A-Z]{5,}(?:_[A-Z]+)*\b/g, (word) => {
    const style = styles[word];
    return style === undefined ? word : paint(style, word);
  });
}
