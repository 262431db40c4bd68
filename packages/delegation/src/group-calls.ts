/** Most calls of one group. */
const maxGroup = 500;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Groups calls: those that are made while an earlier group runs are carried out together, in their order. When a group fails, each of
 * its calls is repeated alone, so that one that cannot succeed stops no other.
 *
 * @param run - carries out a group, and returns a result per item. It is called again with single items after a failure, so that a group
 *   which fails must have had no effect, or one that may be repeated
 */
export function groupCalls<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;

  const together = async (group: readonly Waiting<Item, Result>[]): Promise<boolean> => {
    try {
      const results = await run(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
      return true;
    } catch {
      return false;
    }
  };

  const alone = async ({ item, resolve, reject }: Waiting<Item, Result>): Promise<void> => {
    try {
      const [result] = await run([item]);
      resolve(result as Result);
    } catch (error) {
      reject(error);
    }
  };

  const runAll = async (): Promise<void> => {
    isRunning = true;
    for (;;) {
      // Calls of the same moment are one group, and so are those of everyone who waited for the group before.
      await new Promise((resolve) => setImmediate(resolve));
      const group = waiting.splice(0, maxGroup);
      if (group.length === 0) break;
      if (group.length > 1 && (await together(group))) continue;
      for (const each of group) await alone(each);
    }
    isRunning = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void runAll();
    });
}
