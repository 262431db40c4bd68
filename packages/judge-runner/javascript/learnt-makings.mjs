/* Which objects the reference only compared: at their places an artifact learns of its objects when they are compared. */

/** Most objects that the reference made at one place, of which some were only compared. */
const maxPlaces = 200;

/** @param sites places in the suite's files */
export function createMakings(sites) {
  /** Objects that the reference made, and places of comparisons with those that it knew before it answered. */
  const noted = [];
  const early = [];
  /** How many objects the running test has made at each place. */
  const counts = new Map();

  return {
    /** The place at which the test makes an object, and the same with the number of the object in the running test. */
    placesOf() {
      const where = sites.isGuided ? sites.place('waits') : null;
      if (where === null) return [null, null];
      counts.set(where, (counts.get(where) ?? 0) + 1);
      return [where, `${where}#${counts.get(where)}@${sites.test()}`];
    },
    /** Notes an object of the reference; undefined for one of an artifact. */
    note(where, exact) {
      if (!sites.isLearning) return undefined;
      const made = { where, exact, isUsed: false, isCompared: false };
      noted.push(made);
      return made;
    },
    /** Notes a comparison with an object that was known. Whether an artifact's will be is known in the end. */
    noteEarly: (made) => void early.push([sites.place('early'), made]),
    beginTest: () => counts.clear(),
    /** Places at which an artifact's objects wait, and those of comparisons at which they are known. */
    learnt() {
      const found = new Set();
      for (const [where, parts] of Map.groupBy(noted, (each) => each.where)) {
        const waits = parts.filter((each) => each.isCompared && !each.isUsed);
        if (where === null) continue;
        if (waits.length === parts.length) found.add(where);
        else if (waits.length <= maxPlaces) for (const { exact } of waits) found.add(exact);
      }
      // One that was converted before is known, though it waits.
      const isUnknown = (made) => !made?.isConverted && (found.has(made?.where) || found.has(made?.exact));
      return [...found, ...early.flatMap(([at, made]) => (at === null || isUnknown(made) ? [] : [at]))];
    },
  };
}
