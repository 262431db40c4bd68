import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');
const workflows = globSync('.github/workflows/*.yml', { cwd: root }).toSorted();

describe('workflows of continuous integration', () => {
  it.each(workflows)('run only commands that there are: %s (X-18)', (file) => {
    const { scripts } = JSON.parse(read('package.json'));
    for (const [, name = ''] of read(file).matchAll(/npm run ([\w-]+)/g))
      expect(scripts).toHaveProperty(name);
    for (const [, path = ''] of read(file).matchAll(/(?:run: |uses: )(\.[\w./-]+)$/gm))
      expect(existsSync(resolve(root, path)), path).toBe(true);
  });

  it('publish after the tests, with provenance, and grant nothing else that right (X-18)', () => {
    const { permissions, jobs } = parse(read('.github/workflows/release.yml'));
    expect(permissions).toEqual({ contents: 'read' });
    expect(jobs.release.needs).toBe('test');
    expect(jobs.release.permissions['id-token']).toBe('write');
    const others = workflows.filter((file) => basename(file) !== 'release.yml').map(read);
    for (const text of others) expect(text).not.toContain('id-token');
    for (const file of globSync('packages/*/package.json', { cwd: root }))
      expect(JSON.parse(read(file)).publishConfig, file).toMatchObject({
        access: 'public',
        provenance: true,
      });
  });
});
