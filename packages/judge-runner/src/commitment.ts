import { createHash, randomBytes } from 'node:crypto';
import { canonicalJson } from '@bonafide/internal';
import { JudgeError } from './errors.ts';
import { parseSuite } from './schemas.ts';
import type { CaseGenerator, ExpectedTest, ProgramCase, Suite, VectorCase } from './suite.ts';
import type { SuiteFile, SuiteFiles } from './suite-files.ts';

/** The published part of a commitment. Binds the judge to the cases without revealing one. */
export interface PublicCommitment {
  /** SHA-256 Merkle root over the salted cases, lower-case hex, as RFC 6962 builds its tree. */
  readonly root: string;
  /** Number of cases. */
  readonly count: number;
}

/** A commitment with its salts. Secret until cases are opened: with the salt a small case can be guessed. */
export interface OracleCommitment extends PublicCommitment {
  readonly suiteId: string;
  /** One per case, in the suite's order: 32 random bytes, lower-case hex. */
  readonly salts: readonly string[];
}

/** A file of a suite, or of its oracle (`oracle/…`), as a leaf holds it. */
interface CommittedFile {
  readonly file: string;
  readonly content: SuiteFile;
}

/** What a suite declares beside its cases and files: packages, and the objects that its tests believe. */
interface CommittedSettings {
  readonly id: '@settings';
  readonly python?: readonly string[];
  readonly node?: Readonly<Record<string, string>>;
  readonly objects?: readonly string[];
  readonly shared?: readonly string[];
  readonly remoteEq?: true;
}

/**
 * One leaf of a suite: a case, a generator or a file of the oracle; for test files a file or an expected
 * test.
 */
export type CommittedPart =
  | VectorCase
  | CaseGenerator
  | CommittedFile
  | ExpectedTest
  | Omit<ProgramCase, 'match'>
  | CommittedSettings
  | { readonly id: string; readonly run: readonly string[]; readonly build?: readonly string[] };

const filesOf = (files: SuiteFiles, folder = ''): CommittedFile[] =>
  Object.entries(files)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([file, content]) => ({ file: `${folder}${file}`, content }));

/** Returns what a suite declares, or null when it declares nothing. Pure. */
function settingsOf(suite: Suite): CommittedSettings | null {
  const python = 'python' in suite ? suite.python?.packages : undefined;
  const node = 'node' in suite ? suite.node?.packages : undefined;
  const objects = 'objects' in suite ? suite.objects : undefined;
  const shared = 'shared' in suite ? suite.shared : undefined;
  const declared = {
    ...(python === undefined ? {} : { python }),
    ...(node === undefined ? {} : { node }),
    ...(objects === undefined ? {} : { objects }),
    ...(shared === undefined ? {} : { shared }),
    ...('remoteEq' in suite && suite.remoteEq === true ? { remoteEq: true as const } : {}),
  };
  return Object.keys(declared).length === 0 ? null : { id: '@settings', ...declared };
}

/**
 * The parts of a suite in the order of their leaves: its cases, generators and the oracle's files by name; or its files
 * by name and then its tests; then what it declares, if anything. Pure.
 */
function partsOf(suite: Suite): readonly CommittedPart[] {
  const settings = settingsOf(suite);
  return settings === null ? casesOf(suite) : [...casesOf(suite), settings];
}

function casesOf(suite: Suite): readonly CommittedPart[] {
  if (suite.mode === 'program') {
    const { build, run } = suite;
    return [
      { id: 'program', run, ...(build === undefined ? {} : { build }) },
      ...suite.cases.map(({ match, ...test }) => {
        if (typeof match !== 'function') return match === undefined ? test : { ...test, match };
        throw new JudgeError(
          'SUITE_INVALID',
          `The case '${test.id}' is compared by a function, which cannot be committed`,
        );
      }),
    ];
  }
  if (suite.mode !== 'vectors') return [...filesOf(suite.files), ...(suite.tests ?? [])];
  const { cases, generators = [], oracle } = suite;
  if (oracle === undefined) return [...cases, ...generators];
  const only = oracle.language === 'python' ? 'solution.py' : 'solution.js';
  const files = 'source' in oracle ? { [only]: oracle.source } : textFiles(oracle.files);
  return [...cases, ...generators, ...filesOf(files, 'oracle/')];
}

/** @throws JudgeError `SUITE_INVALID` for a binary file, which no leaf can hold. */
function textFiles(files: Readonly<Record<string, string | Uint8Array>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([name, content]) => {
      if (typeof content === 'string') return [name, content];
      throw new JudgeError('SUITE_INVALID', `The oracle's file ${name} is not a text`);
    }),
  );
}

const nameOf = (part: CommittedPart): string => ('file' in part ? part.file : part.id);

/** One case with what proves that it was committed to. Opening it shows nothing about the others. */
export interface LeafOpening {
  readonly index: number;
  readonly salt: string;
  /** A case; of a pytest suite a file or an expected test. */
  readonly case: CommittedPart;
  /** Sibling hashes from the leaf to the root, lower-case hex. */
  readonly path: readonly string[];
}

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
// Different first bytes keep an inner node from being passed off as a leaf.
const leafPrefix = Uint8Array.of(0);
const nodePrefix = Uint8Array.of(1);

const leafHash = (salt: string, test: CommittedPart): Buffer =>
  sha256(leafPrefix, Buffer.from(salt, 'hex'), Buffer.from(canonicalJson(test), 'utf8'));

/** The largest power of two below `count`: where RFC 6962 splits. */
const splitAt = (count: number): number => 2 ** Math.floor(Math.log2(count - 1));

function treeHash(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves;
  if (leaves.length === 1 && only) return only;
  const split = splitAt(leaves.length);
  return sha256(nodePrefix, treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)));
}

function pathTo(index: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length <= 1) return [];
  const split = splitAt(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split
    ? [...pathTo(index, left), treeHash(right)]
    : [...pathTo(index - split, right), treeHash(left)];
}

function hashLeaves(suite: Suite, salts: readonly string[]): Buffer[] {
  const parts = partsOf(suite);
  if (salts.length !== parts.length)
    throw new JudgeError(
      'COMMITMENT_MISMATCH',
      `The commitment has ${salts.length} cases, the suite ${parts.length}`,
    );
  return parts.map((test, index) => leafHash(salts[index] ?? '', test));
}

/**
 * Commits to the cases of a suite before the work is ordered. Publish `root` and `count`, keep the rest.
 * Leaf = SHA-256(0x00 ‖ salt ‖ canonical JSON of the case), node = SHA-256(0x01 ‖ left ‖ right).
 * @param options.salt - Gives the salt of case `index`, for repeatable tests; 32 random bytes by default.
 * @throws JudgeError `SUITE_INVALID`.
 */
export function commitOracle(
  suite: Suite,
  options?: { readonly salt?: (index: number) => Uint8Array },
): OracleCommitment {
  const parsed = parseSuite(suite);
  const salt = options?.salt ?? (() => randomBytes(32));
  const salts = partsOf(parsed).map((_, index) => Buffer.from(salt(index)).toString('hex'));
  const root = treeHash(hashLeaves(parsed, salts)).toString('hex');
  return { suiteId: parsed.id, root, count: salts.length, salts };
}

/** Returns the first names of a list, in quotes. Pure. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 20).map((name) => `'${name}'`);
  return names.length > shown.length
    ? `${shown.join(', ')} and ${names.length - shown.length} more`
    : shown.join(', ');
}

/**
 * Opens one case of a commitment, for a dispute or an audit.
 * @param caseId - Id of a case or generator, name of a file (the oracle's: `oracle/solution.py`), id of a test, or `@settings`
 * for the packages and objects that the suite declares.
 * @throws JudgeError `COMMITMENT_MISMATCH` when the suite is not the committed one or has no such case.
 */
export function openLeaf(commitment: OracleCommitment, suite: Suite, caseId: string): LeafOpening {
  checkCommitment(commitment, suite);
  const parts = partsOf(suite);
  const index = parts.findIndex((part) => nameOf(part) === caseId);
  const test = parts[index];
  const salt = commitment.salts[index];
  if (!test || salt === undefined)
    throw new JudgeError(
      'COMMITMENT_MISMATCH',
      `The suite '${suite.id}' has no case '${caseId}'. It has ${listed(parts.map(nameOf))}.`,
    );
  const path = pathTo(index, hashLeaves(suite, commitment.salts));
  return { index, salt, case: test, path: path.map((hash) => hash.toString('hex')) };
}

/**
 * Returns true when an opened case is the one that was committed at its index. Pure; needs only published
 * data.
 */
export function verifyLeaf(commitment: PublicCommitment, opening: LeafOpening): boolean {
  const { index, path } = opening;
  if (!Number.isSafeInteger(index) || index < 0 || index >= commitment.count) return false;
  let hash = leafHash(opening.salt, opening.case);
  let position = index;
  let last = commitment.count - 1;
  for (const sibling of path) {
    if (last === 0) return false;
    const other = Buffer.from(sibling, 'hex');
    if (position % 2 === 1 || position === last) {
      hash = sha256(nodePrefix, other, hash);
      // A right edge without a sibling is carried up until it has one.
      while (position % 2 === 0 && position !== 0) {
        position /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      hash = sha256(nodePrefix, hash, other);
    }
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && hash.toString('hex') === commitment.root;
}

/**
 * Makes sure that a suite is the one that was committed to.
 * @throws JudgeError `COMMITMENT_MISMATCH`.
 */
export function checkCommitment(commitment: OracleCommitment, suite: Suite): void {
  if (treeHash(hashLeaves(suite, commitment.salts)).toString('hex') !== commitment.root)
    throw new JudgeError(
      'COMMITMENT_MISMATCH',
      `The suite '${suite.id}' is not the one that was committed to`,
    );
}
