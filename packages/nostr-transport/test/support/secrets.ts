import { inspect } from 'node:util';
import { nsecEncode } from 'nostr-tools/nip19';

/** In which printed forms of `thing` the secret shows: as hex, as nsec, as a list of numbers or as base64. */
export function tracesOf(secret: Uint8Array, thing: unknown): string[] {
  const buffer = Buffer.from(secret);
  const forms = [
    buffer.toString('hex'),
    nsecEncode(secret),
    buffer.toString('base64'),
    [...secret].slice(0, 8).join(','),
  ];
  const printed: Readonly<Record<string, string>> = {
    inspect: inspect(thing, {
      depth: Number.POSITIVE_INFINITY,
      showHidden: true,
      maxArrayLength: null,
      getters: true,
    }),
    json: JSON.stringify(thing) ?? '',
    text: String(thing),
    stack: thing instanceof Error ? `${thing.stack} ${inspect(thing.cause)}` : '',
  };
  return Object.entries(printed)
    .filter(([, text]) => forms.some((form) => text.replace(/[\s"]/g, '').includes(form)))
    .map(([name]) => name);
}
