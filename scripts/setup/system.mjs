import { accessSync, constants } from 'node:fs';
import { run } from './process.mjs';

/** What the sandbox needs from the system: the file that shows it is there, and Debian's package. */
const tools = [
  { path: '/usr/bin/bwrap', debian: 'bubblewrap' },
  { path: '/usr/bin/python3', debian: 'python3' },
];

function exists(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The Debian packages that are missing here. */
export function missingPackages(present = exists) {
  return tools.filter(({ path }) => !present(path)).map(({ debian }) => debian);
}

/** Installs what the sandbox needs when it may; otherwise throws with the one command to type. */
export function prepareSystem() {
  const missing = missingPackages();
  if (missing.length === 0) return;
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (process.platform !== 'linux') {
    throw new Error(
      `The sandbox needs Linux (here: ${process.platform}). Run this in a Linux machine or container.`,
    );
  }
  if (process.getuid?.() !== 0 || !exists('/usr/bin/apt-get')) {
    throw new Error(`Missing for the sandbox: ${missing.join(', ')}. Type:\n\n  sudo ${command}\n`);
  }
  console.error(`Installing ${missing.join(' and ')} …`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const [program, ...args] = command.split(' ');
  const installed =
    run(program, args, { show: false, env }) === 0 ||
    // A fresh image has no package lists yet.
    (run(program, ['update'], { show: false, env }) === 0 && run(program, args, { show: false, env }) === 0);
  if (!installed || missingPackages().length > 0) throw new Error(`Could not install: ${command}`);
}
