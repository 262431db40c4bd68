import { existsSync, writeFileSync } from 'node:fs';
import { createKeySigner, loadSecretKey, type Signer } from '@bonafide/nostr-transport';
import { generateSecretKey, nip19 } from 'nostr-tools';

/** A signer with the key in a private file, which is made on first use. */
export async function signerFromFile(file: string): Promise<Signer> {
  if (!existsSync(file)) {
    writeFileSync(file, `${nip19.nsecEncode(generateSecretKey())}\n`, { mode: 0o600, flag: 'wx' });
  }
  return createKeySigner(await loadSecretKey({ file }));
}
