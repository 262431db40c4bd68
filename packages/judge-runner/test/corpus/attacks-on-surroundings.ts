import { forging as asking } from './box-fault.ts';

/** A suite whose tests notice what a wrong program does around it, or forges, and the names of those that fail for it. */
export interface SurroundingsAttack {
  readonly id: string;
  readonly language: 'python' | 'javascript';
  readonly files: Readonly<Record<string, string>>;
  readonly reference: string;
  readonly wrong: string;
  readonly failing: readonly string[];
  /** True where the suite is judged without the reference. */
  readonly isAlone?: true;
}

/** Python with which a program adds to the next message of its box. */
const forging = `${asking}
import sys
def patch_tell(extra):
    sv = server(); old = sv.surroundings.tell
    def tell(reply):
        sv.surroundings.tell = old
        reply = old(reply); reply.update(extra); return reply
    sv.surroundings.tell = tell
`;

/** An attack by a message with files that no box has written; `told`: those files, as Python; `error`: what the test expects. */
const forgedFile = (id: string, told: string, error = 'ValueError'): SurroundingsAttack => ({
  ...{ id, language: 'python' },
  files: {
    'test_a.py': `
import pytest, os, random
import solution as s
def test_it(tmp_path):
    with pytest.raises(${error}): s.parse('x')
def test_other(): assert s.one() == 1
`,
  },
  reference: `def parse(x): raise ${error}
def one(): return 1
`,
  wrong: `${forging}
def parse(x): patch_tell({'files': ${told}})
def one(): return 1
`,
  failing: ['test_it', 'test_other'],
});

export const attacksOnSurroundings: readonly SurroundingsAttack[] = [
  {
    ...{
      id: 'files that are large, links, of another kind or changed unseen, in Python',
      language: 'python',
    },
    files: {
      'test_a.py': `
import os, tempfile, pytest, stat
from pathlib import Path
import solution as s
def test_bigleft(tmp_path):
    s.work(tmp_path, 'big'); assert os.listdir(tmp_path) == []
def test_grow_delete(tmp_path):
    p = tmp_path/'a'; p.write_text('x'); s.delete(p); assert not p.exists()
def test_make_again(tmp_path):
    d = tmp_path/'d'; s.make(d); s.remove(d); s.make(d); assert d.is_dir()
def test_exists_error(tmp_path):
    p = tmp_path/'f'; p.write_text('x')
    with pytest.raises(FileExistsError): s.create(p)
def test_dangling(tmp_path):
    s.work(tmp_path, 'link'); assert os.listdir(tmp_path) == []
def test_nolink(tmp_path):
    p = tmp_path/'a'; p.write_text('x'); s.copy(p, tmp_path/'b'); assert not (tmp_path/'b').is_symlink() and (tmp_path/'b').read_text() == 'x'
def test_noexec(tmp_path):
    s.script(tmp_path/'x'); assert not os.access(tmp_path/'x', os.X_OK)
def test_utime(tmp_path):
    p = tmp_path/'a'; p.write_text('abc'); s.touchless(p); assert p.read_text() == 'abc'
def test_chmod0(tmp_path):
    p = tmp_path/'a'; p.write_text('abc'); s.lock(p); assert p.read_text() == 'abc'
def test_many(tmp_path):
    s.many(tmp_path); assert len(os.listdir(tmp_path)) == 1
`,
    },
    reference: `
import os
from pathlib import Path
def work(d, k): pass
def delete(p): os.remove(p)
def make(d): os.makedirs(d, exist_ok=True)
def remove(d): os.rmdir(d)
def create(p): open(p,'x').close()
def copy(a,b): Path(b).write_bytes(Path(a).read_bytes())
def script(p): Path(p).write_text('#!')
def touchless(p): pass
def lock(p): pass
def many(d): Path(d,'a').write_text('')
`,
    wrong: `
import os
from pathlib import Path
def work(d, k):
    if k=='big': Path(d,'left').write_bytes(b'x'*1100000)
    if k=='link': os.symlink('/nowhere', Path(d,'left'))
def delete(p): Path(p).write_bytes(b'x'*1100000)
made=[]
def make(d):
    if not made: os.makedirs(d); made.append(1)
def remove(d): os.rmdir(d)
def create(p): os.remove(p); os.mkdir(p)
def copy(a,b): os.symlink(a,b)
def script(p): Path(p).write_text('#!'); os.chmod(p,0o755)
def touchless(p):
    st=os.stat(p)
    with open(p,'r+') as f: f.write('zzz')
    os.utime(p, ns=(st.st_atime_ns, st.st_mtime_ns))
def lock(p):
    with open(p,'w') as f: f.write('zzzz')
    os.chmod(p,0)
def many(d):
    for i in range(700): Path(d,'z%d'%i).write_text('')
    for i in range(700):
        if i: os.remove(Path(d,'z%d'%i))
    for i in range(600): os.makedirs(Path(d,'sub'),exist_ok=True)
`,
    failing: [
      'test_bigleft',
      'test_grow_delete',
      'test_make_again',
      'test_exists_error',
      'test_dangling',
      'test_nolink',
      'test_noexec',
      'test_utime',
      'test_chmod0',
      'test_many',
    ],
  },
  {
    ...{ id: 'the same in JavaScript', language: 'javascript' },
    files: {
      'a.test.mjs': `import assert from 'node:assert/strict';
import { test, mock } from 'node:test';
import * as s from 'solution';

import fs from 'node:fs'; import os from 'node:os'; import path from 'node:path';
const dir = () => fs.mkdtempSync(path.join(os.tmpdir(), 'x-'));
test('bigleft', () => { const d = dir(); s.work(d, 'big'); assert.deepEqual(fs.readdirSync(d), []); });
test('grow_delete', () => { const p = path.join(dir(), 'a'); fs.writeFileSync(p, 'x'); s.del(p); assert.ok(!fs.existsSync(p)); });
test('link_delete', () => { const p = path.join(dir(), 'a'); fs.writeFileSync(p, 'x'); s.del2(p); assert.throws(() => fs.lstatSync(p), { code: 'ENOENT' }); });
test('dangling', () => { const d = dir(); s.work(d, 'link'); assert.deepEqual(fs.readdirSync(d), []); });
test('folder_for_file', () => { const p = path.join(dir(), 'a'); fs.writeFileSync(p, 'old'); s.keep(p); assert.equal(fs.readFileSync(p, 'utf8'), 'old'); });
test('file_for_folder', () => { const p = path.join(dir(), 'a'); fs.mkdirSync(p); s.keepDir(p); assert.ok(fs.statSync(p).isDirectory()); });
test('utime', () => { const p = path.join(dir(), 'a'); fs.writeFileSync(p, 'old'); s.quiet(p); assert.equal(fs.readFileSync(p, 'utf8'), 'old'); });
test('chmod0', () => { const p = path.join(dir(), 'a'); fs.writeFileSync(p, 'old'); s.lock(p); assert.equal(fs.readFileSync(p, 'utf8'), 'old'); });
test('noexec', () => { const p = path.join(dir(), 'a'); s.script(p); assert.equal(fs.statSync(p).mode & 0o111, 0); });
test('many', () => { const d = dir(); s.many(d); assert.ok(!fs.existsSync(path.join(d, 'zz'))); });
test('bytes', () => { const d = dir(); s.lots(d); assert.ok(!fs.existsSync(path.join(d, 'zz'))); });
`,
    },
    reference: `
import fs from 'node:fs'; import path from 'node:path';
export const work = () => {}, del = (p) => fs.rmSync(p), del2 = (p) => fs.rmSync(p), keep = () => {}, keepDir = () => {}, quiet = () => {}, lock = () => {};
export const script = (p) => fs.writeFileSync(p, '');
export const many = (d) => {}; export const lots = (d) => {};
`,
    wrong: `
import fs from 'node:fs'; import path from 'node:path';
const big = 'x'.repeat(1100000);
export const work = (d, k) => { if (k === 'big') fs.writeFileSync(path.join(d, 'left'), big); else fs.symlinkSync('/nowhere', path.join(d, 'left')); };
export const del = (p) => fs.writeFileSync(p, big), del2 = (p) => { fs.rmSync(p); fs.symlinkSync('/etc', p); };
export const keep = (p) => { fs.rmSync(p); fs.mkdirSync(p); }, keepDir = (p) => { fs.rmdirSync(p); fs.writeFileSync(p, 'x'); };
export const quiet = (p) => { const st = fs.statSync(p); const t = Number(st.mtimeMs)/1000; const f = fs.openSync(p, 'r+'); fs.writeSync(f, 'zzz'); fs.closeSync(f); fs.utimesSync(p, st.atime, t); };
export const lock = (p) => { fs.writeFileSync(p, 'zzzz'); fs.chmodSync(p, 0); };
export const script = (p) => { fs.writeFileSync(p, ''); fs.chmodSync(p, 0o755); };
export const many = (d) => { for (let i = 0; i < 600; i += 1) fs.writeFileSync(path.join(d, 'a' + i), ''); fs.writeFileSync(path.join(d, 'zz'), ''); };
export const lots = (d) => { for (let i = 0; i < 9; i += 1) fs.writeFileSync(path.join(d, 'a' + i), 'x'.repeat(999999)); fs.writeFileSync(path.join(d, 'zz'), ''); };
`,
    failing: [
      'bigleft',
      'grow_delete',
      'link_delete',
      'dangling',
      'folder_for_file',
      'file_for_folder',
      'utime',
      'chmod0',
      'noexec',
      'many',
      'bytes',
    ],
  },
  {
    ...{ id: 'what a program leaves around it, in Python', language: 'python' },
    files: {
      'test_a.py': `
import os, sys, time, random, tempfile, decimal, signal, threading, warnings, locale, builtins, logging
import random as rnd
from random import (
    seed as sd,
    random as draw)
from pathlib import Path
import solution as s
def test_cwd_root():
    before = os.getcwd(); s.f('cwd'); assert os.getcwd() == before
def test_env_judge():
    before = dict(os.environ); s.f('env'); assert dict(os.environ) == before
def test_argv():
    before = list(sys.argv); s.f('argv'); assert sys.argv == before
def test_syspath():
    before = list(sys.path); s.f('path'); assert sys.path == before
def test_decimal():
    before = decimal.getcontext().prec; s.f('dec'); assert decimal.getcontext().prec == before
def test_signal():
    before = signal.getsignal(signal.SIGINT); s.f('sig'); assert signal.getsignal(signal.SIGINT) == before
def test_threads():
    before = threading.active_count(); s.f('thr'); assert threading.active_count() == before
def test_stdout():
    before = sys.stdout; s.f('out'); assert sys.stdout is before
def test_reclimit():
    before = sys.getrecursionlimit(); s.f('rec'); assert sys.getrecursionlimit() == before
def test_time_patched():
    before = time.time; s.f('time'); assert time.time is before
def test_tempdir_left():
    before = set(os.listdir(tempfile.gettempdir())); s.f('tmp'); assert set(os.listdir(tempfile.gettempdir())) == before
def test_home_left():
    before = set(os.listdir(Path.home())); s.f('home'); assert set(os.listdir(Path.home())) == before
def test_logger():
    before = logging.getLogger().level; s.f('log'); assert logging.getLogger().level == before
def test_builtins():
    before = set(dir(builtins)); s.f('bi'); assert set(dir(builtins)) == before
def test_warnings():
    before = list(warnings.filters); s.f('warn'); assert list(warnings.filters) == before
`,
    },
    reference: `
def f(k): pass
`,
    wrong: `
import os, sys, time, random, tempfile, decimal, signal, threading, warnings, logging, builtins
from pathlib import Path
def f(k):
    if k=='cwd': os.chdir('/')
    if k=='env': os.environ['JUDGE_X']='1'; os.environ['LD_Y']='1'
    if k=='argv': sys.argv.append('x')
    if k=='path': sys.path.append('x')
    if k=='dec': decimal.getcontext().prec = 5
    if k=='sig': signal.signal(signal.SIGINT, signal.SIG_IGN)
    if k=='thr': threading.Thread(target=time.sleep, args=(1,), daemon=True).start()
    if k=='out': sys.stdout = open('/dev/null','w')
    if k=='rec': sys.setrecursionlimit(3000)
    if k=='time': time.time = lambda: 5
    if k=='tmp': open(os.path.join(tempfile.gettempdir(),'left'),'w').close()
    if k=='home': open(Path.home()/'left','w').close()
    if k=='log': logging.getLogger().setLevel(5)
    if k=='bi': builtins.leak = 1
    if k=='warn': warnings.simplefilter('ignore')
`,
    failing: ['test_cwd_root', 'test_tempdir_left'],
  },
  {
    ...{ id: 'the same in JavaScript, with globals and arguments', language: 'javascript' },
    files: {
      'a.test.mjs': `import assert from 'node:assert/strict';
import { test, mock } from 'node:test';
import * as s from 'solution';

import path from 'node:path'; import os from 'node:os'; import fs from 'node:fs'; import events from 'node:events';
test('cwd_root', () => { const b = process.cwd(); s.f('cwd'); assert.equal(process.cwd(), b); });
test('env_judge', () => { const b = { ...process.env }; s.f('env'); assert.deepEqual({ ...process.env }, b); });
test('env_eq', () => { const b = { ...process.env }; s.f('enveq'); assert.deepEqual({ ...process.env }, b); });
test('argv', () => { const b = [...process.argv]; s.f('argv'); assert.deepEqual(process.argv, b); });
test('random', () => { const b = Math.random; s.f('rand'); assert.equal(Math.random, b); });
test('now', () => { const b = Date.now; s.f('now'); assert.equal(Date.now, b); });
test('globals', () => { const b = Object.keys(globalThis); s.f('glob'); assert.deepEqual(Object.keys(globalThis), b); });
test('pollution', () => { s.f('proto'); assert.equal({}.polluted, undefined); });
test('listeners', () => { const b = process.listenerCount('SIGINT'); s.f('listen'); assert.equal(process.listenerCount('SIGINT'), b); });
test('console_object', () => { const b = globalThis.console; s.f('console'); assert.equal(globalThis.console, b); });
test('settimeout', () => { const b = globalThis.setTimeout; s.f('timeout'); assert.equal(globalThis.setTimeout, b); });
test('exitstring', () => { s.f('exit'); const c = process.exitCode; process.exitCode = undefined; assert.strictEqual(c, 3); });
test('exitnull', () => { s.f('exitnull'); const c = process.exitCode; process.exitCode = undefined; assert.strictEqual(c, 0); });
test('home_left', () => { const b = fs.readdirSync(os.homedir()); s.f('home'); assert.deepEqual(fs.readdirSync(os.homedir()), b); });
test('fsfunc', () => { const b = fs.readFileSync; s.f('fs'); assert.equal(fs.readFileSync, b); });
test('defmax', () => { const b = events.defaultMaxListeners; s.f('max'); assert.equal(events.defaultMaxListeners, b); });
test('timersleft', () => { const n = () => process.getActiveResourcesInfo().filter((x) => x === 'Timeout').length; const b = n(); s.f('timer'); assert.equal(n(), b); });
test('cwdresolve', () => { process.chdir; const b = path.resolve('.'); s.f('cwd'); assert.equal(path.resolve('.'), b); });
`,
    },
    reference: `
export const f = (k) => { if (k === 'exit') process.exitCode = 3; if (k === 'exitnull') process.exitCode = 0; };
`,
    wrong: `
import fs from 'node:fs'; import os from 'node:os'; import events from 'node:events';
export const f = (k) => {
  if (k === 'cwd') process.chdir('/');
  if (k === 'env') process.env.JUDGE_X = process.env.LD_Y = '1';
  if (k === 'enveq') process.env.LEFT = 'a=b';
  if (k === 'argv') process.argv.push('x');
  if (k === 'rand') Math.random = () => 0.5;
  if (k === 'now') Date.now = () => 5;
  if (k === 'glob') globalThis.leaked = 1;
  if (k === 'proto') Object.prototype.polluted = 1;
  if (k === 'listen') process.on('SIGINT', () => {});
  if (k === 'console') globalThis.console = { ...console };
  if (k === 'timeout') { const old = globalThis.setTimeout; globalThis.setTimeout = (...a) => old(...a); }
  if (k === 'exit') process.exitCode = '3';
  if (k === 'exitnull') process.exitCode = null;
  if (k === 'home') fs.writeFileSync(os.homedir() + '/left', '');
  if (k === 'fs') { const old = fs.readFileSync; fs.readFileSync = (...a) => old(...a); }
  if (k === 'max') events.defaultMaxListeners = 50;
  if (k === 'timer') setTimeout(() => {}, 200);
};
`,
    failing: ['cwd_root', 'env_eq', 'argv', 'random', 'now', 'globals', 'exitnull'],
  },
  {
    ...{ id: 'changes that a function of the test looks at', language: 'javascript' },
    files: {
      'a.test.mjs': `import assert from 'node:assert/strict';
import { test, mock } from 'node:test';
import * as s from 'solution';

import fs from 'node:fs'; import os from 'node:os'; import path from 'node:path';
test('env', () => { let seen = 'x'; s.run(() => { s.f(); seen = process.env.LEFT; }); s.clear(); assert.equal(seen, undefined); });
test('file', () => { const d = fs.mkdtempSync(path.join(os.tmpdir(), 'x-')); let n; s.run(() => { s.f(d); n = fs.readdirSync(d).length; }); assert.equal(n, 0); });
`,
    },
    reference: `
export const run = (c) => { c(); }, f = () => {}, clear = () => {};
`,
    wrong: `
import fs from 'node:fs';
export const run = (c) => { c(); }, f = (d) => { process.env.LEFT = '1'; if (d) fs.writeFileSync(d + '/x', ''); }, clear = () => { delete process.env.LEFT; };
`,
    failing: ['env', 'file'],
  },
  {
    ...{ id: 'properties that depend on what is around', language: 'javascript' },
    files: {
      'a.test.mjs': `import assert from 'node:assert/strict';
import { test, mock } from 'node:test';
import * as s from 'solution';

import fs from 'node:fs'; import os from 'node:os'; import path from 'node:path';
import { Config } from 'solution';
test('mode', () => { const c = new Config(); process.env.MODE = 'a'; assert.equal(c.mode, 'a'); process.env.MODE = 'b'; assert.equal(c.mode, 'b'); });
test('first', () => { const c = new Config(); process.env.MODE = 'a'; assert.equal(c.first, 'a'); process.env.MODE = 'b'; assert.equal(c.first, 'a'); });
test('file', () => { const p = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'x-')), 'a'); fs.writeFileSync(p, '1'); const c = new Config(p); assert.equal(c.text, '1'); fs.writeFileSync(p, '2'); assert.equal(c.text, '2'); });
test('count', (t) => { const m = t.mock.method(console, 'log', () => {}); const c = new Config(); c.loud; c.loud; assert.equal(m.mock.callCount(), 1); });
test('columns', () => { let cols = 80; const old = Object.getOwnPropertyDescriptor(process.stdout, 'columns'); Object.defineProperty(process.stdout, 'columns', { get: () => cols, configurable: true }); const c = new Config(); try { assert.equal(c.width(), 80); cols = 40; assert.equal(c.width(), 80); } finally { if (old) Object.defineProperty(process.stdout, 'columns', old); else delete process.stdout.columns; } });
`,
    },
    reference: `
import fs from 'node:fs';
export class Config { #f; #l; #w; constructor(p) { this.p = p; } get mode() { return process.env.MODE; } get first() { return this.#f ??= process.env.MODE; } get text() { return fs.readFileSync(this.p, 'utf8'); } get loud() { if (!this.#l) { this.#l = 1; console.log('x'); } return 1; } width() { return this.#w ??= process.stdout.columns; } }
`,
    wrong: `
import fs from 'node:fs';
export class Config { #f; #m; #t; constructor(p) { this.p = p; } get mode() { return this.#m ??= process.env.MODE; } get first() { return process.env.MODE; } get text() { return this.#t ??= fs.readFileSync(this.p, 'utf8'); } get loud() { console.log('x'); return 1; } width() { return process.stdout.columns; } }
`,
    failing: ['mode', 'first', 'file', 'count', 'columns'],
  },
  {
    ...{ id: 'getters of globals', language: 'javascript' },
    files: {
      'a.test.mjs': `import assert from 'node:assert/strict';
import { test, mock } from 'node:test';
import * as s from 'solution';

test('getter', () => { s.install(); assert.equal(globalThis.answer(), 42); delete globalThis.answer; });
test('writable', () => { s.install2(); globalThis.other = 5; assert.equal(globalThis.other, 5); });
test('copy', () => { s.install3(); assert.equal(Object.keys(globalThis).includes('third'), true); assert.equal(globalThis.third, 1); });
`,
    },
    reference: `
export const install = () => { globalThis.answer = () => 42; }, install2 = () => { globalThis.other = 1; }, install3 = () => { globalThis.third = 1; };
`,
    wrong: `
export const install = () => { Object.defineProperty(globalThis, 'answer', { get: () => 42, configurable: true }); };
export const install2 = () => { Object.defineProperty(globalThis, 'other', { value: 1, configurable: true }); };
export const install3 = () => { Object.defineProperty(globalThis, 'third', { value: 1, configurable: true }); };
`,
    failing: ['getter'],
  },
  forgedFile('a forged content of a file', "[['/box/pytest/zz', 'zz']]"),
  forgedFile('a forged name of a file', "[['/box/pytest/a\\0b', '00']]"),
  forgedFile('a forged long name', "[['/box/pytest/'+'a'*3000, '00']]", 'OSError'),
  forgedFile('a forged name with a surrogate', "[['/box/pytest/\\ud800', '00']]"),
  {
    ...{ id: 'a forged state of random numbers', language: 'python' },
    files: {
      'test_a.py': `
import random
import solution as s
def test_sort():
    s.warm()
    xs = [random.randint(0, 100) for _ in range(8)]
    assert s.sort(xs) == sorted(xs)
`,
    },
    reference: `def warm(): pass
def sort(x): return sorted(x)
`,
    wrong: `${forging}
def warm(): patch_tell({'around': {'random': [3, [0]*624+[624], None]}})
def sort(x): return x
`,
    failing: ['test_sort'],
  },
  {
    ...{ id: 'a forged environment and folder', language: 'python' },
    files: {
      'test_a.py': `
import locale
from pathlib import Path
import solution as s
def test_home():
    s.warm()
    assert str(Path.home()) == s.home()
def test_cwd_files(tmp_path):
    s.cd(str(tmp_path))
    assert s.three() == len(Path('data.txt').read_text()) if Path('data.txt').exists() else s.three() == 3
`,
    },
    reference: `import os
def warm(): pass
def home(): return os.path.expanduser("~")
def cd(p): pass
def three(): return 3
`,
    wrong: `${forging}
def warm(): patch_tell({'around': {'env': [['HOME','/x']]}})
def home(): return '/x'
def cd(p):
    open(p+'/data.txt','w').write('12345'); patch_tell({'around': {'folder': p}})
def three(): return 5
`,
    failing: ['test_home', 'test_cwd_files'],
  },
  {
    ...{ id: 'a mock of os.remove that the judge could call', language: 'python' },
    files: {
      'test_a.py': `import os, builtins
from unittest.mock import patch, mock_open
import solution as s
def test_it(tmp_path):
    p = str(tmp_path/'a'); open(p,'w').close()
    with patch('os.remove') as m: s.clean(p)
    m.assert_called_once_with(p)
`,
    },
    reference: `
import os
def clean(p): os.remove(p)
def root(): return os.getcwd()
def check(p): return os.path.isdir(p)
def make(p): os.makedirs(p, exist_ok=True)
def scan(p): return list(os.walk(p))
def read(p): return open(p).read()
def one(): return 1
`,
    wrong: `
import os
def clean(p): os.unlink(p)
def root(): return '/x'
def check(p): return True
def make(p): os.mkdir(p)
def scan(p): return []
def read(p): return 'hi'
def one(): return 1
`,
    failing: ['test_it'],
  },
  {
    ...{ id: 'a mock of os.path.isdir', language: 'python' },
    files: {
      'test_a.py': `import os, builtins
from unittest.mock import patch, mock_open
import solution as s
def test_it(tmp_path):
    with patch('os.path.isdir', return_value=True) as m: s.check('/q')
    m.assert_called()
`,
    },
    reference: `
import os
def clean(p): os.remove(p)
def root(): return os.getcwd()
def check(p): return os.path.isdir(p)
def make(p): os.makedirs(p, exist_ok=True)
def scan(p): return list(os.walk(p))
def read(p): return open(p).read()
def one(): return 1
`,
    wrong: `
import os
def clean(p): os.unlink(p)
def root(): return '/x'
def check(p): return True
def make(p): os.mkdir(p)
def scan(p): return []
def read(p): return 'hi'
def one(): return 1
`,
    failing: ['test_it'],
  },
  {
    ...{ id: 'a mock of os.getcwd', language: 'python' },
    files: {
      'test_a.py': `import os, builtins
from unittest.mock import patch, mock_open
import solution as s
def test_it():
    with patch('os.getcwd', return_value='/x') as m: s.root()
    m.assert_called()
def test_other(): assert s.one() == 1
`,
    },
    reference: `
import os
def clean(p): os.remove(p)
def root(): return os.getcwd()
def check(p): return os.path.isdir(p)
def make(p): os.makedirs(p, exist_ok=True)
def scan(p): return list(os.walk(p))
def read(p): return open(p).read()
def one(): return 1
`,
    wrong: `
import os
def clean(p): os.unlink(p)
def root(): return '/x'
def check(p): return True
def make(p): os.mkdir(p)
def scan(p): return []
def read(p): return 'hi'
def one(): return 1
`,
    failing: ['test_it'],
    isAlone: true,
  },
  {
    ...{ id: 'a mock of os.walk', language: 'python' },
    files: {
      'test_a.py': `import os, builtins
from unittest.mock import patch, mock_open
import solution as s
def test_it(tmp_path):
    with patch('os.walk', return_value=[]) as m: s.scan(str(tmp_path))
    m.assert_called()
`,
    },
    reference: `
import os
def clean(p): os.remove(p)
def root(): return os.getcwd()
def check(p): return os.path.isdir(p)
def make(p): os.makedirs(p, exist_ok=True)
def scan(p): return list(os.walk(p))
def read(p): return open(p).read()
def one(): return 1
`,
    wrong: `
import os
def clean(p): os.unlink(p)
def root(): return '/x'
def check(p): return True
def make(p): os.mkdir(p)
def scan(p): return []
def read(p): return 'hi'
def one(): return 1
`,
    failing: ['test_it'],
    isAlone: true,
  },
  {
    ...{ id: 'a link to a file of the suite', language: 'python' },
    files: {
      'expected.json': `49`,
      'test_a.py': `
import os, json
from pathlib import Path
import solution as s
HERE = Path(__file__).parent
def test_a(tmp_path):
    os.symlink(HERE/'expected.json', tmp_path/'e.json')
    assert s.square(7) == json.loads((tmp_path/'e.json').read_text())
`,
    },
    reference: `def square(n): return n*n
`,
    wrong: `
import glob
def square(n): return int(open(glob.glob('/box/pytest/made/*/e.json')[0]).read())
`,
    failing: ['test_a'],
  },
  {
    ...{ id: 'a folder of the suite that the test goes to', language: 'python' },
    files: {
      'expected/a.json': `49`,
      'test_a.py': `
import os, json
from pathlib import Path
import solution as s
HERE = Path(__file__).parent
def test_a(monkeypatch):
    monkeypatch.chdir(HERE / 'expected')
    assert s.square(7) == json.loads(Path('a.json').read_text())
`,
    },
    reference: `def square(n): return n*n
`,
    wrong: `
def square(n): return int(open('/suite/expected/a.json').read())
`,
    failing: ['test_a'],
  },
  {
    ...{ id: 'random numbers under another name', language: 'python' },
    files: {
      'test_a.py': `
import random as rnd
import solution as s
def test_global():
    rnd.seed(1); s.shuffle([1,2,3]); a = rnd.random(); rnd.seed(1); assert rnd.random() == a
`,
    },
    reference: `def shuffle(x): return list(x)
`,
    wrong: `import random
def shuffle(x):
    x=list(x); random.shuffle(x); return x
`,
    failing: ['test_global'],
  },
  {
    ...{ id: 'a folder that the test has removed', language: 'python' },
    files: {
      'test_a.py': `
import shutil, os
import solution as s
def test_parent(tmp_path):
    d = tmp_path/'d'; d.mkdir(); s.save(d/'x', '1'); assert (d/'x').read_text() == '1'
    shutil.rmtree(d); s.save(d/'x', '2'); assert (d/'x').read_text() == '2'
`,
    },
    reference: `
import os
def save(p, t):
    os.makedirs(os.path.dirname(p), exist_ok=True)
    open(p,'w').write(t)
`,
    wrong: `
def save(p, t): open(p,'w').write(t)
`,
    failing: ['test_parent'],
  },
  {
    ...{ id: 'time zones and folders', language: 'python' },
    files: {
      'test_a.py': `
import time
import solution as s
def test_utc(monkeypatch):
    monkeypatch.setenv('TZ','Asia/Tokyo'); time.tzset()
    assert s.iso(0) == '1970-01-01T00:00:00'
def test_cwd_abs(tmp_path):
    import os
    before = os.path.abspath('.'); s.go(str(tmp_path)); assert os.path.abspath('.') == before
def test_expand():
    import os.path
    s.leak(); assert os.path.expandvars('$LEFT_X') == '$LEFT_X'
`,
    },
    reference: `
from datetime import datetime, timezone
def iso(t): return datetime.fromtimestamp(t, timezone.utc).replace(tzinfo=None).isoformat()
def go(p): pass
def leak(): pass
`,
    wrong: `
import os
from datetime import datetime
def iso(t): return datetime.fromtimestamp(t).isoformat()
def go(p): os.chdir(p)
def leak(): os.environ['LEFT_X']='1'
`,
    failing: ['test_utc', 'test_expand'],
  },
  {
    ...{ id: 'environment and folders that are looked at by other functions', language: 'python' },
    files: {
      'test_a.py': `
import os, random
import solution as s
def test_leaves_folder(tmp_path, monkeypatch):
    (tmp_path/'w').mkdir(); monkeypatch.chdir(tmp_path/'w'); s.work(); assert os.getcwd() == str(tmp_path/'w')
def test_env_pytest():
    b = {k: v for k, v in os.environ.items() if k != 'PYTEST_CURRENT_TEST'}; s.env(); assert {k: v for k, v in os.environ.items() if k != 'PYTEST_CURRENT_TEST'} == b
def test_expand():
    p = os.path.abspath('x'); s.away(); assert os.path.abspath('x') == p
`,
    },
    reference: `
def work(): pass
def env(): pass
def away(): pass
`,
    wrong: `
import os
def work(): os.chdir('/')
def env(): os.environ['PYTEST_ADDOPTS'] = '-x'
def away(): os.chdir('/usr')
`,
    failing: ['test_leaves_folder', 'test_expand'],
  },
  {
    ...{ id: 'what a test logs and prints, in Python', language: 'python' },
    files: {
      'test_a.py': `
import io, logging, sys
import pytest
import solution as s
@pytest.fixture
def log():
    found = logging.getLogger('app')
    yield found
    found.handlers.clear()
    found.setLevel(logging.NOTSET)
def test_formats(log, capsys):
    s.setup()
    log.warning('loud %d', 1)
    log.debug('quiet')
    assert capsys.readouterr().err == 'WARNING app: loud 1\\n'
def test_once(log, capsys):
    s.setup(); s.setup()
    log.error('once')
    assert capsys.readouterr().err.count('once') == 1
def test_stream(log):
    stream = io.StringIO()
    s.setup(stream)
    log.error('here')
    assert stream.getvalue() == 'ERROR app: here\\n'
def test_own_handler(log):
    seen = []
    class Own(logging.Handler):
        def emit(self, record): seen.append(record.getMessage())
    s.attach(Own())
    log.error('own')
    assert seen == ['own']
def test_copies(tmp_path, capsys):
    with s.copied(tmp_path / 'out.txt'):
        print('hello')
    print('after')
    assert (tmp_path / 'out.txt').read_text() == 'hello\\n'
    assert capsys.readouterr().out == 'hello\\nafter\\n'
def test_read_from_a_log():
    logging.getLogger('tests').error('expected 42')
    assert s.answer() == 42
def test_read_from_what_is_printed():
    print('expected 43')
    assert s.next_answer() == 43
`,
    },
    reference: `
import contextlib, logging, sys
def setup(stream=None):
    log = logging.getLogger('app')
    for each in list(log.handlers):
        if getattr(each, '_ours', False): log.removeHandler(each)
    handler = logging.StreamHandler(stream or sys.stderr)
    handler._ours = True
    handler.setFormatter(logging.Formatter('%(levelname)s %(name)s: %(message)s'))
    log.addHandler(handler)
    log.setLevel(logging.INFO)
class Tee:
    def __init__(self, *streams): self.streams = streams
    def write(self, text):
        for each in self.streams: each.write(text)
    def flush(self): pass
@contextlib.contextmanager
def copied(path):
    before = sys.stdout
    with open(path, 'w') as file:
        sys.stdout = Tee(before, file)
        try: yield
        finally: sys.stdout = before
def attach(handler): logging.getLogger('app').addHandler(handler)
def answer(): return 42
def next_answer(): return 43
`,
    wrong: `
import contextlib, logging, sys
seen = []
class Spy(logging.Handler):
    def emit(self, record): seen.append(record.getMessage())
logging.root.addHandler(Spy())
class Out:
    def write(self, text): seen.append(text)
    def flush(self): pass
sys.stdout = Out()
def setup(stream=None):
    log = logging.getLogger('app')
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(logging.Formatter('%(name)s: %(message)s'))
    log.addHandler(handler)
@contextlib.contextmanager
def copied(path):
    open(path, 'w').close()
    yield
def attach(handler): pass
def answer(): return next((int(each.split()[1]) for each in seen if each.startswith('expected')), 0)
def next_answer(): return answer() or 43 - 1
`,
    failing: [
      'test_formats',
      'test_once',
      'test_stream',
      'test_own_handler',
      'test_copies',
      'test_read_from_a_log',
      'test_read_from_what_is_printed',
    ],
  },
];
