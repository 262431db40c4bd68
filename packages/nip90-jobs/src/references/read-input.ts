import type { NostrEvent, Transport } from '@bonafide/nostr-transport';
import {
  isNip44Payload,
  type JobInput,
  type ParsedResult,
  parseJobRequest,
  parseJobResult,
  resultKindOf,
} from '../codec/index.ts';
import { JobError } from '../errors.ts';
import { queryRelays } from '../query-relays.ts';
import type { FetchReference } from './fetch-reference.ts';

/** Kind of an event that describes a file (NIP-94). */
const FILE_KIND = 1063;

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const unread = (relays: readonly string[]) =>
  `${relays.length} of the relays could not be read completely. Send the request again later.`;

/** Returns the bytes of an input. */
export type ReadInput = (
  input: JobInput,
  options: {
    readonly signal: AbortSignal;
    /** Decrypts a ciphertext of the customer; null for a plain job. */
    readonly decrypt: ((ciphertext: string) => Promise<string>) | null;
  },
) => Promise<Uint8Array>;

/**
 * Creates {@link ReadInput}. Text: the text itself. `url`: the file at the address, decrypted when the job is
 * encrypted. `event`: the event as JSON, or the file that it describes (NIP-94), verified against its hash.
 * `job`: the content of the earlier job's result, signed by the addressed provider. Rejects with the codes of
 * {@link FetchReference}.
 */
export function createReadInput(options: {
  readonly transport: Transport;
  readonly relays: readonly string[];
  readonly fetchReference: FetchReference;
}): ReadInput {
  const { transport, relays, fetchReference } = options;

  return async ({ data, type, relay }, { signal, decrypt }) => {
    const at = [...new Set([...(relay === null ? [] : [relay]), ...relays])];
    const find = async (id: string): Promise<NostrEvent> => {
      if (!/^[0-9a-f]{64}$/.test(id))
        throw new JobError('REFERENCE_UNAVAILABLE', 'An input names an event that no relay has.');
      const { events, incomplete } = await queryRelays(transport, at, [{ ids: [id] }], { signal });
      if (events[0]) return events[0];
      throw new JobError(
        'REFERENCE_UNAVAILABLE',
        incomplete.length === 0
          ? 'An input names an event that no relay has.'
          : `An input names an event that was not found; ${unread(incomplete)}`,
      );
    };
    switch (type) {
      case 'url':
        return opened(await fetchReference(data, { signal }), decrypt);
      case 'event': {
        const event = await find(data);
        if (event.kind !== FILE_KIND) return encode(JSON.stringify(event));
        const tag = (name: string) => event.tags.find(([first]) => first === name)?.[1] ?? null;
        return fetchReference(tag('url') ?? '', { sha256: tag('x'), signal });
      }
      case 'job':
        return resultOf(await find(data), at, signal);
      default:
        return encode(data);
    }
  };

  /**
   * Decrypts a referenced file of an encrypted job. Returns it unchanged when it is not a ciphertext for us.
   */
  async function opened(
    bytes: Uint8Array,
    decrypt: ((ciphertext: string) => Promise<string>) | null,
  ): Promise<Uint8Array> {
    const text = decrypt ? new TextDecoder('latin1').decode(bytes) : '';
    if (!decrypt || !isNip44Payload(text)) return bytes;
    try {
      return encode(await decrypt(text));
    } catch {
      return bytes;
    }
  }

  function contentOf(
    { content, reference }: ParsedResult,
    signal: AbortSignal,
  ): Promise<Uint8Array> | Uint8Array {
    if (reference === null) return encode(content);
    const { url, sha256, size } = reference;
    return fetchReference(url, { sha256, size, signal });
  }

  async function resultOf(
    event: NostrEvent,
    at: readonly string[],
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const parsed = parseJobRequest(event);
    if (!parsed.ok)
      throw new JobError('REFERENCE_INVALID', `An input names an event that is not a job: ${parsed.message}`);
    const { id, kind, providers, relays: theirs } = parsed.request;
    const filter = { kinds: [resultKindOf(kind)], '#e': [id] };
    // The addressed provider; for an open job, the first that answered.
    const authors = providers.length > 0 ? { authors: providers } : {};
    const { events, incomplete } = await queryRelays(
      transport,
      [...new Set([...at, ...theirs])],
      [{ ...filter, ...authors }],
      { signal },
    );
    for (const one of events.toSorted((a, b) => a.created_at - b.created_at)) {
      const result = parseJobResult(one);
      if (result.ok && result.result.encryption === null && result.result.status !== 'error')
        return contentOf(result.result, signal);
    }
    throw new JobError(
      'REFERENCE_UNAVAILABLE',
      incomplete.length === 0
        ? 'An input names a job that has no result that can be read.'
        : `An input names a job whose result was not found; ${unread(incomplete)}`,
    );
  }
}
