import { isHex64 } from './event.ts';

/**
 * A text that is stored at an address instead of in an event's content, with its hash and size (fields of
 * NIP-94 in the form of NIP-92).
 */
export interface ContentReference {
  readonly url: string;
  /** SHA-256 of the bytes: 64 hex digits. */
  readonly sha256: string;
  /** Size in bytes. */
  readonly size: number;
  readonly mime: string;
}

/** MIME types of files that replace a content: text. The address of a picture is a result itself. */
const isTextual = (mime: string) => /^(text\/|application\/([\w.+-]+\+)?json\b)/i.test(mime);

/** Builds the `imeta` tag for a content that consists of `url` only. */
export function referenceTag({ url, sha256, size, mime }: ContentReference): string[] {
  return ['imeta', `url ${url}`, `m ${mime}`, `x ${sha256}`, `size ${size}`];
}

/**
 * Parses the reference of an event. An event has a reference when its content is one address, and an `imeta`
 * tag gives hash, size and a text MIME type for it. Returns null for other events.
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
