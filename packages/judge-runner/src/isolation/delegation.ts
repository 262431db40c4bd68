import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { findExecutable, systemPaths } from './machine.ts';

const run = promisify(execFile);

/** A scope or service of systemd. */
export interface Unit {
  readonly name: string;
  /** The user id whose systemd manager runs the unit, or null for the system's manager. */
  readonly owner: number | null;
}

/**
 * Parses the unit that a version 2 cgroup belongs to; null when the cgroup is not a unit's top group. Pure.
 */
export function unitOf(folder: string): Unit | null {
  const name = basename(folder);
  if (!/\.(?:scope|service)$/.test(name)) return null;
  const owner = /\/user@(\d+)\.service\//.exec(folder)?.[1];
  return { name, owner: owner === undefined ? null : Number(owner) };
}

/** True when systemd delegated the group (`Delegate=yes`), so that its inside may be rearranged. */
export async function isDelegated(folder: string): Promise<boolean> {
  const unit = unitOf(folder);
  const systemctl = unit && (await findExecutable(systemPaths('systemctl')));
  if (!systemctl) return false;
  const [manager, env] =
    unit.owner === null ? ['--system', {}] : ['--user', { XDG_RUNTIME_DIR: `/run/user/${unit.owner}` }];
  const question = [manager, 'show', '--property=Delegate', '--value', '--', unit.name];
  const answer = await run(systemctl, question, { env, cwd: '/', timeout: 5000 }).catch(() => null);
  return answer?.stdout.trim() === 'yes';
}
