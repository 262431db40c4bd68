import { createHash } from 'node:crypto';
import { byteLength } from '@bonafide/internal';
import { type JobInputSpec, type JobRequestSpec, MAX_INDEXED_VALUE_BYTES } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import type { BlobStore } from './blob-store.ts';
import { hashOfAddress } from './fetch-reference.ts';

/** Largest text that travels as an event's content; larger ones leave no room for the rest. */
const maxContentBytes = 48_000;

const isText = ({ type = 'text' }: JobInputSpec) => type === 'text' || type === 'json' || type === 'base64';

/**
 * The specification with those inputs by reference that fit into no tag (JOB-3): all but the one that may travel as the
 * content. They are stored before the job is, so that the address is good when the provider hears of it.
 *
 * @throws {JobError} `REFERENCE_INVALID` when the store gives an address that does not end in the hash
 */
export async function spillInputs<Spec extends Pick<JobRequestSpec, 'inputs' | 'content'>>(
  spec: Spec,
  blobs: BlobStore,
  signal?: AbortSignal,
): Promise<Spec> {
  const inputs = spec.inputs ?? [];
  const isLarge = (input: JobInputSpec) => isText(input) && byteLength(input.data) > MAX_INDEXED_VALUE_BYTES;
  const large = inputs.filter(isLarge);
  const [only] = large;
  const fits =
    only !== undefined && large.length === 1 && !spec.content && byteLength(only.data) <= maxContentBytes;
  if (large.length === 0 || fits) return spec;
  const put = async (input: JobInputSpec): Promise<JobInputSpec> => {
    if (!isLarge(input)) return input;
    const bytes = Buffer.from(input.data, 'utf8');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const contentType = input.type === 'json' ? 'application/json' : 'text/plain;charset=utf-8';
    const { url } = await blobs.put(bytes, { sha256, contentType, ...(signal ? { signal } : {}) });
    if (hashOfAddress(url) !== sha256)
      throw new JobError(
        'REFERENCE_INVALID',
        `A blob was stored at ${url}, which does not end in its SHA-256.`,
      );
    return { ...input, data: url, type: 'url' };
  };
  return { ...spec, inputs: await Promise.all(inputs.map(put)) };
}
