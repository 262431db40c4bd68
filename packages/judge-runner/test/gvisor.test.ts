import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
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

/** A judgment with gVisor takes a second: a few every time, the others when asked for. */
const sample = new Set([
  ...['c_good', 'r_forkbomb', 'r_fds', 'r_segv', 's_net_child', 's_ptrace', 's_background', 'f_eq'],
  ...['f_exit0_import', 'threads.py', 'sqlite_mem.py', 'tempfile.py', 'signal_alarm.py', 'asyncio_loop.py'],
]);

const options = { engine: 'podman', runtime: 'runsc' } as const;
const report = await probeContainerSandbox(options);
const missing = report.checks.find((check) => check.status === 'failed');
const skipped = report.usable
  ? ''
  : ` (SKIPPED, no box of gVisor can be made here: ${missing?.detail} To run them: ${missing?.remedy})`;

describe.skipIf(!report.usable)(`boxes with gVisor's kernel${skipped}`, () => {
  let sandbox: ContainerSandbox;
  let judge: Judge;
  beforeAll(async () => {
    sandbox = await createContainerSandbox(options);
    judge = createJudge({ sandbox });
  });
  afterAll(async () => {
    await judge?.close();
    await sandbox?.close();
    expect(left(process.pid)).toEqual([]);
  });

  const run = (source: string, limits: Partial<Limits> = {}, more: Partial<VectorSuite> = {}) =>
    judge.run({ artifact: { language: 'python', source }, suite: suite(limits, more) });

  it('JDG-8 the report says which layers were measured inside, and which outside', () => {
    const within = report.layers.filter((layer) => layer.measured === 'inside').map((layer) => layer.name);
    expect(within).toEqual([
      ...['namespaces', 'uid', 'read-only-root', 'capabilities', 'descriptors', 'no-new-privileges'],
      ...['seccomp-launch', 'seccomp-profile', 'rlimits'],
    ]);
    const outside = report.layers.filter((layer) => layer.measured === undefined).map((layer) => layer.name);
    expect(outside).toEqual(['own-kernel', 'cgroup', 'disk-watch', 'landlock', 'syscall-supervisor']);
    expect(report.layers.filter((layer) => !layer.inForce).map((layer) => layer.name)).toEqual(['landlock']);
    expect(report.checks.find((check) => check.name === 'runtime')?.detail).toContain('gVisor');
    expect(report.checks.find((check) => check.name === 'box')?.detail).toContain('inside');
  });

  it('JDG-8 JDG-11 right, wrong, and what is forbidden in a thread or with the signal blocked', async () => {
    const masked = `import signal, socket, threading
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGSYS])
def solve():
  thread = threading.Thread(target=socket.socket)
  thread.start()
  return True`;
    const [right, wrong, network] = await Promise.all([
      run('def solve(): return True'),
      run('def solve(): return 5'),
      run(masked),
    ]);
    expect([right, wrong, network].map((verdict) => verdict.outcome)).toEqual([
      'SUCCESS',
      'FAILURE',
      'SECURITY_VIOLATION',
    ]);
    expect(network.violations[0]?.evidence).toContain('SIGSYS');
    expect(right.protection[0]?.name).toBe('own-kernel');
  });

  describe.runIf(isFull)('in full', () => {
    it('JDG-9 from inside: an unprivileged user, alone, with nothing to write to but its work folders', async () => {
      process.env.BONAFIDE_TEST_SECRET = 'secret';
      const inside = async (expression: string, more = '') => {
        const verdict = await run(`import os\n${more}\ndef solve(): return ${expression}`);
        return verdict.transcript[0]?.answer ?? verdict.summary;
      };
      const folders = ['/', '/dev', '/usr/lib', '/etc', '/run', '/tmp', '/sys', '/judge', '/box', '/dev/shm'];
      expect(await inside(`[attempt(p) for p in ${JSON.stringify(folders)}]`, attempt)).toBe(
        `[${folders.map((path) => (/box|shm/.test(path) ? 'True' : 'False')).join(', ')}]`,
      );
      expect(
        await inside(`[os.uname().nodename, os.getpid(), [p for p in os.listdir('/proc') if p.isdigit()]]`),
      ).toBe('["sandbox", 1, ["1"]]');
      expect(await inside(`[l.split()[0] for l in open("/proc/net/dev").readlines()[2:]]`)).toBe('["lo:"]');
      const environ = `''.join(open('/proc/' + p + '/' + 'environ').read() for p in ('1', 'self'))`;
      expect(await inside(`[x in ${environ} for x in ('SECRET', 'NODE', 'VITEST', 'podman')]`)).toBe(
        '[False, False, False, False]',
      );
    });

    describe.concurrent('limits', () => {
      for (const [name, source, limits, kind] of limitCases)
        it(`JDG-10 tells ${name} apart in a box of gVisor`, async ({ expect }) => {
          const verdict = await run(source, limits);
          expect([verdict.outcome, verdict.errorKind], verdict.summary).toEqual(['ERROR', kind]);
        });
      it('JDG-10 a bomb of processes is one in a box of gVisor', async ({ expect }) => {
        const verdict = await run(
          'import os\ndef solve():\n  while True: os.fork()',
          { pids: 40 },
          { profile: 'PROCESSES' },
        );
        expect([verdict.outcome, verdict.errorKind], verdict.summary).toEqual(['ERROR', 'pids']);
      });
    });

    it('JDG-11 sees what a child process does, however deep', async () => {
      const calls = hiddenAttempts.filter(([, evidence]) => /called/.test(evidence.source));
      expect(calls).toHaveLength(2);
      for (const [source] of calls) {
        const verdict = await run(`${source}\ndef solve(): return True`, {}, { profile: 'PROCESSES' });
        expect([verdict.outcome, verdict.stderr]).toEqual(['SECURITY_VIOLATION', '']);
      }
    });

    it('JDG-11 does not accuse threads and processes that end in every ordinary way', async () => {
      const verdict = await run(
        `import os, signal, subprocess, sys, threading, time
def solve():
  threads = [threading.Thread(target=time.sleep, args=(.01,)) for _ in range(20)]
  for thread in threads: thread.start()
  for thread in threads: thread.join()
  subprocess.run([sys.executable, '-S', '-c', 'raise SystemExit(3)'])
  for end in (lambda: os._exit(1), lambda: os.kill(os.getpid(), 9), lambda: os.abort(),
              lambda: os.execv(sys.executable, [sys.executable, '-S', '-c', 'pass']),
              lambda: [threading.Thread(target=os.execv, args=(sys.executable, [sys.executable, '-S', '-c', 'pass'])).start(), time.sleep(60)]):
    if os.fork() == 0:
      threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
      end()
    os.wait()
  return True`,
        {},
        { profile: 'PROCESSES' },
      );
      expect([verdict.outcome, verdict.violations, verdict.stderr]).toEqual(['SUCCESS', [], '']);
    });

    it('JDG-5 JDG-7 pytest in a box of its own, in one with the artifact, and JavaScript', async () => {
      const files = { 'test_it.py': 'from solution import solve\ndef test_it(): assert solve(2) == 4\n' };
      const base = { id: 'pytest', language: 'python', files } as const;
      const artifact = { language: 'python', source: 'def solve(x): return x * x' } as const;
      const verdicts = [
        await judge.run({ artifact, suite: { ...base, mode: 'split' } }),
        await judge.run({ artifact, suite: { ...base, mode: 'same-process' } }),
        await judge.run({
          artifact: { language: 'javascript', source: 'export const solve = () => true;' },
          suite: suite({}, { language: 'javascript' }),
        }),
      ];
      expect(verdicts.map((verdict) => [verdict.outcome, verdict.violations, verdict.summary])).toEqual(
        verdicts.map((verdict) => ['SUCCESS', [], verdict.summary]),
      );
    });

    describe('programs', () => {
      for (const { language, needs, suite: own, source } of toolchains.filter((each) =>
        ['python', 'shell', 'c', 'javascript', 'java'].includes(each.language),
      ))
        it.skipIf(!existsSync(needs))(
          `JDG-8 JDG-23 ${language} is built and run in boxes of gVisor`,
          async () => {
            const wanted: ProgramSuite = { id: language, language, mode: 'program', cases: sumCases, ...own };
            const right = await judge.run({ artifact: { language, source }, suite: wanted });
            expect([right.outcome, right.violations], JSON.stringify(right)).toEqual(['SUCCESS', []]);
          },
        );
    });

    it('JDG-15 leaves no container, no process, no cgroup, no mount and no folder behind', async () => {
      const { stdout } = await inChild(
        options,
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

    it('X-8 boxes of gVisor die with a judge that is killed', async () => {
      const child = execFile(process.execPath, [
        '--input-type=module',
        '-e',
        childScript(
          options,
          `
        const suite = ${JSON.stringify(suite())};
        const run = (source) => judge.run({ artifact: { language: 'python', source }, suite });
        await run('def solve(): return True');
        void run('while True: pass');
        // The second is killed while its box is being made.
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
      // Its groups are the next judge's business, as with other backends.
      await probeContainerSandbox(options);
      expect(left(pid)).toEqual([]);
      expect(groupsNamed(`bonafide-containers-${pid}-*`)).toEqual([]);
    });

    const limits: Partial<Limits> = {
      wallMs: 240_000 * slowness,
      cpuHardMs: 2500 * slowness,
      memoryHardBytes: 256 * mib,
      memorySoftBytes: 128 * mib,
    };
    for (const { id, category, expect: allowed, artifact } of attacks().filter((each) => sample.has(each.id)))
      it(`JDG-15 ${category} ${id} in a box of gVisor`, async () => {
        const own = attackSuite();
        const verdict = await judge.run({
          artifact,
          suite: { ...own, limits: { ...own.limits, ...limits } },
        });
        const told = JSON.stringify([verdict.outcome, verdict.errorKind, verdict.summary, verdict.stderr]);
        expect(allowed, told).toContain(verdict.outcome);
      });
    for (const { id, artifact } of honest().filter((each) => sample.has(each.id)))
      it(`JDG-11 ${id} is never accused in a box of gVisor`, async () => {
        for (const profile of ['STRICT', 'EXTENDED', 'PROCESSES'] as const) {
          const verdict = await judge.run({ artifact, suite: { ...honestSuite, profile } });
          expect(verdict.violations, profile).toEqual([]);
          if (profile !== 'STRICT') expect(verdict.outcome, JSON.stringify(verdict.tests)).toBe('SUCCESS');
        }
      });
  });
});
