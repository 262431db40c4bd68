/*
 * Snapshots of a file of tests: values that its author has kept in the suite, as Node writes them with --test-update-snapshots. They are read and
 * never run.
 */
import assert from 'node:assert';
import { readFileSync } from 'node:fs';

/** Tests may replace these. */
const read = readFileSync;
const { stringify } = JSON;
const { strictEqual } = assert;
const entry = /^exports\[`((?:[^`\\]|\\[\s\S])*)`\] = `((?:[^`\\]|\\[\s\S])*)`;$/gm;
const unescaped = (text) => text.replace(/\\([\s\S])/g, '$1').replace(/\r\n?/g, '\n');

/** The text of a file of the suite; null where there is none. */
function textOf(path) {
  try {
    return read(path, 'utf8');
  } catch {
    return null;
  }
}

export class Snapshots {
  #file;
  #pathOf = (path) => `${path}.snapshot`;
  #serializers = [(value) => stringify(value, null, 2)];
  /** How many snapshots a test has taken, by its name. */
  #taken = new Map();
  /** Texts by their names; null before the first is asked for. */
  #kept = null;

  /** @param file path of the tests */
  constructor(file) {
    this.#file = file;
  }

  setDefaultSnapshotSerializers(serializers) {
    this.#serializers = [...serializers];
  }

  setResolveSnapshotPath(pathOf) {
    this.#pathOf = pathOf;
  }

  #serialized(value, serializers = this.#serializers) {
    return String(serializers.reduce((each, serialize) => serialize(each), value));
  }

  /** Compares a value with the next snapshot of a test. */
  check(name, value, { serializers } = {}) {
    const path = this.#pathOf(this.#file);
    this.#kept ??= new Map(
      [...(textOf(path) ?? '').matchAll(entry)].map(([, own, text]) => [unescaped(own), unescaped(text)]),
    );
    const number = (this.#taken.get(name) ?? 0) + 1;
    this.#taken.set(name, number);
    const kept = this.#kept.get(`${name} ${number}`);
    if (kept === undefined) throw new Error(missing(`snapshot '${name} ${number}'`, path));
    strictEqual(`\n${this.#serialized(value, serializers)}\n`, kept);
  }

  /** Compares a value with a file that holds nothing else. */
  checkFile(value, path, { serializers } = {}) {
    const kept = textOf(path);
    if (kept === null) throw new Error(missing('snapshot', path));
    strictEqual(this.#serialized(value, serializers), kept);
  }
}

const missing = (what, path) =>
  `the suite has no ${what} in ${path.split('/').at(-1)}: run node --test --test-update-snapshots with a correct program, and add the file`;
