import { describe, expect, it } from 'vitest';
import type { VectorSuite } from '../src/index.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge({ concurrency: 3 });

const suite: VectorSuite = {
  ...{ id: 'honest', language: 'javascript', mode: 'vectors', entryPoint: 'solve' },
  cases: [{ id: 'solve', layer: 'correctness', args: [], expect: true, match: 'truth' }],
};

/** What honest programs do. */
const habits: Readonly<Record<string, string>> = {
  'worker threads': `import { Worker } from 'node:worker_threads';
const square = (n) => new Promise((done) => new Worker("const { workerData, parentPort } = require('node:worker_threads'); parentPort.postMessage(workerData ** 2)", { eval: true, workerData: n }).on('message', done));
export const solve = async () => (await Promise.all([1, 2, 3].map(square))).join() === '1,4,9';`,
  'files in the work folder': `import fs from 'node:fs/promises';
import { mkdtempSync, createWriteStream, createReadStream, readFileSync, existsSync, statSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import path from 'node:path'; import os from 'node:os';
export const solve = async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'x-'));
  for (let n = 0; n < 50; n += 1) await fs.writeFile(path.join(folder, n + '.json'), JSON.stringify({ n }));
  await pipeline(createReadStream(path.join(folder, '1.json')), createWriteStream(path.join(folder, 'copy')));
  await fs.rename(path.join(folder, 'copy'), path.join(folder, 'moved'));
  const names = await fs.readdir(folder);
  const ok = names.length === 51 && readFileSync(path.join(folder, 'moved'), 'utf8') === '{"n":1}' && statSync(folder).isDirectory();
  rmSync(folder, { recursive: true });
  return ok && !existsSync(folder);
};`,
  'much of the library': `import assert from 'node:assert'; import async_hooks from 'node:async_hooks'; import buffer from 'node:buffer'; import child_process from 'node:child_process'; import cluster from 'node:cluster';
import crypto from 'node:crypto'; import dgram from 'node:dgram'; import dns from 'node:dns'; import events from 'node:events'; import http from 'node:http'; import http2 from 'node:http2'; import https from 'node:https';
import inspector from 'node:inspector'; import module from 'node:module'; import net from 'node:net'; import os from 'node:os'; import perf_hooks from 'node:perf_hooks'; import punycode from 'node:querystring'; import readline from 'node:readline';
import stream from 'node:stream'; import timers from 'node:timers/promises'; import tls from 'node:tls'; import tty from 'node:tty'; import url from 'node:url'; import util from 'node:util'; import v8 from 'node:v8'; import vm from 'node:vm'; import zlib from 'node:zlib';
export const solve = async () => {
  os.cpus(); os.hostname(); os.loadavg(); os.totalmem(); process.memoryUsage(); process.resourceUsage(); process.hrtime.bigint(); process.uptime(); process.title = 'x';
  try { os.userInfo(); } catch {}
  net.isIP('1.2.3.4'); tty.isatty(1); v8.getHeapStatistics(); v8.deserialize(v8.serialize({ a: 1 }));
  await timers.setTimeout(5);
  const packed = zlib.gunzipSync(zlib.gzipSync('x'.repeat(100000))).length;
  const key = await util.promisify(crypto.scrypt)('a', 'b', 32);
  const { privateKey, publicKey } = crypto.generateKeyPairSync('ed25519');
  const signed = crypto.verify(null, Buffer.from('x'), publicKey, crypto.sign(null, Buffer.from('x'), privateKey));
  return packed === 100000 && key.length === 32 && signed && vm.runInNewContext('1 + 1') === 2 && crypto.randomUUID().length === 36;
};`,
  'the language': `export const solve = async () => {
  const wasm = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  new WebAssembly.Instance(wasm);
  const shared = new Int32Array(new SharedArrayBuffer(16));
  Atomics.add(shared, 0, 5);
  const registry = new FinalizationRegistry(() => {}); registry.register({}, 1);
  const text = new Intl.DateTimeFormat('de', { timeZone: 'Europe/Berlin' }).format(new Date(0)) + [3, 1].toSorted() + structuredClone(new Map([[1, 2]])).size;
  const results = await Promise.allSettled([Promise.reject(new Error('x')), 1]);
  const { resolve, promise } = Promise.withResolvers(); setImmediate(resolve, 7); queueMicrotask(() => {});
  return Atomics.load(shared, 0) === 5 && text.length > 5 && results.length === 2 && (await promise) === 7 && new Function('return 1')() === 1;
};`,
  'looking around': `const fs = require('fs');
module.exports.solve = () => {
  for (const path of ['/proc/meminfo', '/proc/cpuinfo', '/proc/self/status', '/etc/hostname', '/etc/passwd', '/tmp/x', '/sys/fs/cgroup/memory.max', process.execPath + '.x'])
    try { fs.readFileSync(path); } catch {}
  for (const path of ['/', '/proc', '/usr', '.', '/root', '/home']) try { fs.readdirSync(path); } catch {}
  return typeof process.version === 'string' && process.argv.length > 0 && process.cwd() === '/box' && require('path').resolve('a') === '/box/a';
};`,
  'much printed, deep calls, much memory': `export const solve = () => {
  for (let n = 0; n < 20000; n += 1) console.log('line', n);
  const depth = (n) => (n === 0 ? 0 : 1 + depth(n - 1));
  let deep = false;
  try { depth(1e7); } catch (error) { deep = error instanceof RangeError; }
  return deep && depth(5000) === 5000 && new Array(5e6).fill(1).length === 5e6 && Buffer.alloc(50 << 20).length === 50 << 20;
};`,
};

describe.concurrent('honest programs of JavaScript', () => {
  for (const [name, source] of Object.entries(habits))
    it(`JDG-7 JDG-11 ${name}: SUCCESS, and never accused`, async () => {
      const verdict = await judge.run({ artifact: { language: 'javascript', source }, suite });
      expect(verdict.violations).toEqual([]);
      expect(verdict.outcome, JSON.stringify([verdict.summary, verdict.tests, verdict.stderr])).toBe(
        'SUCCESS',
      );
    });
});
