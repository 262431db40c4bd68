import { byteLength } from '@bonafide/internal';
import { type JobInputSpec, type JobRequestSpec, MAX_INDEXED_VALUE_BYTES } from '../codec/index.ts';
import type { BlobStore } from './blob-store.ts';
import { putText } from './put-text.ts';

/** Largest text that travels as an event's content; larger ones leave no room for the rest. */
const maxContentBytes = 48_000;

const isText = ({ type = 'text' }: JobInputSpec) => type === 'text' || type === 'json' || type === 'base64';

/**
 * The specification with those inputs by reference that fit into no tag (JOB-3): all but the one that may travel as the
 * content. They are stored before the job is, so that the address is good when the provider hears of it.
 *
 * @throws {JobError} `REFERENCE_INVALID` as {@link putText} does
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
    const mime = input.type === 'json' ? 'application/json' : 'text/plain;charset=utf-8';
    const { url } = await putText(blobs, input.data, { mime, signal });
    return { ...input, data: url, type: 'url' };
  };
  return { ...spec, inputs: await Promise.all(inputs.map(put)) };
}
