import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJudge, type DetectedSandbox, detectSandbox, type Judge, type Limits } from '../src/index.ts';
import { attackSuite, attacks, honest, honestSuite } from './fixtures.ts';
import { slowness } from './slow-machine.ts';

const limits: Partial<Limits> = {
  wallMs: 240_000 * slowness,
  memoryHardBytes: 256 * 1024 * 1024,
  memorySoftBytes: 128 * 1024 * 1024,
};
/** For programs that never end. Others would meet this limit on a slow machine before what the test is about. */
const short: Partial<Limits> = { cpuHardMs: 1200 * slowness };

const kinds: Record<string, readonly string[]> = {
  r_membomb: ['oom'],
  r_memcatch: ['oom'],
  // Whichever limit it meets first on a busy machine.
  r_zipbomb: ['oom', 'cpu'],
  r_bigint: ['cpu'],
  r_loop_import: ['cpu'],
  r_loop_sigxcpu: ['cpu'],
  r_redos: ['cpu'],
  r_sleep: ['timeout'],
  r_disk: ['disk'],
  r_flood_out: ['output'],
  r_segv: ['crash'],
  c_syntax: ['crash'],
  c_crash_import: ['crash'],
};

let sandbox: DetectedSandbox;
let judge: Judge;

beforeAll(async () => {
  sandbox = await detectSandbox();
  judge = createJudge({ sandbox, limits });
});

afterAll(async () => {
  await judge?.close();
  await sandbox?.close();
});

describe.concurrent('attack corpus', () => {
  const suite = attackSuite();
  for (const { id, category, expect: allowed, artifact } of attacks()) {
    it(`JDG-15 ${category} ${id}`, async () => {
      const own =
        id === 'r_sleep' ? { wallMs: 1500 * slowness } : kinds[id]?.includes('cpu') === false ? {} : short;
      const verdict = await judge.run({ artifact, suite: { ...suite, limits: own } });
      const told = { outcome: verdict.outcome, kind: verdict.errorKind, summary: verdict.summary };
      expect(allowed, JSON.stringify(told)).toContain(verdict.outcome);
      if (kinds[id]) expect(kinds[id], JSON.stringify(told)).toContain(verdict.errorKind);
      if (category === 'fake') expect(verdict.outcome).not.toMatch(/SUCCESS|PARTIAL/);
      expect(verdict.tests).toHaveLength(suite.cases.length);
    });
  }
});

describe.concurrent('honest corpus', () => {
  for (const { id, artifact } of honest()) {
    it(`JDG-11 ${id} is never accused under STRICT`, async () => {
      const verdict = await judge.run({ artifact, suite: honestSuite });
      expect(verdict.outcome).not.toBe('SECURITY_VIOLATION');
      expect(verdict.violations).toEqual([]);
    });

    it(`JDG-11 ${id} succeeds under EXTENDED and PROCESSES`, async () => {
      for (const profile of ['EXTENDED', 'PROCESSES'] as const) {
        const verdict = await judge.run({ artifact, suite: { ...honestSuite, profile } });
        expect(verdict.outcome, `${profile} ${JSON.stringify(verdict.tests)}`).toBe('SUCCESS');
      }
    });
  }

  const habits: Readonly<Record<string, string>> = {
    threads: `import threading, queue
def solve():
    q = queue.Queue()
    workers = [threading.Thread(target=lambda n: q.put(n * n), args=(n,)) for n in range(20)]
    for w in workers: w.start()
    for w in workers: w.join()
    return sorted(q.queue) == [n * n for n in range(20)]`,
    'files in the work folder': `import json, os
def solve():
    for n in range(200):
        with open('data%d.json' % n, 'w') as f: json.dump({'n': n}, f)
    return sum(json.load(open(name))['n'] for name in os.listdir('.')) == sum(range(200))`,
    'large output': `def solve():
    for n in range(20000): print('line', n)
    return True`,
    recursion: `import sys
def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
def solve():
    sys.setrecursionlimit(20000)
    try: return depth(5000) == 5000 and depth(10 ** 6) and False
    except RecursionError: return True`,
    randomness: `import random, secrets, uuid, os
def solve(): return len({random.random(), secrets.token_hex(), str(uuid.uuid4()), os.urandom(8)}) == 4`,
    'looking around': `import os, platform, sys, shutil, getpass, locale, time
def solve():
    os.path.expanduser('~'), platform.platform(), os.cpu_count(), os.listdir('/'), shutil.disk_usage if 0 else None
    for path in ('/proc/meminfo', '/proc/cpuinfo', '/proc/self/status', '/etc/hostname', '/etc/passwd', '/tmp/x'):
        try: open(path).read()
        except OSError: pass
    try: getpass.getuser()
    except Exception: pass
    return bool(sys.version and time.tzname and locale.getpreferredencoding())`,
    'asking the system about itself': `import fcntl, mmap, os, resource, select, shutil, signal, socket, sqlite3, tempfile, time, uuid
asks = [lambda: os.times(), lambda: os.getpgid(0), lambda: os.getpgrp(), lambda: os.getsid(0), lambda: os.getgroups(),
    lambda: os.getresuid(), lambda: os.getresgid(), lambda: os.getpriority(0, 0), lambda: os.nice(0), lambda: os.getloadavg(),
    lambda: os.sched_getscheduler(0), lambda: os.sched_get_priority_max(0), lambda: os.sched_rr_get_interval(0),
    lambda: select.select([], [], [], 0.01), lambda: select.poll().poll(1), lambda: select.epoll().poll(0.01),
    lambda: os.statvfs('/box'), lambda: shutil.disk_usage('/box'), lambda: shutil.copyfile('/judge/worker.py', '/box/copy'),
    lambda: os.pwrite(1, b'', 0), lambda: os.preadv(0, [bytearray(1)], 0), lambda: os.dup2(1, 20), lambda: os.eventfd(0),
    lambda: os.fchdir(0), lambda: os.waitpid(-1, os.WNOHANG), lambda: os.sync(),
    lambda: signal.getitimer(0),
    lambda: signal.sigpending(), lambda: signal.sigtimedwait([], 0.01), lambda: mmap.mmap(-1, 4096).flush(),
    lambda: resource.getrlimit(3), lambda: fcntl.flock(1, 2), lambda: os.readlink('/proc/self/exe'), lambda: os.posix_fadvise(0, 0, 0, 0),
    lambda: tempfile.mkdtemp(), lambda: sqlite3.connect('/box/d').execute('create table t(a)'), lambda: socket.gethostname(),
    lambda: uuid.uuid1(), lambda: uuid.getnode(), lambda: os.sendfile(1, 0, 0, 5), lambda: os.getlogin(), lambda: os.ttyname(0)]
def solve():
    for ask in asks:
        try: ask()
        except Exception: pass
    return uuid.uuid1().version == 1 and len(str(uuid.uuid4())) == 36`,
    'much of the library': `import asyncio, csv, ctypes, dataclasses, decimal, difflib, email.message, enum, fractions, hashlib, heapq, http.client, io, logging, multiprocessing, pickle, select, selectors, signal, socket, sqlite3, ssl, statistics, string, struct, subprocess, tempfile, textwrap, timeit, typing, unittest, urllib.parse, weakref, xml.etree.ElementTree, zipfile, zlib, zoneinfo
def solve(): return hashlib.sha256(b'').hexdigest().startswith('e3b0')`,
  };
  for (const [name, source] of Object.entries(habits)) {
    for (const profile of ['STRICT', 'EXTENDED'] as const)
      it(`JDG-11 ${name}: SUCCESS under ${profile}`, async () => {
        const verdict = await judge.run({
          artifact: { language: 'python', source },
          suite: { ...honestSuite, profile },
        });
        expect(
          verdict.outcome,
          `${verdict.summary} ${JSON.stringify([verdict.tests, verdict.violations])}`,
        ).toBe('SUCCESS');
      });
  }

  for (const [name, attempt] of Object.entries({
    setsid: 'os.setsid()',
    setpgid: 'os.setpgid(0, 0)',
    chown: "os.chown('/box', 1, 1)",
    setxattr: "os.setxattr('/box', 'user.x', b'1')",
  })) {
    it(`JDG-11 ${name} is nothing that a program does in passing`, async () => {
      const source = `import os\ndef solve():\n    try: ${attempt}\n    except OSError: pass\n    return True`;
      const verdict = await judge.run({ artifact: { language: 'python', source }, suite: honestSuite });
      expect(verdict.outcome, verdict.summary).toBe('SECURITY_VIOLATION');
    });
  }
});
