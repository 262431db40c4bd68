import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ContainerSandbox,
  createContainerSandbox,
  createJudge,
  type Judge,
  type Limits,
  type ProgramSuite,
  probeContainerSandbox,
  type VectorSuite,
} from '../src/index.ts';
import { attempt, hiddenAttempts, limitCases, mib, suite } from './box-cases.ts';
import { childScript, groupsNamed, inChild, left } from './containers-left.ts';
import { attackSuite, attacks, honest, honestSuite } from './fixtures.ts';
import { isFull } from './proof.ts';
import { slowness } from './slow-machine.ts';
import { sumCases, toolchains } from './toolchains.ts';

/** The whole corpus takes some minutes; a few of each class are judged every time. */
const sample = new Set([
  ...['c_good', 'c_prints', 'r_forkbomb', 'r_fds', 'r_segv', 'r_huge_result'],
  ...['s_net_child', 's_ptrace', 's_x32', 's_background', 'f_eq', 'f_exit0_import', 'f_forge_nested'],
  ...['threads.py', 'sqlite_mem.py', 'tempfile.py', 'import_ctypes.py', 'signal_alarm.py'],
]);

/** `JUDGE_ENGINE=docker` judges with docker instead, whose daemon must map users. */
const engine = process.env.JUDGE_ENGINE === 'docker' ? 'docker' : 'podman';
const report = await probeContainerSandbox({ engine });
const missing = report.checks.find((check) => check.status === 'failed');
const skipped = report.usable
  ? ''
  : ` (SKIPPED, no container can be made here: ${missing?.detail} To run them: ${missing?.remedy})`;

describe.skipIf(!report.usable)(`the backend container, ${engine}${skipped}`, () => {
  let sandbox: ContainerSandbox;
  let judge: Judge;
  /** Without cgroups and without the supervisor of system calls. */
  let bare: ContainerSandbox;
  let bareJudge: Judge;
  beforeAll(async () => {
    [sandbox, bare] = await Promise.all([
      createContainerSandbox({ engine }),
      createContainerSandbox({ engine, cgroups: 'none', supervisor: false }),
    ]);
    judge = createJudge({ sandbox });
    bareJudge = createJudge({ sandbox: bare });
  });
  afterAll(async () => {
    await Promise.all([judge?.close(), bareJudge?.close()]);
    await Promise.all([sandbox?.close(), bare?.close()]);
    expect(left(process.pid)).toEqual([]);
  });

  const run = (source: string, limits: Partial<Limits> = {}, by: Judge = judge) =>
    by.run({ artifact: { language: 'python', source }, suite: suite(limits) });
  /** What an expression is inside the box, in Python notation. */
  const inside = async (expression: string, more = '', by = judge): Promise<string | null> => {
    const verdict = await run(`import os\n${more}\ndef solve(): return ${expression}`, {}, by);
    return verdict.transcript[0]?.answer ?? verdict.summary;
  };

  it('JDG-8 the report says what was found, and every layer that bubblewrap has', () => {
    expect(report.backend).toBe('container');
    expect(report.checks.map((check) => check.name)).toEqual(
      expect.arrayContaining(['platform', 'engine', 'python', 'cgroup', 'image', 'supervisor', 'box']),
    );
    const absent = report.layers.filter((layer) => !layer.inForce).map((layer) => layer.name);
    expect(absent.filter((name) => name !== 'landlock' && name !== 'cgroup')).toEqual([]);
    expect(report.layers.find((layer) => layer.name === 'namespaces')?.detail).toBe(
      'own user, pid, net, ipc, uts, cgroup, mnt',
    );
    const uid = report.layers.find((layer) => layer.name === 'uid')?.detail;
    // Not even the number of another user of this machine, unless it is our own.
    const outside = Number(/\d+/.exec(uid ?? '')?.[0]);
    if (process.getuid?.() === 0) expect(outside).toBeGreaterThan(65_536);
    else expect(outside).toBe(process.getuid?.());
  });

  it('JDG-8 what cannot be had is refused with the cause and one line that mends it', async () => {
    const nowhere = await probeContainerSandbox({ engine, runtime: 'no-such-runtime' });
    expect(nowhere.usable).toBe(false);
    const cause = nowhere.checks.find((check) => check.status === 'failed');
    expect([cause?.name, (cause?.remedy ?? '').length > 0]).toEqual([
      engine === 'podman' ? 'runtime' : 'box',
      true,
    ]);
    const foreign = await probeContainerSandbox({ engine, image: 'localhost/no-such-image:1' });
    expect(foreign.checks.find((check) => check.name === 'image')?.detail).toContain('no-such-image');
    const folder = mkdtempSync(join(tmpdir(), 'judge-container-'));
    try {
      const inner = await probeContainerSandbox({ engine, folder: join(folder, 'inner') });
      if (process.getuid?.() === 0) expect(inner.checks.at(-1)?.detail).toContain('private');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('JDG-9 from inside: an unprivileged user, alone, without an environment, with nothing to write to but its work folders', async () => {
    process.env.BONAFIDE_TEST_SECRET = 'secret';
    const environ = `''.join(open('/proc/' + p + '/' + 'environ').read() for p in ('1', 'self'))`;
    const words = `('SECRET', 'NODE', 'VITEST', '/root', '/home', 'podman')`;
    const folders = [
      '/',
      '/dev',
      '/usr/lib',
      '/etc',
      '/run',
      '/sys',
      '/judge',
      '/artifact',
      '/box',
      '/dev/shm',
    ];
    const status = `sorted((l.split(':')[0], l.split()[1]) for l in open('/proc/self/status') if l.startswith(('Uid', 'Cap', 'NoNew', 'Seccomp')))`;
    const [environment, alone, network, writes, state, top] = await Promise.all([
      inside(`[x in ${environ} for x in ${words}]`, '', bareJudge),
      inside(`[os.uname().nodename, os.getpid(), [p for p in os.listdir('/proc') if p.isdigit()]]`),
      inside(`[l.split()[0] for l in open("/proc/net/dev").readlines()[2:]]`),
      inside(`[attempt(p) for p in ${JSON.stringify(folders)}]`, attempt, bareJudge),
      inside(status),
      inside(`[sorted(os.listdir('/')), os.listdir('/sys')]`),
    ]);
    expect(environment).toBe('[False, False, False, False, False, False]');
    expect(alone).toBe('["sandbox", 1, ["1"]]');
    expect(network).toBe('["lo:"]');
    expect(writes).toBe(`[${folders.map((path) => (/box|shm/.test(path) ? 'True' : 'False')).join(', ')}]`);
    expect(state).toContain('("Uid", "65534")');
    expect(state?.match(/"0000000000000000"/g)).toHaveLength(5);
    expect(state).toContain('("NoNewPrivs", "1")');
    expect(top).not.toMatch(/root|home|tmp|var|mnt|opt/);
  });

  describe.concurrent('limits', () => {
    for (const [name, source, limits, kind] of limitCases) {
      it(`JDG-10 tells ${name} apart in a container`, async ({ expect }) => {
        const verdict = await run(source, limits);
        expect([verdict.outcome, verdict.errorKind], verdict.summary).toEqual(['ERROR', kind]);
        expect(verdict.metrics.approximate).toBe(sandbox.report.checks.some(isWithoutGroups));
      });
      it.runIf(isFull)(`JDG-10 tells ${name} apart in a container without cgroups`, async ({ expect }) => {
        const verdict = await run(source, limits, bareJudge);
        expect([verdict.outcome, verdict.errorKind], verdict.summary).toEqual(['ERROR', kind]);
      });
    }
  });

  it('JDG-11 names what a child process does, however deep; without the supervisor, it is seen and not named', async () => {
    const verdicts = await Promise.all(
      hiddenAttempts.map(([source]) =>
        judge.run({
          artifact: { language: 'python', source: `${source}\ndef solve(): return True` },
          suite: suite({}, { profile: 'PROCESSES' }),
        }),
      ),
    );
    for (const [index, verdict] of verdicts.entries()) {
      expect(verdict.outcome, `${hiddenAttempts[index]?.[0]} ${verdict.stderr}`).toBe('SECURITY_VIOLATION');
      expect(verdict.violations[0]?.evidence).toMatch(hiddenAttempts[index]?.[1] ?? /^$/);
    }
    const network = 'import socket\ndef solve(): socket.socket(); return True';
    const unnamed = await run(network, {}, bareJudge);
    expect(unnamed.violations[0]?.evidence).toContain('SIGSYS');
    expect(unnamed.protection.find((layer) => layer.name === 'syscall-supervisor')?.inForce).toBe(false);
  });

  it('JDG-5 JDG-7 pytest in a container of its own, in one with the artifact, and JavaScript', async () => {
    const files = { 'test_it.py': 'from solution import solve\ndef test_it(): assert solve(2) == 4\n' };
    const source = 'def solve(x): return x * x';
    const base = { id: 'pytest', language: 'python', files } as const;
    const artifact = { language: 'python', source } as const;
    const script = suite({}, { language: 'javascript' });
    const [split, same, wrong, javascript] = await Promise.all([
      judge.run({ artifact, suite: { ...base, mode: 'split' } }),
      judge.run({ artifact, suite: { ...base, mode: 'same-process' } }),
      judge.run({
        artifact: { ...artifact, source: 'def solve(x): return 5' },
        suite: { ...base, mode: 'split' },
      }),
      judge.run({
        artifact: { language: 'javascript', source: 'export const solve = () => true;' },
        suite: script,
      }),
    ]);
    expect([split, same, wrong, javascript].map((verdict) => [verdict.outcome, verdict.isolation])).toEqual([
      ['SUCCESS', 'separate'],
      ['SUCCESS', 'same-process'],
      ['FAILURE', 'separate'],
      ['SUCCESS', 'separate'],
    ]);
  });

  describe.concurrent('programs', () => {
    for (const { language, needs, suite: own, source } of toolchains.filter(
      (each) => isFull || ['python', 'shell', 'c', 'javascript'].includes(each.language),
    )) {
      const wanted: ProgramSuite = { id: language, language, mode: 'program', cases: sumCases, ...own };
      it.skipIf(!existsSync(needs))(
        `JDG-8 JDG-23 ${language} is built and run in containers`,
        async ({ expect }) => {
          const right = await judge.run({ artifact: { language, source }, suite: wanted });
          expect([right.outcome, right.violations], JSON.stringify(right)).toEqual(['SUCCESS', []]);
          const off: ProgramSuite = {
            ...wanted,
            cases: [{ id: 'wrong', layer: 'correctness', stdin: '1 2', expect: { stdout: '4' } }],
          };
          const wrong = await judge.run({ artifact: { source }, suite: off });
          expect([wrong.outcome, wrong.tests[0]?.reason]).toEqual([
            'FAILURE',
            'printed "3\\n" instead of "4"',
          ]);
        },
      );
    }
    const python: ProgramSuite = {
      ...{ id: 'programs', language: 'python', mode: 'program', run: ['python3', 'solution.py'] },
      cases: [1, 2].map((n) => ({ id: `${n}`, layer: 'correctness', expect: { stdout: 'ok' } })),
    };
    it.each([
      ['the network', 'import socket; socket.socket()', 'SECURITY_VIOLATION', null],
      ['files of secrets', "open('/etc/shadow')", 'SECURITY_VIOLATION', null],
      ['too many processes', 'import os\nwhile True: os.fork()', 'ERROR', 'pids'],
      ["the machine's programs", "open('/usr/bin/python3', 'r+b')", 'FAILURE', null],
      [
        'what another case left',
        "import os; print('ok' if os.path.exists('x') else 'no'); open('x', 'w')",
        'FAILURE',
        null,
      ],
      [
        'ordinary work',
        "import subprocess, tempfile\ntempfile.mkdtemp()\nprint(subprocess.run(['echo', 'ok'], capture_output=True, text=True).stdout)",
        'SUCCESS',
        null,
      ],
    ] as const)(
      'JDG-8 JDG-23 a program in a container that reaches for %s',
      async (_name, source, outcome, kind) => {
        const verdict = await judge.run({ artifact: { source }, suite: { ...python, limits: { pids: 40 } } });
        expect([verdict.outcome, verdict.errorKind], JSON.stringify(verdict)).toEqual([outcome, kind]);
        expect(verdict.tests.filter((test) => test.status === 'passed')).toHaveLength(
          outcome === 'SUCCESS' ? 2 : 0,
        );
      },
    );
    it('JDG-8 JDG-23 a build in a container that reaches for the network is a violation', async () => {
      const build = ['python3', '-c', 'import socket; socket.socket()'];
      const verdict = await judge.run({ artifact: { source: 'print("ok")' }, suite: { ...python, build } });
      expect(verdict.outcome, JSON.stringify(verdict)).toBe('SECURITY_VIOLATION');
    });
  });

  it('JDG-16 an aborted run rejects with the reason, also one that is aborted while its container is made', async () => {
    const abortAfter = async (waitMs: number): Promise<void> => {
      const controller = new AbortController();
      const reason = new Error('enough');
      const running = judge.run({
        artifact: { language: 'python', source: 'while True: pass' },
        suite: suite(),
        signal: controller.signal,
      });
      const failed = running.catch((error: unknown) => error);
      await new Promise((done) => setTimeout(done, waitMs));
      controller.abort(reason);
      expect(await failed).toBe(reason);
    };
    const waits = isFull ? Array.from({ length: 40 }, (_, index) => index * 15) : [20, 150, 700];
    for (const wait of waits) await abortAfter(wait * slowness);
    await expect.poll(() => left(process.pid), { timeout: 240_000 * slowness }).toEqual([]);
  });

  it('JDG-15 leaves no container, no process, no cgroup, no mount and no folder behind', async () => {
    const { stdout } = await inChild(
      { engine },
      `
      const sources = ['def solve(): return True', 'while True: pass', 'import os\\nos._exit(1)', 'import socket\\nsocket.socket()'];
      const suite = ${JSON.stringify(suite({ cpuHardMs: 200 }))};
      await Promise.all(sources.map((source) => judge.run({ artifact: { language: 'python', source }, suite })));
      await judge.close();
      await sandbox.close();
      process.stdout.write(JSON.stringify({ pid: process.pid }));
    `,
    );
    const { pid } = JSON.parse(stdout) as { pid: number };
    expect(left(pid)).toEqual([]);
    expect(groupsNamed(`bonafide-containers-${pid}-*`)).toEqual([]);
  });

  it('X-8 containers die with a judge that is killed', async () => {
    const child = execFile(process.execPath, [
      '--input-type=module',
      '-e',
      childScript(
        { engine },
        `
        const suite = ${JSON.stringify(suite())};
        const run = (source) => judge.run({ artifact: { language: 'python', source }, suite });
        await run('def solve(): return True');
        void run('while True: pass');
        // The second is killed while its container is being made.
        setTimeout(() => { void run('while True: pass'); }, 900);
        setTimeout(() => process.stdout.write('running'), 1000);
        await new Promise((resolve) => setTimeout(resolve, 60_000));
      `,
      ),
    ]);
    await new Promise((done) => child.stdout?.once('data', done));
    const pid = child.pid ?? 0;
    expect(left(pid)).not.toEqual([]);
    child.kill('SIGKILL');
    await expect
      .poll(() => left(pid).filter((what) => !what.startsWith('cgroup')), { timeout: 240_000 * slowness })
      .toEqual([]);
    // Its groups are the next judge's business, as with the other backend.
    await probeContainerSandbox({ engine });
    expect(left(pid)).toEqual([]);
    expect(groupsNamed(`bonafide-containers-${pid}-*`)).toEqual([]);
  });

  describe.concurrent('attack corpus', () => {
    const own = attackSuite();
    const limits: Partial<Limits> = {
      wallMs: 240_000 * slowness,
      cpuHardMs: 1200 * slowness,
      memoryHardBytes: 256 * mib,
      memorySoftBytes: 128 * mib,
    };
    for (const { id, category, expect: allowed, artifact } of attacks().filter(
      (each) => isFull || sample.has(each.id),
    )) {
      it(`JDG-15 ${category} ${id} in a container`, async ({ expect }) => {
        const wanted: VectorSuite = { ...own, limits: { ...own.limits, ...limits } };
        const verdict = await judge.run({
          artifact,
          suite:
            id === 'r_sleep' ? { ...wanted, limits: { ...wanted.limits, wallMs: 1500 * slowness } } : wanted,
        });
        const told = JSON.stringify([verdict.outcome, verdict.errorKind, verdict.summary, verdict.stderr]);
        expect(allowed, told).toContain(verdict.outcome);
        if (category === 'fake') expect(verdict.outcome).not.toMatch(/SUCCESS|PARTIAL/);
        expect(verdict.tests).toHaveLength(own.cases.length);
      });
    }
  });

  describe.concurrent('honest corpus', () => {
    for (const { id, artifact } of honest().filter((each) => isFull || sample.has(each.id))) {
      it(`JDG-11 ${id} is never accused in a container`, async ({ expect }) => {
        const profiles = isFull ? (['STRICT', 'EXTENDED', 'PROCESSES'] as const) : (['STRICT'] as const);
        for (const profile of profiles) {
          const verdict = await judge.run({ artifact, suite: { ...honestSuite, profile } });
          expect(verdict.violations, profile).toEqual([]);
          if (profile !== 'STRICT') expect(verdict.outcome, JSON.stringify(verdict.tests)).toBe('SUCCESS');
        }
      });
    }
  });
});

const isWithoutGroups = (check: { readonly name: string; readonly status: string }): boolean =>
  check.name === 'cgroup' && check.status !== 'ok';
