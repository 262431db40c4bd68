import { describe, expect, it } from 'vitest';
import { isReachable } from '../src/languages/node-program.ts';

describe('the Node of JavaScript artifacts', () => {
  const modes: Readonly<Record<string, number>> = {
    '/': 0o755,
    '/root': 0o700,
    '/root/app': 0o755,
    '/opt': 0o711,
  };
  const modeOf = (path: string) => modes[path] ?? 0o755;

  it('JDG-7 is reachable when every folder on the way lets everybody through', () => {
    expect(isReachable('/usr/bin/node', modeOf)).toBe(true);
    expect(isReachable('/opt/node', modeOf)).toBe(true);
    expect(isReachable('/root/app/node', modeOf)).toBe(false);
  });
});
