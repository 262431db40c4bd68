import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type AdjustmentProposal, type ProposeInput, proposeAdjustment } from '../src/index.ts';

export const start = Date.UTC(2026, 0, 5, 12);

/** A temporary folder. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'bonafide-correction-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A file with two thresholds, a byte order mark, CRLF and a secret. */
export const source = [
  '\ufeff# -*- coding: utf-8 -*-',
  'API_KEY = "sk-secret-123456"  # never shown',
  'TRUST_THRESHOLD_CODE: float = 0.60  # production',
  'TRUST_THRESHOLD_PROSE = 0.50',
  '',
].join('\r\n');

/** A bare repository with the file, made by git. */
export function repository(text = source, path = 'orchestrator.py') {
  const at = folder();
  const work = join(at, 'work');
  const bare = join(at, 'bare.git');
  const git = (cwd: string, ...args: string[]) =>
    execFileSync(
      'git',
      [
        '-C',
        cwd,
        '-c',
        'user.name=Operator',
        '-c',
        'user.email=o@localhost',
        '-c',
        'core.autocrlf=false',
        ...args,
      ],
      { encoding: 'utf8' },
    );
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', bare]);
  execFileSync('git', ['init', '-q', '-b', 'main', work]);
  writeFileSync(join(work, path), text);
  writeFileSync(join(work, 'README.md'), 'The agent.\n');
  git(work, 'add', '.');
  git(work, 'commit', '-qm', 'First');
  git(work, 'push', '-q', bare, 'main');
  return {
    bare,
    folder: at,
    git: (...args: string[]) => git(bare, ...args),
    /** Commits another text on the base branch, as a person does. */
    edit(name: string, content: string) {
      git(work, 'pull', '-q', bare, 'main');
      writeFileSync(join(work, name), content);
      git(work, 'commit', '-qam', 'By hand');
      git(work, 'push', '-q', bare, 'main');
    },
  };
}

const npub = 'npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6';

/** A proposal of +0.15 for the task `code`, or with other outcomes or values. */
export function input(
  rest: Partial<ProposeInput> = {},
  change: Partial<AdjustmentProposal> = {},
): ProposeInput {
  const proposal = proposeAdjustment([...Array(20).fill(true), false, ...Array(20).fill(true)], 0.6);
  if (proposal === null) throw new Error('no pattern');
  return {
    task: 'code',
    proposal: { ...proposal, ...change },
    trigger: { outcome: 'SUCCESS', platform: npub, eventId: 'ab'.repeat(32), score: 0.94 },
    ...rest,
  };
}
