// Run by describe-store.test.ts in a vitest of its own: what the kit makes of good and of bad stores.
import { writeFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import { describeStore, type OpenedStore, type OpenStore } from '../../../src/testing/index.ts';

interface Shelf {
  put(thing: string): void;
  all(): readonly string[];
}

const opened: string[] = [];
const closed: string[] = [];

const shelf: OpenStore<Shelf> = () => {
  const things: string[] = [];
  const name = `${opened.length}`;
  opened.push(name);
  const store: Shelf = { put: (thing) => void things.push(thing), all: () => things };
  return { store, close: () => void closed.push(name), reopen: () => store };
};

const groups = {
  'putting things': {
    'LED-1 keeps what was put': (store: Shelf) => {
      store.put('a');
      expect(store.all()).toEqual(['a']);
    },
    'LED-2 is empty at first': (store: Shelf) => {
      store.put('b');
      expect(store.all()).toEqual(['b']);
    },
  },
  'failing on purpose': {
    'fails and is closed all the same': () => {
      throw new Error('on purpose');
    },
  },
  restarting: {
    'keeps things across a restart': async (store: Shelf, { reopen }: OpenedStore<Shelf>) => {
      store.put('c');
      expect((await reopen?.())?.all()).toEqual(['c']);
    },
  },
};

describeStore('shelf', shelf, groups);
describeStore('careful shelf', shelf, groups, { skip: { 'failing on purpose': 'it is made so' } });

// The types know the groups and the store without being told.
describeStore(
  'inline shelf',
  shelf,
  {
    one: { one: async (store, { reopen }) => expect((await reopen?.())?.all()).toEqual(store.all()) },
    two: { two: () => {} },
    three: {
      'needs what this one has not': (_store, { forAgent }, skip) => {
        if (!forAgent) skip('no agents share a shelf');
        throw new Error('never reached');
      },
    },
  },
  { skip: { two: 'not here' } },
);

let writerActiveMessage = '';
try {
  describeStore('misspelt', shelf, groups, { skip: { ['puting things' as 'restarting']: 'a slip' } });
} catch (error) {
  writerActiveMessage = (error as Error).message;
}

afterAll(() => {
  writeFileSync(
    process.env.KIT_REPORT ?? '/dev/null',
    JSON.stringify({ opened, closed, writerActiveMessage }),
  );
});
