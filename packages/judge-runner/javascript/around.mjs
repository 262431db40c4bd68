/* What a test has changed around itself, done in the artifact's box as well, and what the artifact changes there. */
import { absent, differences, held, ownerOf, put } from './owners.mjs';
import { createSharedFiles, temporaryFolder } from './shared-files.mjs';

const environment = () => ({ ...process.env });
const { chdir, cwd } = process;

/**
 * @param arrive how a value of the test arrives
 * @param leave how a value of ours leaves
 */
export function createAround({ arrive, leave }) {
  /** What the tester wants to know of; null until it has said so. */
  let watch = null;
  let files = null;
  /** What the artifact had before the test replaced it. */
  const originals = new Map();
  /** What both sides know. */
  const known = {};
  const places = new Map();
  const home = cwd();

  const begin = (told) => {
    watch = told;
    if (watch.files) files = createSharedFiles(temporaryFolder);
    Object.assign(known, { env: environment(), exitCode: process.exitCode, folder: home });
    for (const [owner, name] of watch.places) {
      const value = held(ownerOf(owner), name);
      places.set(`${owner} ${name}`, { owner, name, original: value, known: value });
    }
  };
  const replace = ([owner, name, ...value]) => {
    const object = ownerOf(owner);
    const path = `${owner} ${name}`;
    if (!originals.has(path)) originals.set(path, held(object, name));
    put(
      object,
      name,
      value.length === 0 ? originals.get(path) : value[0] === null ? absent : arrive(value[0]),
    );
    if (places.has(path)) places.get(path).known = held(object, name);
  };

  return {
    /** Does what the test has done since the last question. */
    take({ around: told = {}, files: changed = [] }) {
      if (told.watch !== undefined) begin(told.watch);
      for (const [name, value] of told.env ?? [])
        if (value === null) delete process.env[name];
        else process.env[name] = value;
      if (told.env !== undefined) known.env = environment();
      if ('exitCode' in told) {
        process.exitCode = told.exitCode ?? undefined;
        known.exitCode = process.exitCode;
      }
      if (told.argv !== undefined) process.argv = told.argv;
      files?.arrive(changed);
      if (told.folder !== undefined) {
        chdir(told.folder ?? home);
        known.folder = cwd();
      }
      for (const each of told.replaced ?? []) replace(each);
    },
    /** What the artifact has done since, for an answer. */
    changed() {
      if (watch === null) return {};
      const told = {};
      if (watch.env) {
        const env = environment();
        const changed = differences(env, known.env);
        known.env = env;
        if (changed.length > 0) told.env = changed;
      }
      if (watch.exitCode && process.exitCode !== known.exitCode) {
        known.exitCode = process.exitCode;
        told.exitCode = process.exitCode === undefined ? null : Number(process.exitCode);
      }
      if (watch.folder && cwd() !== known.folder) {
        known.folder = cwd();
        told.folder = known.folder === home ? null : known.folder;
      }
      const changed = files?.changed() ?? [];
      const replaced = [...places.values()].flatMap((place) => {
        const now = held(ownerOf(place.owner), place.name);
        if (now === place.known) return [];
        place.known = now;
        if (now === place.original) return [[place.owner, place.name]];
        return [[place.owner, place.name, now === absent ? null : leave(now)]];
      });
      if (replaced.length > 0) told.replaced = replaced;
      return {
        ...(Object.keys(told).length === 0 ? {} : { around: told }),
        ...(changed.length === 0 ? {} : { files: changed }),
      };
    },
  };
}
