import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = resolve(import.meta.dirname, '../src');

describe('the codec', () => {
  // Inputs by reference read other people's events (NIP-94), which are no jobs.
  const outside = globSync('**/*.ts', { cwd: source }).filter(
    (file) => !/^(codec|testing|references)\//.test(file),
  );

  it.each(outside)('JOB-0 is the only one that knows of tags: %s', (file) => {
    expect(readFileSync(join(source, file), 'utf8')).not.toMatch(/\.tags\b|\btags:/);
  });
});
