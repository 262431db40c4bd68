import type { Limits, VectorSuite } from '../src/index.ts';

export const mib = 1024 * 1024;

/** One case, for whatever `solve()` does. */
export const suite = (limits: Partial<Limits> = {}, more: Partial<VectorSuite> = {}): VectorSuite => ({
  id: 'box',
  language: 'python',
  mode: 'vectors',
  entryPoint: 'solve',
  cases: [{ id: 'only', layer: 'correctness', args: [], expect: true }],
  limits,
  ...more,
});

/** What a program tries where it hopes that nobody looks, and the evidence of it. */
export const hiddenAttempts: readonly (readonly [source: string, evidence: RegExp])[] = [
  [
    'import subprocess, sys\nsubprocess.run([sys.executable, "-S", "-c", "import socket; socket.socket()"])',
    /^It called socket\(0x2/,
  ],
  [
    'import os\nif os.fork() == 0:\n  if os.fork() == 0:\n    import ctypes; ctypes.CDLL(None).unshare(0x10000000)\n  os._exit(0)\nos.wait()\nimport time; time.sleep(2)',
    /^It called unshare\(0x10000000\)/,
  ],
  [
    'import os\nos.symlink("/proc/self", "/box/a")\nopen("/dev/../box/a/../1/root/etc/./shadow")',
    /"\/etc\/shadow"/,
  ],
  ['import os\nos.chdir("/usr/lib")\nopen("../../proc/thread-self/../../mem")', /"\/proc\/self\/mem"/],
  ['import ctypes\nctypes.CDLL(None).open(b"/root/.ssh/id_rsa", 0)', /"\/root\/.ssh\/id_rsa"/],
  ['open("/etc/passwd", "a")', /"\/etc\/passwd"/],
];

/** One program per limit, and the kind of error that it must end with. */
export const limitCases: readonly (readonly [
  name: string,
  source: string,
  limits: Partial<Limits>,
  kind: string,
])[] = [
  ['timeout', 'import time\ndef solve(): time.sleep(60)', { wallMs: 300 }, 'timeout'],
  ['cpu', 'def solve():\n  while True: pass', { cpuHardMs: 300 }, 'cpu'],
  ['oom', 'def solve(): return len(bytearray(b"x" * (300 << 20)))', { memoryHardBytes: 64 * mib }, 'oom'],
  [
    'disk',
    'def solve(): open("/box/f", "wb").write(b"x" * (20 << 20)); return True',
    { diskBytes: 4 * mib },
    'disk',
  ],
  [
    'shared memory',
    'import time\ndef solve():\n  try: open("/dev/shm/f", "wb").write(b"x" * (30 << 20))\n  except OSError: return True',
    {},
    'disk',
  ],
  ['output', 'def solve():\n  while True: print("x" * 10000)', { outputBytes: 100_000 }, 'output'],
  [
    'pids',
    'import threading, time\ndef solve():\n  for _ in range(40): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n  time.sleep(2)',
    { pids: 20 },
    'pids',
  ],
  ['crash', 'import os\ndef solve(): os._exit(7)', {}, 'crash'],
  ['protocol', 'def solve(): return "x" * 100000', { answerBytes: 50_000 }, 'protocol'],
];

/** Python: `attempt(path)` is true where a file can be written in a folder. */
export const attempt = `
def attempt(path):
    try:
        with open(path + '/probe', 'w') as f: f.write('x')
        return True
    except OSError:
        return False
`;
