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

/** Colors the outcomes of judgments and the states of platforms in a text. */
export function paintStatusWords(text: string, paint: Paint): string {
  return text.replace(/\b[A-Z]{5,}(?:_[A-Z]+)*\b/g, (word) => {
    const style = styles[word];
    return style === undefined ? word : paint(style, word);
  });
}
