import type { ProgramCase } from '../../src/index.ts';
import type { RoomAttack } from './attacks-by-room.ts';

const limits = { wallMs: 20_000, cpuHardMs: 3000, memoryHardBytes: 512 * 2 ** 20, outputBytes: 2 ** 20 };
const program = (
  id: string,
  source: string,
  cases: readonly ProgramCase[],
  more: object = {},
): RoomAttack => ({
  ...{ id, room: 'programs', artifact: { language: 'python', source } },
  suite: {
    ...{ id, mode: 'program', language: 'python', run: ['python3', 'solution.py'], cases, limits },
    ...more,
  },
});
const sum: readonly ProgramCase[] = [
  { id: 'one', layer: 'correctness', stdin: '1 2', expect: { stdout: '3' } },
  { id: 'two', layer: 'correctness', stdin: '5 6', expect: { stdout: '11' } },
];
const forge = (body: string) => `import base64, json, os\n${body}\n`;
/** Answers the cases in their order, as long as it knows how many runs there were. */
const counting = (where: string, count: string, keep: string): RoomAttack => {
  const source = `import os, socket, time\nprint([3, 11][bool(${count})])\nimport sys; sys.stdout.flush()\ntry:\n    ${keep.replaceAll('\n', '\n    ')}\nexcept OSError: pass\n`;
  const attack = program(`counts its runs in ${where}`, source, sum);
  return { ...attack, artifact: { files: { 'solution.py': source, 'count.txt': '0' } } };
};
/** Programs that answer for their launcher, look for what another case has left, or mislead the comparison or the build. */
export const attacksOnPrograms: readonly RoomAttack[] = [
  program(
    'answer in the place of the launcher',
    forge(
      "for fd in range(3, 20):\n    for n in range(8):\n        try: os.write(fd, json.dumps({'id': n, 'code': 0, 'out': base64.b64encode(b'11').decode(), 'err': ''}).encode() + b'\\n')\n        except OSError: pass",
    ),
    sum,
  ),
  program(
    'answer through the launcher’s descriptors',
    forge(
      'for pid in os.listdir(\'/proc\'):\n    try: os.write(os.open(\'/proc/%s/fd/4\' % pid, os.O_WRONLY), b\'{"id": 2, "code": 0, "out": "Mw==", "err": ""}\\n\')\n    except OSError: pass',
    ),
    sum,
  ),
  program(
    'launcher is stopped',
    forge(
      'import signal\nfor pid in range(1, 9):\n    try: os.kill(pid, signal.SIGSTOP)\n    except OSError: pass',
    ),
    sum,
    { limits: { ...limits, wallMs: 3000 } },
  ),
  program(
    'launcher is killed',
    forge(
      'import signal\nfor pid in range(1, 9):\n    try:\n        if pid != os.getpid(): os.kill(pid, signal.SIGKILL)\n    except OSError: pass',
    ),
    sum,
  ),
  program(
    'program replaces itself for later cases',
    forge("open('solution.py', 'w').write('print(11)')"),
    sum,
  ),
  program(
    'program replaces what the next case copies',
    forge(
      "import glob\nfor name in ('/box/work/solution.py', '/box/case/solution.py'):\n    try:\n        os.unlink(name); open(name, 'w').write('print(11)')\n    except OSError: pass",
    ),
    [sum[0] ?? never(), { ...(sum[1] ?? never()), expect: { stdout: '12' } }],
  ),
  program(
    'process that stays behind and reads the next input',
    forge(
      "if os.fork() == 0:\n    import time\n    for n in range(200):\n        time.sleep(.01)\n        for pid in os.listdir('/proc'):\n            try: print(open('/proc/%s/fd/0' % pid).read())\n            except OSError: pass",
    ),
    sum,
  ),
  counting(
    'a file of its own, in place',
    "int(open('count.txt').read())",
    "with open('count.txt', 'r+') as file: file.write('1')",
  ),
  counting(
    'a folder that nobody may open',
    "os.path.exists('/box/tmp/closed') and (os.chmod('/box/tmp/closed', 0o700) or os.path.exists('/box/tmp/closed/a'))",
    "os.mkdir('/box/tmp/closed'); open('/box/tmp/closed/a', 'w').close(); os.chmod('/box/tmp/closed', 0)",
  ),
  counting('shared memory', "os.path.exists('/dev/shm/a')", "open('/dev/shm/a', 'w').close()"),
  counting('a file beside its folder', "os.path.exists('/box/a')", "open('/box/a', 'w').close()"),
  counting(
    'a process that answers later',
    "socket.socket(socket.AF_UNIX).connect_ex('\\0count') == 0",
    `server = socket.socket(socket.AF_UNIX)
server.bind('\\0count')
server.listen()
if os.fork() == 0:
    os.setsid()
    for fd in (0, 1, 2): os.close(fd)
    time.sleep(600)`,
  ),
  program(
    'process that stays behind and writes the file of the next case',
    `import os, sys, time
open('out.txt', 'w').write('3')
if sys.stdin.read() == 'first' and os.fork() == 0:
    os.setsid()
    for fd in (0, 1, 2): os.close(fd)
    while True:
        time.sleep(.001)
        try: open('/box/case/out.txt', 'w').write('11')
        except OSError: pass
`,
    [
      { id: 'one', layer: 'smoke', stdin: 'first', expect: { stdout: '' } },
      { id: 'two', layer: 'correctness', expect: { files: { 'out.txt': '11' } } },
    ],
  ),
  program('exit code only', 'import sys\nsys.exit(0)\n', sum),
  program('pattern that is met by everything', 'print("x" * 50)\n', [
    { id: 'one', layer: 'correctness', match: 'pattern', expect: { stdout: '^[0-9]+$' } },
  ]),
  program('pattern that takes for ever', 'print("a" * 40)\n', [
    { id: 'one', layer: 'correctness', match: 'pattern', expect: { stdout: '^(a|b|ab)*c$' } },
  ]),
  program('numbers that are no numbers', 'print("nan inf -inf")\n', [
    { id: 'one', layer: 'correctness', match: 'tokens', tolerance: 1e9, expect: { stdout: '1 2 3' } },
  ]),
  program('tolerance by text', 'print("1e999 0x10 1_000")\n', [
    { id: 'one', layer: 'correctness', match: 'tokens', tolerance: 0.5, expect: { stdout: '1 16 1000' } },
  ]),
  program('JSON with a prototype', 'print(\'{"__proto__": {"a": 1}}\')\n', [
    { id: 'one', layer: 'correctness', match: 'json', expect: { stdout: '{"a": 1}' } },
  ]),
  program('JSON with two keys', 'print(\'{"a": 2, "a": 1} []\')\n', [
    { id: 'one', layer: 'correctness', match: 'json', expect: { stdout: '{"a": 1}' } },
  ]),
  program('JSON of great depth', 'print("[" * 100000 + "]" * 100000)\n', [
    { id: 'one', layer: 'correctness', match: 'json', expect: { stdout: '[]' } },
  ]),
  program('nothing but spaces', 'print(" \\n" * 1000)\n', [
    { id: 'one', layer: 'correctness', expect: { stdout: 'x' } },
  ]),
  program('half characters', 'import sys\nsys.stdout.buffer.write(b"\\xff\\xfe")\n', [
    { id: 'one', layer: 'correctness', match: 'exact', expect: { stdout: '\ufffd' } },
  ]),
  program('output without end', 'while True: print("x" * 1000)\n', sum),
  program('link in the place of a file', forge("os.symlink('/judge/program.py', 'out.txt')"), [
    { id: 'one', layer: 'correctness', expect: { files: { 'out.txt': 'x' } } },
  ]),
  program('pipe in the place of a file', forge("os.mkfifo('out.txt')"), [
    { id: 'one', layer: 'correctness', expect: { files: { 'out.txt': 'x' } } },
  ]),
  program('folder in the place of a file', forge("os.mkdir('out.txt')"), [
    { id: 'one', layer: 'correctness', expect: { files: { 'out.txt': 'x' } } },
  ]),
  program('device in the place of a file', forge("os.symlink('/dev/zero', 'out.txt')"), [
    { id: 'one', layer: 'correctness', expect: { files: { 'out.txt': 'x' } } },
  ]),
  program('build that writes the answers of its own', 'print(0)\n', sum, {
    build: ['python3', '-c', "open('x', 'w').write('y' * 100)"],
  }),
  program('build that leaves links', 'print(0)\n', sum, {
    build: ['python3', '-c', "import os; os.symlink('/etc/passwd', 'solution2.py'); os.symlink('.', 'loop')"],
  }),
  program('build that leaves a process', 'print(0)\n', sum, { build: ['sh', '-c', '(sleep 100 &) ; true'] }),
  program('build without end', 'print(0)\n', sum, {
    build: ['sh', '-c', 'while :; do :; done'],
    limits: { ...limits, cpuHardMs: 500 },
  }),
  program('build that leaves very many files', 'print(0)\n', sum, {
    build: ['python3', '-c', "for n in range(6000): open('f%d' % n, 'w').close()"],
  }),
];
function never(): never {
  throw new Error('There is a case');
}
