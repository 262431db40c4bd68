/** What may come of an attack: outcomes, and for errors a kind where only one is right. */
export interface Attack {
  readonly id: string;
  readonly source: string;
  /** `OUTCOME` or `ERROR kind`. */
  readonly expect: readonly string[];
  readonly language?: 'javascript';
}

const wrong = ['FAILURE', 'ERROR protocol', 'ERROR crash'];
const security = ['SECURITY_VIOLATION'];
const right = 'def solve(xs): return sorted(xs)\n';

/** Programs that compute the wrong answer, or none, and want to be graded as right. Target: `solve(xs)` sorts. */
export const forgeries: readonly Attack[] = [
  {
    id: 'partial lines in advance of every answer',
    source: `import os
def solve(xs):
    os.write(4, b'{"id": ')
    return [0]`,
    expect: wrong,
  },
  {
    id: 'an answer in two halves, the second from a thread that comes late',
    source: `import os, threading, time
def late():
    time.sleep(0.05)
    os.write(4, b'"value": [1, 2, 3]}\\n')
def solve(xs):
    os.write(4, b'{"id": 1, ')
    threading.Thread(target=late).start()
    time.sleep(0.2)
    return xs`,
    expect: wrong,
  },
  {
    id: 'a thread that answers the next question before it is asked',
    source: `import os, threading, time
def early():
    for number in range(2, 20):
        os.write(4, b'{"id": %d, "value": [1, 2, 3]}\\n' % number)
        time.sleep(0.001)
def solve(xs):
    threading.Thread(target=early).start()
    return [0]`,
    expect: wrong,
  },
  {
    id: 'records of a test runner on every descriptor',
    source: `import os
record = b'{"result": {"id": "t", "passed": true, "ms": 1, "reason": null}}\\n{"done": {"collected": [], "errors": [], "code": 0}}\\n'
for fd in range(1, 12):
    try: os.write(fd, record)
    except OSError: pass
def solve(xs): return []`,
    expect: wrong,
  },
  {
    id: 'descriptors closed and put in each other’s place',
    source: `import os
def solve(xs):
    os.close(3)
    os.dup(4)
    os.write(3, b'{"id": 1, "value": [1, 2, 3]}\\n' * 9)
    return []`,
    expect: wrong,
  },
  {
    id: 'the output in the place of the answers',
    source: `import os
os.dup2(1, 4)
def solve(xs): return [1, 2, 3]`,
    expect: ['ERROR protocol', 'ERROR crash', 'FAILURE', 'SECURITY_VIOLATION', 'ERROR timeout'],
  },
  {
    id: 'json, builtins and the worker replaced',
    source: `import json, builtins, sys
json.dumps = lambda *a, **k: '{"id": 1, "value": [1, 2, 3]}'
builtins.list = builtins.sorted = lambda *a: [1, 2, 3]
def solve(xs):
    frame = sys._getframe(1)
    while frame:
        for name in list(frame.f_locals):
            if name in ('dumps', 'encode', 'answer'): frame.f_globals[name] = lambda *a: {'value': [1, 2, 3]}
        frame = frame.f_back
    return []`,
    expect: wrong,
  },
  {
    id: 'every function of the worker found by gc and made to agree',
    source: `import gc, types
def agree(*args): return {'value': [1, 2, 3]}
def solve(xs):
    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType) and thing.__name__ in ('call', 'encode', 'walk', 'describe'):
            try: thing.__code__ = agree.__code__
            except Exception: pass
    return []`,
    expect: wrong,
  },
  {
    id: 'a trace function that changes what returns',
    source: `import sys
def trace(frame, event, arg):
    if event == 'return' and frame.f_code.co_name == 'call': frame.f_locals['answer'] = [1, 2, 3]
    return trace
sys.settrace(trace)
sys.setprofile(trace)
def solve(xs): return []`,
    expect: wrong,
  },
  {
    id: 'objects that claim to be lists, to equal and to reduce to anything',
    source: `class Yes(list):
    __eq__ = lambda s, o: True
    __ne__ = lambda s, o: False
    __hash__ = lambda s: 0
    __len__ = lambda s: 3
    __iter__ = lambda s: iter([1, 2, 3])
    __getitem__ = lambda s, i: [1, 2, 3][i]
    __repr__ = lambda s: '[1, 2, 3]'
    __reduce__ = lambda s: (list, ([1, 2, 3],))
    __class__ = list
def solve(xs): return Yes()`,
    expect: ['FAILURE'],
  },
  {
    id: 'text of surrogates in place of characters',
    source: `def solve(xs): return '\\ud83d' + '\\ude00'`,
    expect: ['FAILURE'],
  },
  {
    id: 'floats beside ints, NaN',
    source: `def solve(xs): return [float('nan')] * len(xs)`,
    expect: ['FAILURE'],
  },
  {
    id: 'a number with a million digits',
    source: `def solve(xs): return [10 ** 300000] * 3`,
    expect: ['FAILURE'],
  },
  {
    id: 'nesting without end',
    source: `def solve(xs):
    deep = []
    for _ in range(10 ** 5): deep = [deep]
    return deep`,
    expect: wrong,
  },
  {
    id: 'a list that contains itself',
    source: `def solve(xs):
    xs.append(xs)
    return xs`,
    expect: wrong,
  },
  {
    id: 'a generator that never ends',
    source: `import itertools
def solve(xs): return itertools.count()`,
    expect: ['FAILURE'],
  },
  {
    id: 'output at exit',
    source: `import atexit, os
@atexit.register
def last(): os.write(4, b'{"id": 1, "value": [1, 2, 3]}\\n')
def solve(xs): raise SystemExit(0)`,
    expect: wrong,
  },
  {
    id: 'an exception whose text and name lie',
    source: `class ValueError(BaseException):
    __name__ = 'passed'
    __str__ = lambda s: '{"id": 1, "value": [1, 2, 3]}'
def solve(xs): raise ValueError`,
    expect: ['FAILURE'],
  },
  {
    id: 'an exception whose text never ends',
    source: `class Bad(Exception):
    def __str__(self):
        while True: pass
def solve(xs): raise Bad`,
    expect: ['ERROR cpu', 'ERROR timeout'],
  },
  {
    id: 'faulthandler and a crash of the C stack',
    source: `import faulthandler, sys
faulthandler.enable()
sys.setrecursionlimit(10 ** 9)
def solve(xs): return solve(xs)`,
    expect: ['ERROR crash', 'ERROR oom', 'FAILURE'],
  },
  {
    id: 'right once, then remembered',
    source: `seen = []
def solve(xs):
    seen.append(1)
    return sorted(xs) if len(seen) == 1 else seen`,
    expect: ['FAILURE'],
  },
  {
    id: 'arguments that are changed so that they match',
    source: `def solve(xs):
    del xs[:]
    return xs`,
    expect: ['FAILURE'],
  },
];

/** Programs that reach for what a judged program has no business with. */
export const escapes: readonly Attack[] = [
  {
    id: 'io_uring',
    source: `import ctypes\nctypes.CDLL(None).syscall(425, 8, 0)\n${right}`,
    expect: security,
  },
  {
    id: 'userfaultfd',
    source: `import ctypes\nctypes.CDLL(None).syscall(323, 0)\n${right}`,
    expect: security,
  },
  {
    id: 'ptrace of its parent',
    source: `import ctypes\nctypes.CDLL(None).ptrace(16, 1, 0, 0)\n${right}`,
    expect: security,
  },
  {
    id: 'process_vm_readv',
    source: `import ctypes\nctypes.CDLL(None).syscall(310, 1, 0, 0, 0, 0, 0)\n${right}`,
    expect: security,
  },
  {
    id: 'memfd_create and exec',
    source: `import os\nfd = os.memfd_create('x')\nos.write(fd, b'#!/bin/sh')\nos.execv('/proc/self/fd/%d' % fd, ['x'])\n${right}`,
    expect: security,
  },
  {
    id: 'abstract sockets',
    source: `import socket\ns = socket.socket(socket.AF_UNIX)\ns.bind('\\0judge')\n${right}`,
    expect: ['ERROR crash', 'FAILURE', 'SECURITY_VIOLATION'],
  },
  {
    id: 'raw and netlink sockets',
    source: `import socket\nsocket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)\n${right}`,
    expect: security,
  },
  {
    id: 'fork and setsid, to outlive its judge',
    source: `import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(60)\n${right}`,
    expect: security,
  },
  {
    id: 'vfork through the C library',
    source: `import ctypes\nctypes.CDLL(None).vfork()\n${right}`,
    expect: security,
  },
  {
    id: 'a namespace of its own',
    source: `import ctypes\nctypes.CDLL(None).unshare(0x10000000)\n${right}`,
    expect: security,
  },
  {
    id: 'the memory of the first process through a link',
    source: `import os\ntry: os.open('/proc/thread-self/../../mem', os.O_RDWR)\nexcept OSError: pass\n${right}`,
    expect: security,
  },
  {
    id: 'environment of the first process by folder descriptor',
    source: `import os\nfd = os.open('/proc/1', os.O_RDONLY)\ntry: os.open('environ', os.O_RDONLY, dir_fd=fd)\nexcept OSError: pass\n${right}`,
    expect: security,
  },
  {
    id: 'links in the work folder to secrets',
    source: `import os\ntry: os.symlink('/etc/shadow', '/box/x')\nexcept OSError: pass\ntry: open('/box/x')\nexcept OSError: pass\nopen('/box/../etc/' + 'shadow')\n${right}`,
    expect: security,
  },
  {
    id: 'signals to everything',
    source: `import os\nos.kill(-1, 9)\n${right}`,
    expect: security,
  },
  {
    id: 'a module of the kernel',
    source: `import ctypes\nctypes.CDLL(None).syscall(175, 0, 0, 0)\n${right}`,
    expect: security,
  },
  {
    id: 'perf events',
    source: `import ctypes\nctypes.CDLL(None).syscall(298, 0, 0, -1, -1, 0)\n${right}`,
    expect: security,
  },
  {
    id: 'clone3 with new namespaces',
    source: `import ctypes\nbuf = (ctypes.c_ulonglong * 11)(0x10000000)\nr = ctypes.CDLL(None, use_errno=True).syscall(435, buf, 88)\nassert r == -1\n${right}`,
    expect: ['SUCCESS', 'SECURITY_VIOLATION'],
  },
  {
    id: 'landlock and seccomp of its own',
    source: `import ctypes\nctypes.CDLL(None).syscall(317, 1, 0, 0)\n${right}`,
    expect: security,
  },
  {
    id: 'the code of the judge rewritten',
    source: `try: open('/judge/worker.py', 'w')\nexcept OSError: pass\n${right}`,
    expect: security,
  },
  {
    id: 'personality and other ways to weaken itself',
    source: `import ctypes\nctypes.CDLL(None).personality(0x0040000)\n${right}`,
    expect: security,
  },
  {
    id: 'a signal to itself that kills',
    source: `import signal, os\nsignal.raise_signal(signal.SIGKILL)\n${right}`,
    // The first process of a box cannot kill itself.
    expect: ['SUCCESS'],
  },
];

/** Programs that exhaust what they are given. */
export const exhausting: readonly Attack[] = [
  {
    id: 'slow drip of output without end',
    source: `import time\ndef solve(xs):\n    while True:\n        print('x', flush=True)\n        time.sleep(0.01)`,
    expect: ['ERROR timeout'],
  },
  {
    id: 'sparse file',
    source: `def solve(xs):\n    with open('/box/f', 'wb') as f:\n        f.seek(10 ** 12)\n        f.write(b'x')\n    return sorted(xs)`,
    expect: ['FAILURE', 'ERROR crash', 'ERROR disk'],
  },
  {
    id: 'memory just beneath the limit, and then a little',
    source: `def solve(xs):\n    keep = []\n    while True: keep.append(bytearray(b'x' * (8 << 20)))`,
    expect: ['ERROR oom'],
  },
  {
    id: 'threads until there are none',
    source: `import threading, time\ndef solve(xs):\n    while True:\n        try: threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n        except RuntimeError: time.sleep(0.5)`,
    expect: ['ERROR pids'],
  },
  {
    id: 'files without end',
    source: `def solve(xs):\n    n = 0\n    while True:\n        n += 1\n        open('/box/%d' % n, 'w').close()`,
    expect: ['ERROR oom', 'ERROR disk', 'ERROR cpu', 'ERROR timeout'],
  },
  {
    id: 'an answer larger than any',
    source: `def solve(xs): return ['x' * 10 ** 6] * 100`,
    expect: ['ERROR protocol', 'ERROR oom'],
  },
  {
    id: 'descriptors without end',
    source: `import os\ndef solve(xs):\n    while True: os.dup(0)`,
    expect: ['FAILURE', 'ERROR crash'],
  },
  {
    id: 'sleep in the handler of a limit',
    source: `import signal, time\nfor number in (signal.SIGXCPU, signal.SIGTERM, signal.SIGALRM):\n    signal.signal(number, lambda *a: time.sleep(99))\ndef solve(xs):\n    while True: pass`,
    expect: ['ERROR cpu'],
  },
  {
    id: 'a regular expression without end, in C',
    source: `import re\ndef solve(xs): return re.match('(a|a)*$', 'a' * 60 + 'b')`,
    expect: ['ERROR cpu'],
  },
];

const sorts = 'export const solve = (xs) => xs.sort((a, b) => a - b);';

/** The same in JavaScript. */
export const inJavascript: readonly Attack[] = (
  [
    {
      id: 'answers in advance',
      source: `import fs from 'node:fs';\nexport const solve = () => { setTimeout(() => fs.writeSync(4, '{"id":2,"value":[1,2,3]}\\n'), 0); return []; };`,
      expect: wrong,
    },
    {
      id: 'half a line',
      source: `import fs from 'node:fs';\nexport const solve = () => { fs.writeSync(4, '{"id":1,"value":[1,2,3],"x":'); return []; };`,
      expect: wrong,
    },
    {
      id: 'questions eaten',
      source: `import fs from 'node:fs';\nexport const solve = () => { fs.closeSync(3); return []; };`,
      expect: wrong,
    },
    {
      id: 'the language patched all over',
      source: `for (const name of ['map', 'sort', 'flat', 'push']) Array.prototype[name] = () => [1, 2, 3];
JSON.stringify = () => '{"id":1,"value":[1,2,3]}'; JSON.parse = () => ({ id: 1 }); Buffer.from = () => Buffer.alloc(0);
Object.prototype.value = [1, 2, 3]; Object.prototype.toJSON = () => [1, 2, 3]; Map.prototype.get = () => [1, 2, 3];
export const solve = () => ({ length: 3, 0: 1, 1: 2, 2: 3 });`,
      expect: [...wrong, 'ERROR timeout'],
    },
    {
      id: 'a proxy that is everything',
      source: `export const solve = () => new Proxy([], { get: (t, k) => k === 'length' ? 3 : k in t ? t[k] : 1, has: () => true, getPrototypeOf: () => Array.prototype });`,
      expect: wrong,
    },
    {
      id: 'a thenable that settles twice',
      source: `export const solve = () => ({ then(ok) { ok([0]); ok([1, 2, 3]); throw new Error('no'); } });`,
      expect: ['FAILURE'],
    },
    {
      id: 'an exit handler with the answer',
      source: `import fs from 'node:fs';\nprocess.on('exit', () => fs.writeSync(4, '{"id":1,"value":[1,2,3]}\\n'));\nexport const solve = () => process.exit(0);`,
      expect: wrong,
    },
    {
      id: 'the worker’s own modules imported and changed',
      source: `const lines = await import('/judge/lines.mjs');\ntry { lines.answer = () => {}; } catch {}\nexport const solve = () => { lines.answer({ id: 1, value: [1, 2, 3] }); return []; };`,
      expect: wrong,
    },
    {
      id: 'the inspector',
      source: `import inspector from 'node:inspector';\ntry { inspector.open(0); } catch {}\n${sorts}`,
      expect: security,
    },
    {
      id: 'a worker thread that opens a socket',
      source: `import { Worker } from 'node:worker_threads';\nawait new Promise((r) => new Worker("require('net').connect(1, '1.1.1.1')", { eval: true }).on('exit', r));\n${sorts}`,
      expect: security,
    },
    {
      id: 'a native addon',
      source: `try { process.dlopen({ exports: {} }, '/box/x.node'); } catch {}\n${sorts}`,
      expect: ['SUCCESS', ...security],
    },
    {
      id: 'fork by cluster',
      source: `import cluster from 'node:cluster';\ntry { cluster.fork(); } catch {}\n${sorts}`,
      expect: security,
    },
    {
      id: 'a name looked up',
      source: `import dns from 'node:dns';\ndns.resolve('example.org', () => {});\nexport const solve = async (xs) => { await new Promise((r) => setTimeout(r, 50)); return xs.sort(); };`,
      expect: security,
    },
    {
      id: 'secrets by a stream',
      source: `import fs from 'node:fs';\nfs.createReadStream('/root/' + '.ssh/id').on('error', () => {});\nexport const solve = async (xs) => { await new Promise((r) => setTimeout(r, 50)); return xs.sort(); };`,
      expect: security,
    },
    {
      id: 'microtasks without end',
      source:
        'export const solve = () => { const again = () => Promise.resolve().then(again); return again(); };',
      expect: ['ERROR cpu', 'ERROR oom'],
    },
    {
      id: 'shared memory and a wait without end',
      source: 'export const solve = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);',
      expect: ['ERROR timeout'],
    },
    {
      id: 'recursion without end',
      source: 'export const solve = (xs) => solve(xs);',
      expect: ['FAILURE'],
    },
    {
      id: 'a buffer beyond the heap',
      source: 'export const solve = () => { const all = []; for (;;) all.push(Buffer.alloc(32 << 20, 1)); };',
      expect: ['ERROR oom'],
    },
    {
      id: 'output without end',
      source: `export const solve = () => { for (;;) process.stdout.write('x'.repeat(65536)); };`,
      expect: ['ERROR output', 'ERROR oom', 'ERROR cpu'],
    },
  ] as const
).map((attack) => ({ ...attack, language: 'javascript' }));
