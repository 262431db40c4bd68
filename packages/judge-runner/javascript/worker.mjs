/*
 * The worker of the judge for JavaScript: the only program in the box beside the artifact, which it imports. It reads
 * one JSON line per question on fd 3 and answers with one on fd 4. From the moment the artifact is loaded nothing here
 * is trusted: whatever leaves the box is an answer, and answers are judged elsewhere.
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { answer, readLine } from './lines.mjs';

const maxDepth = 64;
const maxNodes = 1_000_000;
const { parse } = JSON;
const { isSafeInteger } = Number;
const turn = setImmediate;
const exit = process.reallyExit.bind(process);

class Unplain extends Error {}

/** Tagged JSON to a JavaScript value. */
function decode(part) {
  if (Array.isArray(part)) return part.map(decode);
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part);
  if (entries.length === 1) {
    const [tag, content] = entries[0];
    if (tag === '$int') return content.startsWith('-') ? -BigInt(content.slice(1)) : BigInt(content);
    if (tag === '$float')
      return { nan: Number.NaN, inf: Infinity, '-inf': -Infinity }[content] ?? Number(content);
    if (tag === '$bytes') return new Uint8Array(Buffer.from(content, 'hex'));
    if (tag === '$tuple') return content.map(decode);
    if (tag === '$set' || tag === '$frozenset') return new Set(content.map(decode));
    if (tag === '$dict') return new Map(content.map(([key, value]) => [decode(key), decode(value)]));
  }
  return Object.fromEntries(entries.map(([key, value]) => [key, decode(value)]));
}

function floatText(value) {
  if (Number.isNaN(value)) return 'nan';
  if (value === Infinity) return 'inf';
  if (value === -Infinity) return '-inf';
  return Object.is(value, -0) ? '-0.0' : String(value);
}

/** A JavaScript value to tagged JSON. What is no plain value leaves as the name of its class. */
function encode(value) {
  let nodes = 0;
  const walk = (part, depth) => {
    nodes += 1;
    if (depth > maxDepth) throw new Unplain(`deeper than ${maxDepth} levels`);
    if (nodes > maxNodes) throw new Unplain(`more than ${maxNodes} parts`);
    if (part === null || part === undefined || typeof part === 'boolean' || typeof part === 'string')
      return part ?? null;
    if (typeof part === 'number')
      return isSafeInteger(part) && !Object.is(part, -0) ? part : { $float: floatText(part) };
    if (typeof part === 'bigint') {
      if (part <= 9007199254740991n && part >= -9007199254740991n) return Number(part);
      return { $int: part < 0n ? `-0x${(-part).toString(16)}` : `0x${part.toString(16)}` };
    }
    if (Array.isArray(part))
      return Array.from({ length: part.length }, (_, index) => walk(part[index], depth + 1));
    if (part instanceof Map)
      return {
        $dict: [...Map.prototype.entries.call(part)].map(([key, item]) => [
          walk(key, depth + 1),
          walk(item, depth + 1),
        ]),
      };
    if (part instanceof Set)
      return { $set: [...Set.prototype.values.call(part)].map((item) => walk(item, depth + 1)) };
    if (part instanceof Uint8Array) return { $bytes: Buffer.from(part).toString('hex') };
    const parent = typeof part === 'object' ? Object.getPrototypeOf(part) : undefined;
    if (parent === null || parent === Object.prototype)
      return { $dict: Object.keys(part).map((key) => [key, walk(part[key], depth + 1)]) };
    return { $opaque: String(part?.constructor?.name ?? typeof part).slice(0, 200) };
  };
  return walk(value, 0);
}

/** The classes of an exception by name, most derived first, and its text. */
function describe(error) {
  const mro = [];
  try {
    for (
      let kind = Object.getPrototypeOf(Object(error));
      kind !== null && mro.length < 50;
      kind = Object.getPrototypeOf(kind)
    )
      mro.push(String(kind.constructor?.name ?? '').slice(0, 200));
  } catch {
    // Even this may be the artifact's code.
  }
  let message = '';
  try {
    message = String(error?.message ?? error).slice(0, 500);
  } catch {
    // As above.
  }
  return { raised: { mro: mro.length === 0 ? ['Error'] : mro, message } };
}

const conversions = {
  list: (value) => Array.from(value),
  tuple: (value) => Array.from(value),
  set: (value) => new Set(value),
  sorted: (value) => Array.from(value).sort((left, right) => (left < right ? -1 : left > right ? 1 : 0)),
  len: (value) => value.length ?? value.size,
};

/** A function of a module by its dotted name: exported, or part of what is exported by default. */
function find(module, name) {
  for (const root of [module, module.default]) {
    let found = root;
    let owner;
    for (const part of name.split('.')) {
      owner = found;
      found = found?.[part];
    }
    if (typeof found === 'function') return found.bind(owner);
  }
  const only = module.default;
  return typeof only === 'function' && (only.name === name || only.name === 'default') ? only : null;
}

async function ask(module, request) {
  const found = find(module, request.fn);
  if (found === null) return { missing: request.fn };
  let value = await found(...request.args.map(decode));
  if (request.as !== undefined) value = conversions[request.as](value);
  return { value: encode(value) };
}

/** Begins to count which parts of scripts run. Null where the engine refuses. */
async function cover() {
  try {
    const { Session } = await import('node:inspector');
    const session = new Session();
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    return session;
  } catch {
    return null;
  }
}

async function covered(session, folder) {
  const { countStatements } = await import('./analysis.mjs');
  // Within one thread the answer is there at once.
  let scripts = [];
  session.post('Profiler.takePreciseCoverage', (_error, told) => {
    scripts = told?.result ?? [];
  });
  return countStatements(folder, scripts);
}

mkdirSync(tmpdir(), { recursive: true });
answer({ started: true });
let module = null;
let counting = null;
/** Takes errors that nobody has caught; null where they end the program. */
let takeFault = null;
// Listeners of the artifact get no say about how it ends.
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error) => {
    if (takeFault === null) exit(1);
    takeFault(error);
  });
for (let line = readLine(); line !== null; line = readLine()) {
  const request = parse(line);
  let reply;
  if (request.serve !== undefined) {
    const { serve } = await import('./objects.mjs');
    await serve(request, (take) => {
      takeFault = take;
    }).catch(() => exit(1));
  }
  try {
    if (request.analyse !== undefined) {
      const { analyse } = await import('./analysis.mjs');
      reply = { findings: analyse(request.analyse, request.secret) };
    } else if (request.cover !== undefined) {
      counting = await cover();
      reply = { covering: counting !== null };
    } else if (request.covered !== undefined) {
      reply = await covered(counting, request.covered);
    } else if (request.load !== undefined) {
      module = await import(`${request.folder}/${request.entry ?? `solution.${process.argv[2]}`}`);
      reply = { loaded: true };
    } else {
      reply = await ask(module, request);
    }
  } catch (error) {
    reply = error instanceof Unplain ? { unplain: error.message } : describe(error);
  }
  // What was begun without being waited for gets its turn before the answer.
  await new Promise((resolve) => turn(resolve));
  reply.id = request.id;
  answer(reply);
}
exit(0);
