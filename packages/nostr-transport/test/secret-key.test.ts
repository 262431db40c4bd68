import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nsecEncode } from 'nostr-tools/nip19';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSecretKey } from '../src/signers/secret-key.ts';
import { tracesOf } from './support/secrets.ts';

const bytes = new Uint8Array(32).fill(42);
const hex = Buffer.from(bytes).toString('hex');
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bonafide-key-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, content: string, mode: number): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  await chmod(path, mode);
  return path;
}

const failure = (loading: Promise<unknown>) =>
  loading.then(
    () => {
      throw new Error('should have failed');
    },
    (error: unknown) => error as Error & { code: string },
  );

describe('NET-2 where the secret key comes from', () => {
  it('NET-2 reads hex or nsec from a file of mode 0600', async () => {
    for (const content of [hex, `${hex}\n`, `  ${nsecEncode(bytes)}\n`]) {
      const key = await loadSecretKey({ file: await file('good', content, 0o600) });
      expect(key.reveal()).toEqual(bytes);
    }
  });

  it.each([0o644, 0o640, 0o604, 0o660, 0o700, 0o666, 0o400])(
    'NET-2 refuses a file of mode %o',
    async (mode) => {
      const path = await file('open', hex, mode);
      const error = await failure(loadSecretKey({ file: path }));
      expect(error).toMatchObject({ code: 'SECRET_FILE_UNSAFE' });
      expect(error.message).toContain(`chmod 600 ${path}`);
      expect(tracesOf(bytes, error)).toEqual([]);
    },
  );

  it('NET-2 refuses what is no file of its own: a link, a folder, something huge', async () => {
    const target = await file('target', hex, 0o600);
    const link = join(folder, 'link');
    await symlink(target, link);
    expect(await failure(loadSecretKey({ file: link }))).toMatchObject({ code: 'SECRET_FILE_UNSAFE' });
    expect(await failure(loadSecretKey({ file: folder }))).toMatchObject({ code: 'SECRET_FILE_UNSAFE' });
    const huge = await file('huge', hex.repeat(200), 0o600);
    expect(await failure(loadSecretKey({ file: huge }))).toMatchObject({ code: 'SECRET_FILE_UNSAFE' });
  });

  it('NET-2 X-7 does not quote a file whose content is no key', async () => {
    const almost = `${hex}0`;
    const error = await failure(loadSecretKey({ file: await file('almost', almost, 0o600) }));
    expect(error).toMatchObject({ code: 'SECRET_KEY_INVALID' });
    expect(tracesOf(bytes, error)).toEqual([]);
  });

  it('NET-2 reads the environment first, and takes the key out of it', async () => {
    const environment: Record<string, string | undefined> = { AGENT_KEY: nsecEncode(bytes), OTHER: 'x' };
    const key = await loadSecretKey({ env: 'AGENT_KEY', file: '/nowhere', environment });
    expect(key.reveal()).toEqual(bytes);
    expect(environment).toEqual({ OTHER: 'x' });
  });

  it('NET-2 says what to do when there is no key', async () => {
    const path = join(folder, 'none');
    const environment = { AGENT_KEY: '' };
    expect(await failure(loadSecretKey({ env: 'AGENT_KEY', environment }))).toMatchObject({
      code: 'SECRET_KEY_MISSING',
      message: expect.stringContaining('AGENT_KEY'),
    });
    expect(await failure(loadSecretKey({ file: path }))).toMatchObject({
      code: 'SECRET_KEY_MISSING',
      message: expect.stringContaining(path),
    });
    expect(await failure(loadSecretKey({}))).toMatchObject({ code: 'SECRET_KEY_MISSING' });
  });
});
