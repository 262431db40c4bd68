import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openBox } from '../src/bubblewrap/box.ts';
import { closeHost, type Host } from '../src/bubblewrap/host.ts';
import { createOwnFiles } from '../src/bubblewrap/own-files.ts';
import { inspectPython } from '../src/isolation/machine.ts';
import { pollingSource } from '../src/isolation/polling.ts';
import { mergeLimits } from '../src/limits.ts';

const folder = mkdtempSync(join(tmpdir(), 'judge-refusal-'));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true }));

describe('a bubblewrap that refuses', () => {
  it('JDG-8 is asked why, also where its first process was gone before it could be put under limits', async () => {
    // As on Ubuntu, where AppArmor ends it between the namespace and the map of users.
    const bwrap = join(folder, 'bwrap');
    const script = `#!/bin/sh
echo '{ "child-pid": 999999999 }' >&5
echo 'bwrap: setting up uid map: Permission denied' >&2
exit 1
`;
    writeFileSync(bwrap, script, { mode: 0o755 });
    const host: Host = {
      architecture: process.arch === 'arm64' ? 'arm64' : 'x64',
      bwrap,
      prlimit: '/usr/bin/prlimit',
      python: await inspectPython('/usr/bin/python3'),
      meters: {
        ...pollingSource,
        create: async (limits) => ({
          ...(await pollingSource.create(limits)),
          enter: () => Promise.reject(new Error('ESRCH: no such process, write')),
        }),
      },
      uid: process.getuid?.() === 0 ? 65_534 : null,
      supervisor: null,
      own: createOwnFiles(),
    };
    const opened = openBox(
      host,
      { artifact: { language: 'python', source: '' }, profile: 'STRICT', limits: mergeLimits() },
      () => {},
    );
    await expect(opened).rejects.toThrow(/setting up uid map: Permission denied/);
    await closeHost(host);
  });
});
