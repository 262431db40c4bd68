import { isHex64 } from './event.ts';

/** Text that stands at an address instead of in an event's content, and how to know it (NIP-94 by name, NIP-92 in form). */
export interface ContentReference {
  readonly url: string;
  /** SHA-256 of the bytes: 64 hex digits. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  readonly mime: string;
}

/** MIME types of what may stand for a content: text. A picture's address is a result of its own. */
const isTextual = (mime: string) => /^(text\/|application\/([\w.+-]+\+)?json\b)/i.test(mime);

/** Writes the tag that goes with a content that is nothing but `url`. */
export function referenceTag({ url, sha256, size, mime }: ContentReference): string[] {
  return ['imeta', `url ${url}`, `m ${mime}`, `x ${sha256}`, `size ${size}`];
}

/**
 * What an event's content refers to; null when it speaks for itself. It refers when it is one address, and an `imeta` tag
 * gives hash, size and a MIME type of text for that address.
 */
export function parseReference(
  tags: readonly (readonly string[])[],
  content: string,
): ContentReference | null {
  const url = content.trim();
  for (const [name, ...values] of tags) {
    if (name !== 'imeta' || !values.includes(`url ${url}`)) continue;
    const said = (key: string) => values.find((value) => value.startsWith(`${key} `))?.slice(key.length + 1);
    const [sha256, size, mime] = [said('x'), said('size') ?? '', said('m') ?? ''];
    if (isHex64(sha256) && /^\d{1,15}$/.test(size) && isTextual(mime))
      return { url, sha256, size: Number(size), mime };
  }
  return null;
}
