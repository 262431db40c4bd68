/*
 * What a suite imports as `node:test`: the same words, with tests that can be named before any artifact is there, put in
 * the order of their layers, and told one by one.
 */
import { join } from 'node:path';
import {
  Context,
  createTracker,
  Group,
  inside,
  isSharing,
  optionsWithin,
  Run,
  read,
  relayTimers,
  Tracker,
} from './suite-runs.mjs';
import { Snapshots } from './suite-snapshots.mjs';

export { isSharing, relayTimers };

/** A test may replace them. */
const now = performance.now.bind(performance);
const { apply } = Reflect;
const { set } = Map.prototype;
const layers = ['smoke', 'correctness', 'edge', 'performance', 'security'];
/** The file that is being read, as a group without a name. */
let root = null;
/** Groups of the file that are still being read. */
let reading = [];
/** The test that was begun last, where what it has begun is not known to be its own. */
let latest = null;
const tests = [];
const ids = new Set();
/** What mocks for the whole of a file, as each one has a process of its own in Node. */
export let mock = createTracker();

/**
 * Reads a file: from here on, tests are those of this one. Answers nothing, as every async function here: of an object that inherits, `then` would be asked.
 * @param folder that of the suite
 * @param note is told why groups of it could not be read, which fails their tests alone
 */
export async function readFile(file, folder, load, note) {
  mock = createTracker();
  const snapshots = new Snapshots(join(folder, file));
  root = Object.assign(new Group('', null, {}, 'correctness'), { file, mock, snapshots });
  reading = [];
  await load();
  while (reading.length > 0) {
    const fault = await reading.shift();
    if (fault !== null) note(fault);
  }
}

/** The test that is running, if any. */
const running = () => {
  const found = inside.getStore();
  return found instanceof Run ? found : found === undefined ? latest : null;
};
const groupNow = () => inside.getStore() ?? root;

/** The place in the file at which a test is declared, as `line:column`. */
const siteOf = (file) =>
  new Error().stack
    .split('\n')
    .find((line) => line.includes(`/${file}:`))
    ?.match(/:(\d+:\d+)\)?$/)?.[1] ?? null;

function declare(first, second, third, forced = {}) {
  const { name, options, run } = read(first, second, third);
  const all = { ...options, ...forced };
  const outer = running();
  if (outer !== null) return outer.subtest(name, all, run);
  const suite = groupNow();
  const { file } = suite.path[0];
  const plain = `${file}::${[...suite.names, name].join(' > ')}`;
  let id = plain;
  for (let number = 2; ids.has(id); number += 1) id = `${plain} #${number}`;
  ids.add(id);
  for (const each of suite.path) each.left += 1;
  tests.push({
    ...{ id, name, file, suite, run },
    site: siteOf(file),
    layer: layers.includes(all.layer) ? all.layer : suite.layer,
    options: optionsWithin(suite.options, all),
  });
  return Promise.resolve();
}

function group(first, second, third, forced = {}) {
  const { name, options, run } = read(first, second, third);
  const context = { name, fullName: name, signal: new AbortController().signal };
  // Within a test, what a group declares belongs to the test.
  if (running() !== null) return Promise.resolve(run?.(context));
  const parent = groupNow();
  const all = optionsWithin(parent.options, { ...options, ...forced });
  const made = new Group(name, parent, all, layers.includes(all.layer) ? all.layer : parent.layer);
  context.fullName = made.names.join(' > ');
  reading.push(inside.run(made, () => made.read(async () => run?.(context))));
  return Promise.resolve();
}

const withModes = (make) =>
  Object.assign((...args) => make(args[0], args[1], args[2]), {
    skip: (...args) => make(args[0], args[1], args[2], { skip: true }),
    todo: (...args) => make(args[0], args[1], args[2], { todo: true }),
    only: (...args) => make(args[0], args[1], args[2]),
  });
const hook =
  (kind) =>
  (run, options = {}) => {
    const outer = running();
    if (outer === null) groupNow().hooks[kind].push({ run, options });
    else outer.context[kind](run, options);
  };

export const test = withModes(declare);
export const it = withModes(declare);
export const describe = withModes(group);
export const suite = withModes(group);
export const before = hook('before');
export const after = hook('after');
export const beforeEach = hook('beforeEach');
export const afterEach = hook('afterEach');
/** Settings of the snapshots of the file that is being read. */
export const snapshot = {
  setDefaultSnapshotSerializers: (serializers) => root.snapshots.setDefaultSnapshotSerializers(serializers),
  setResolveSnapshotPath: (pathOf) => root.snapshots.setResolveSnapshotPath(pathOf),
};
const hooks = { before, after, beforeEach, afterEach };
const api = Object.assign(test, { test, it, describe, suite, ...hooks, snapshot });
Object.defineProperty(api, 'mock', { get: () => mock, enumerable: true });
export default api;
/** What a test can reach of it. */
export const partsOfApi = {
  test: api,
  'the context of tests': Context.prototype,
  'the prototype of mock': Tracker.prototype,
};
// For suites that require it.
export { api as 'module.exports' };

const concurrentGroupOf = (each) => each.suite.path.find(({ isConcurrent }) => isConcurrent) ?? null;

/**
 * Tests in the order of their layers, within a layer as they were declared. Each item is a list: of one test, or of tests one after the other of a
 * group whose tests run at the same time.
 */
export function inOrder() {
  const ordered = [];
  let last = null;
  for (const each of layers.flatMap((layer) => tests.filter((one) => one.layer === layer))) {
    const own = concurrentGroupOf(each);
    if (own !== null && own === last) ordered.at(-1).push(each);
    else ordered.push([each]);
    last = own;
  }
  return ordered;
}

/** Runs one test with the hooks around it. Null when it passed, else the reason. */
async function runTest({ name, suite: own, options, run }) {
  const made = new Run(name, own.path, options);
  latest = made;
  await inside.run(made, () => made.performInGroups(run));
  return made.reason;
}

/** Runs tests of a group, in its groups as each of these lets them. */
const runWithin = async (outer, batch, runOne) => {
  const units = Map.groupBy(batch, (each) => each.suite.path[each.suite.path.indexOf(outer) + 1] ?? each);
  await Promise.all(
    [...units].map(([unit, own]) =>
      outer.slots(() => (unit instanceof Group ? runWithin(unit, own, runOne) : runOne(unit))),
    ),
  );
};

/** Runs the tests of one item of the order. Notes in `found` the reason of each that failed, null of the others, and how long each took. */
export async function runTests(batch, found) {
  const [{ suite: own }] = batch;
  ({ mock } = own.path[0]);
  await runWithin(concurrentGroupOf(batch[0]) ?? own, batch, async (each) => {
    const begun = now();
    const reason = await runTest(each);
    apply(set, found, [each, { reason, ms: now() - begun }]);
  });
  latest = null;
}

/** True when no test of its file is left. */
export const isFileDone = ({ suite: own }) => own.path[0].left === 0;
/** Undoes what a file has mocked. */
export const endFile = ({ suite: own }) => own.path[0].mock.reset();
