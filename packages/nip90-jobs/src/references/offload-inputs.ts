import { byteLength } from '@bonafide/internal';
import {
  type ContentReference,
  type JobInputSpec,
  type JobRequestSpec,
  MAX_INDEXED_VALUE_BYTES,
} from '../codec/index.ts';
import type { BlobStore } from './blob-store.ts';
import { putText } from './put-text.ts';

/** Maximum bytes of a text in an event's content; larger texts leave too little space for the rest. */
const maxContentBytes = 48_000;

/** Maximum bytes of all texts together whose ciphertext still leaves space for the rest of an event. */
const maxSecretBytes = 40_000;

const isText = ({ type = 'text' }: JobInputSpec) => type === 'text' || type === 'json' || type === 'base64';
const isLarge = (input: JobInputSpec) => isText(input) && byteLength(input.data) > MAX_INDEXED_VALUE_BYTES;
const mimeOf = ({ type }: JobInputSpec) =>
  type === 'json' ? 'application/json' : 'text/plain;charset=utf-8';

type Spec = Pick<JobRequestSpec, 'inputs' | 'content'>;

/**
 * Stores the inputs that fit neither into a tag nor into the content, and replaces them by references. They
 * are stored before the job, so that the address works when the provider reads it.
 *
 * @throws {JobError} `REFERENCE_INVALID` as {@link putText} does
 */
export async function offloadInputs<Asked extends Spec>(
  spec: Asked,
  blobs: BlobStore,
  signal?: AbortSignal,
): Promise<Asked> {
  const large = (spec.inputs ?? []).filter(isLarge);
  const [only] = large;
  const fits =
    only !== undefined && large.length === 1 && !spec.content && byteLength(only.data) <= maxContentBytes;
  if (large.length === 0 || fits) return spec;
  return replaceLarge(spec, (input) => putText(blobs, input.data, { mime: mimeOf(input), signal }));
}

/**
 * Does the same for an encrypted job: when all inputs together exceed an event, large inputs are stored as
 * ciphertexts that `seal` creates for the provider.
 */
export async function offloadEncryptedInputs<Asked extends Spec>(
  spec: Asked,
  blobs: BlobStore,
  seal: (plaintext: string) => Promise<string>,
  signal?: AbortSignal,
): Promise<Asked> {
  const size = (spec.inputs ?? []).reduce((sum, { data }) => sum + byteLength(data), 0);
  if (size <= maxSecretBytes) return spec;
  // Encrypted data has no recognizable type.
  const mime = 'text/plain;charset=utf-8';
  return replaceLarge(spec, async ({ data }) => putText(blobs, await seal(data), { mime, signal }));
}

async function replaceLarge<Asked extends Spec>(
  spec: Asked,
  put: (input: JobInputSpec) => Promise<ContentReference>,
): Promise<Asked> {
  const inputs = (spec.inputs ?? []).map(
    async (input): Promise<JobInputSpec> =>
      isLarge(input) ? { ...input, data: (await put(input)).url, type: 'url' } : input,
  );
  return { ...spec, inputs: await Promise.all(inputs) };
}
