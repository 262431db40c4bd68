import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commitOracle, createJudge, matchesOutput, type ProgramSuite, parseSuite } from '../src/index.ts';
import { slowness } from './slow-machine.ts';
import { sumCases as cases, toolchains } from './toolchains.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

describe('programs of any language', () => {
  for (const { language, needs, suite: own, source, broken } of toolchains) {
    const suite: ProgramSuite = { id: language, language, mode: 'program', cases, ...own };
    it.skipIf(!existsSync(needs))(
      `${language}: a right program succeeds, a wrong one fails, one that does not compile says why (JDG-23)`,
      async () => {
        const right = await judge.run({ artifact: { language, source }, suite });
        expect([right.outcome, right.summary, right.violations], JSON.stringify(right)).toEqual([
          'SUCCESS',
          '3 of 3 tests passed.',
          [],
        ]);
        const off: ProgramSuite = {
          ...suite,
          cases: [{ id: 'wrong', layer: 'correctness', stdin: '1 2', expect: { stdout: '4' } }],
        };
        const wrong = await judge.run({ artifact: { source }, suite: off });
        expect([wrong.outcome, wrong.tests[0]?.reason]).toEqual(['FAILURE', 'printed "3\\n" instead of "4"']);
        if (broken === null) return;
        const failed = await judge.run({ artifact: { source: broken }, suite });
        expect([failed.outcome, failed.errorKind], failed.summary).toEqual(['ERROR', 'build']);
        expect(failed.summary).toMatch(/error|undefined/i);
      },
    );
  }

  const python = (more: Partial<ProgramSuite>): ProgramSuite => ({
    ...{ id: 'program', mode: 'program', run: ['python3', 'solution.py'], cases },
    ...more,
  });
  const one = (suite: Partial<ProgramSuite['cases'][number]>): ProgramSuite['cases'] => [
    { id: 'a', layer: 'correctness', expect: { stdout: '' }, ...suite },
  ];

  it('arguments, files, exit codes and files that it writes are seen (JDG-23)', async () => {
    const source =
      "import sys\ntext = open('in.txt').read()\nopen('out.txt', 'w').write(text.upper())\nprint(*sys.argv[1:])\nsys.exit(3)\n";
    const suite = python({
      cases: one({
        argv: ['-x', 'a b'],
        files: { 'in.txt': 'hello' },
        expect: { stdout: '-x a b', exitCode: 3, files: { 'out.txt': 'HELLO' } },
      }),
    });
    expect((await judge.run({ artifact: { files: { 'solution.py': source } }, suite })).outcome).toBe(
      'SUCCESS',
    );
    const silent = await judge.run({ artifact: { files: { 'solution.py': 'print("-x a b")' } }, suite });
    expect(silent.tests[0]?.reason).toContain('exit code 0 instead of 3');
  });

  it('a command that this machine lacks is never held against the artifact (JDG-20, JDG-23)', async () => {
    const artifact = { source: 'print(1)\n' };
    const lacking = { code: 'SUITE_UNSUPPORTED', message: expect.stringContaining('starts no-such-tool') };
    for (const more of [{ run: ['no-such-tool', 'solution.py'] }, { build: ['no-such-tool', '-o', 'main'] }])
      await expect(judge.run({ artifact, suite: python(more) })).rejects.toMatchObject({
        ...lacking,
        remedy: expect.stringContaining('Install no-such-tool.'),
      });
    // A program that the artifact was to bring is missing because of the artifact.
    const own = await judge.run({ artifact, suite: python({ run: ['./main'] }) });
    expect([own.outcome, own.tests[0]?.reason]).toEqual([
      'FAILURE',
      expect.stringContaining('it could not be started'),
    ]);
  });

  it('a command that this machine lacks is looked for before a box starts (JDG-23, X-4)', async () => {
    const sandbox = {
      name: 'bubblewrap',
      open: () => Promise.reject(new Error('opened')),
      close: async () => {},
    };
    const own = createJudge({ sandbox });
    const suite = python({ build: ['no-such-tool', '-o', 'main'] });
    await expect(own.run({ artifact: { source: '' }, suite })).rejects.toMatchObject({
      ...{ code: 'SUITE_UNSUPPORTED', message: expect.stringContaining('see no home folder') },
    });
    await own.close();
  });

  it('builds and programs that attack end in their class (JDG-23)', async () => {
    const shell = (script: string, run = 'true'): [ProgramSuite, { files: Record<string, string> }] => [
      {
        ...{ id: 'shell', mode: 'program', build: ['sh', 'build.sh'], run: ['sh', 'run.sh'] },
        cases: one({}),
        limits: { wallMs: 240_000 * slowness, cpuHardMs: 3000 * slowness, diskBytes: 10_000_000, pids: 40 },
      },
      { files: { 'build.sh': script, 'run.sh': run } },
    ];
    const socket = 'python3 -c "import socket; socket.socket()"';
    const attacks: readonly [string, string, string, string | null][] = [
      [socket, 'true', 'SECURITY_VIOLATION', null],
      ['true', socket, 'SECURITY_VIOLATION', null],
      ['head -c 50000000 /dev/zero > big', 'true', 'ERROR', 'disk'],
      ['true', 'head -c 50000000 /dev/zero > big', 'ERROR', 'disk'],
      ['i=0; while [ $i -lt 200 ]; do sleep 5 & i=$((i+1)); done; wait', 'true', 'ERROR', 'pids'],
      ['while :; do :; done', 'true', 'ERROR', 'cpu'],
      ['true', 'while :; do :; done', 'ERROR', 'cpu'],
      ['exit 1', 'true', 'ERROR', 'build'],
      // The launcher is the first process of its box, which nothing inside can kill.
      ['kill -9 $PPID', 'true', 'SUCCESS', null],
      ['true', 'kill -9 $PPID', 'SUCCESS', null],
      ['true', 'kill -INT $PPID', 'SUCCESS', null],
      // Nor does anything inside reach its descriptors.
      ['true', 'echo x 2>/dev/null > /proc/1/fd/4 || true', 'SUCCESS', null],
    ];
    for (const [build, run, outcome, kind] of attacks) {
      const [suite, artifact] = shell(build, run);
      const verdict = await judge.run({ artifact, suite });
      expect([build, run, verdict.outcome, verdict.errorKind], verdict.summary).toEqual([
        build,
        run,
        outcome,
        kind,
      ]);
    }
  });

  it('ordinary tools build and run: make, tar, install, timeout, and a user that is set to what it is (JDG-20, JDG-23)', async () => {
    const hasMake = existsSync('/usr/bin/make');
    const setting = 'import os; os.setresuid(-1, os.getuid(), -1); os.setregid(os.getgid(), os.getgid())';
    const suite = python({
      ...{
        id: 'tools',
        build: hasMake ? ['make'] : ['sh', 'copy.sh'],
        run: ['sh', 'run.sh'],
        cases: one({ expect: { stdout: 'done' } }),
      },
    });
    const files = {
      Makefile: 'all: copy\ncopy: one.txt\n\tcp -p one.txt copy\n\tinstall -m 600 one.txt installed\n',
      'copy.sh': 'cp -p one.txt copy && install -m 600 one.txt installed\n',
      'one.txt': '1',
      'run.sh': `set -e
tar cf all.tar copy installed
timeout 60 true
python3 -c "${setting}"
python3 -c "import ctypes; assert ctypes.CDLL(None).creat(b'made', 0o644) > 0"
test -e made && echo done
`,
    };
    const verdict = await judge.run({ artifact: { files }, suite });
    expect([verdict.outcome, verdict.summary]).toEqual(['SUCCESS', '1 of 1 tests passed.']);
    // No user but its own, as it has no privileges.
    const other = { ...files, 'run.sh': 'python3 -c "import os; os.setresuid(0, 0, 0)"\n' };
    const { outcome, tests } = await judge.run({ artifact: { files: other }, suite });
    expect([outcome, tests[0]?.reason]).toEqual(['FAILURE', expect.stringContaining('exit code 1')]);
  });

  it('a program that prints more than it may exceeds a limit, whatever its output matches (JDG-10, JDG-23)', async () => {
    const suite: ProgramSuite = {
      ...{ id: 'much', mode: 'program', language: 'python', run: ['python3', 'solution.py'] },
      limits: { outputBytes: 100_000 },
      cases: [{ id: 'a', layer: 'correctness', match: 'pattern', expect: { stdout: 'ok x*' } }],
    };
    const verdict = await judge.run({ artifact: { source: 'print("ok " + "x" * 1_000_000)' }, suite });
    expect([verdict.outcome, verdict.errorKind]).toEqual(['ERROR', 'output']);
  });

  it('what a case leaves behind changes no other case (JDG-23)', async () => {
    // Each run looks for what the one before it has left, and leaves it again.
    const source = `import os, socket, subprocess, time
found = []
def leave(name, is_there, make):
    if is_there(): found.append(name)
    make()
def write(path):
    open(path, 'w').close()
leave('temporary file', lambda: os.path.exists('/box/tmp/a'), lambda: write('/box/tmp/a'))
leave('file beside', lambda: os.path.exists('/box/a'), lambda: write('/box/a'))
leave('shared memory', lambda: os.path.exists('/dev/shm/a'), lambda: write('/dev/shm/a'))
leave('home', lambda: os.path.exists('/box/home/.a'), lambda: write('/box/home/.a'))
def changed():
    return open('data.txt').read() != 'as it was'
def change():
    with open('data.txt', 'r+') as file: file.write('AS')
leave('change of its own file', changed, change)
def close():
    os.makedirs('/box/tmp/closed/in'); write('/box/tmp/closed/in/a'); os.chmod('/box/tmp/closed/in', 0); os.chmod('/box/tmp/closed', 0)
leave('closed folder', lambda: os.path.exists('/box/tmp/closed'), close)
def dig():
    os.chdir('/box/tmp')
    for _ in range(3000):
        os.mkdir('d' * 20); os.chdir('d' * 20)
leave('deep folder', lambda: os.path.exists('/box/tmp/' + 'd' * 20), dig)
def others():
    return [name for name in os.listdir('/proc') if name.isdigit() and int(name) not in (1, os.getpid())]
def stay():
    for _ in range(25): subprocess.Popen(['sleep', '600'], start_new_session=True)
leave('processes', others, stay)
os.chmod('/box', 0o500)
print(found)
`;
    const suite: ProgramSuite = {
      ...{ id: 'state', mode: 'program', run: ['python3', 'solution.py'] },
      // Too few processes for those of two cases; those of one hold its streams open.
      limits: { pids: 40, wallMs: 240_000 * slowness },
      cases: ['a', 'b', 'c'].map((id) => ({ id, layer: 'correctness', expect: { stdout: '[]' } }) as const),
    };
    const files = { 'solution.py': source, 'data.txt': 'as it was' };
    const verdict = await judge.run({ artifact: { files }, suite });
    expect(verdict.outcome, JSON.stringify([verdict.summary, verdict.tests, verdict.stderr])).toBe('SUCCESS');
  });

  it('links and empty folders of a build are there when the program runs (JDG-23)', async () => {
    const build = `mkdir -p logs/empty lib
printf '#!/bin/sh\\necho right\\n' > lib/tool-1.0
chmod +x lib/tool-1.0
ln -s tool-1.0 lib/tool
ln -s lib current
ln -s "$PWD/lib/tool" absolute
`;
    const suite: ProgramSuite = {
      ...{ id: 'links', mode: 'program', build: ['sh', 'build.sh'] },
      run: ['sh', '-c', 'test -d logs/empty && ./lib/tool && ./current/tool && ./absolute'],
      cases: one({ expect: { stdout: 'right\nright\nright' } }),
    };
    const verdict = await judge.run({ artifact: { files: { 'build.sh': build } }, suite });
    expect(verdict.outcome, JSON.stringify([verdict.summary, verdict.tests])).toBe('SUCCESS');
  });

  it('what processes of a case print before they end counts, and much input is read (JDG-23)', async () => {
    const source = `import os, sys, time
size = len(sys.stdin.read())
if os.fork() == 0:
    time.sleep(.05)
    print(size)
    sys.stdout.flush()
`;
    const verdict = await judge.run({
      artifact: { source },
      suite: python({
        language: 'python',
        cases: one({ stdin: 'x'.repeat(1_000_000), expect: { stdout: '1000000' } }),
      }),
    });
    expect(verdict.outcome, JSON.stringify(verdict.tests)).toBe('SUCCESS');
  });

  it('a program that answers for its launcher is compared all the same (JDG-23)', async () => {
    const forge =
      'import os, json\nfor n in range(9):\n    for fd in ("/proc/%d/fd/4" % os.getppid(),):\n        try: open(fd, "w").write(json.dumps({"id": n, "code": 0, "out": "Ng==", "err": ""}) + "\\n")\n        except OSError: pass\n';
    const verdict = await judge.run({ artifact: { files: { 'solution.py': forge } }, suite: python({}) });
    expect(verdict.outcome).toMatch(/ERROR|FAILURE/);
  });
});

describe('comparison of outputs', () => {
  it('each kind of match accepts and refuses what it says (JDG-23)', () => {
    const table: readonly [
      string,
      string,
      Parameters<typeof matchesOutput>[2],
      number | undefined,
      boolean,
    ][] = [
      ['a\n', 'a', 'exact', undefined, false],
      ['a \r\nb\n\n', 'a\nb', 'lines', undefined, true],
      ['a\n\nb', 'a\nb', 'lines', undefined, false],
      ['1.0001  2\n', '1 2', 'tokens', 0.01, true],
      ['1.1 2', '1 2', 'tokens', 0.01, false],
      ['nan', '1', 'tokens', 10, false],
      // As doubles these would be equal.
      ['12345678901234567891', '12345678901234567890', 'tokens', undefined, false],
      ['12345678901234567891', '12345678901234567890', 'tokens', 1e-9, false],
      ['12345678901234567891', '12345678901234567890', 'tokens', 1, true],
      ['1.50 1e3 -0 .5 007', '1.5 1000 0 0.50 7', 'tokens', undefined, true],
      ['1e999', '1e1000', 'tokens', undefined, false],
      ['[9007199254740993]', '[9007199254740992]', 'json', undefined, false],
      ['{"a": 1e2}', '{"a": 100.0}', 'json', undefined, true],
      [`${'1'.repeat(200_000)}x`, '1', 'tokens', 1, false],
      [`1${'0'.repeat(200_000)}1`, '1', 'tokens', 1, false],
      ['1 2 3', '1 2', 'tokens', 1, false],
      ['{"b": [1, 2.0], "a": null}', '{"a":null,"b":[1,2]}', 'json', undefined, true],
      ['{"a": 1.5}', '{"a": 1}', 'json', 0.4, false],
      ['[]', '{}', 'json', undefined, false],
      ['not json', '{}', 'json', undefined, false],
      ['['.repeat(100_000), '[]', 'json', undefined, false],
      ['took 12 ms\n', 'took \\d+ ms', 'pattern', undefined, true],
      ['took 12 s', 'took \\d+ ms', 'pattern', undefined, false],
      [`${'a'.repeat(40)}!`, '(a+)+', 'pattern', undefined, false],
      ['anything', 'x', (answer) => answer.length === 8, undefined, true],
    ];
    for (const [answer, expected, match, tolerance, wanted] of table)
      expect([answer.slice(0, 20), matchesOutput(answer, expected, match, tolerance)]).toEqual([
        answer.slice(0, 20),
        wanted,
      ]);
  });

  it('a suite of programs can be committed to, except what a function compares (JDG-6, JDG-23)', () => {
    const suite: ProgramSuite = { id: 'p', mode: 'program', run: ['./main'], cases };
    expect(commitOracle(suite).count).toBe(4);
    const loose = { ...suite, cases: [{ ...cases[0], match: () => true }] } as ProgramSuite;
    expect(() => commitOracle(loose)).toThrow(/function/);
  });

  it('a build that leaves files with holes fills no memory of the judge (JDG-23, JDG-25)', async () => {
    const holes = "for n in range(40): open('f%d' % n, 'wb').truncate(50_000_000)";
    const suite: ProgramSuite = {
      ...{ id: 'holes', language: 'python', mode: 'program', run: ['python3', 'solution.py'] },
      limits: { wallMs: 600_000 },
      ...{
        build: ['python3', '-c', holes],
        cases: [{ id: 'a', layer: 'correctness', expect: { stdout: '1' } }],
      },
    };
    const verdict = await judge.run({ artifact: { source: 'print(1)' }, suite });
    expect([verdict.outcome, verdict.errorKind], verdict.summary).toEqual(['ERROR', 'build']);
    expect(verdict.summary).toContain('leaves more than 104857600 bytes');
  });

  it('files of several megabytes are compared, and those far beyond what is expected are refused (JDG-23)', async () => {
    const large = 'line\n'.repeat(1_000_000);
    const cases: ProgramSuite['cases'] = [
      {
        id: 'large',
        layer: 'correctness',
        argv: ['1000000'],
        expect: { files: { 'out.txt': large, two: large } },
      },
      { id: 'huge', layer: 'correctness', argv: ['4000000'], expect: { files: { 'out.txt': large } } },
    ];
    const source =
      "import sys\nfor name in ('out.txt', 'two'): open(name, 'w').write('line\\n' * int(sys.argv[1]))\n";
    const suite: ProgramSuite = {
      ...{ id: 'files', language: 'python', mode: 'program', run: ['python3', 'solution.py'], cases },
    };
    const verdict = await judge.run({ artifact: { source }, suite });
    expect(verdict.tests.map(({ reason }) => reason)).toEqual([
      null,
      'wrote more than 11000000 bytes to out.txt',
    ]);
  });

  it('an expected file that a record would leave out is refused, and odd names are names (JDG-23)', () => {
    const suite = (files: string) =>
      JSON.parse(
        `{"id": "names", "mode": "program", "run": ["sh", "main.sh"], "cases": [{"id": "__proto__", "layer": "edge", "expect": {"files": ${files}}}]}`,
      );
    expect(() => parseSuite(suite('{"__proto__": "x"}'))).toThrow('may not have a file __proto__');
    const odd = parseSuite(suite('{"constructor": "x", "hasOwnProperty": "y"}')) as ProgramSuite;
    expect(odd.cases[0]?.expect.files).toEqual({ constructor: 'x', hasOwnProperty: 'y' });
  });
});
