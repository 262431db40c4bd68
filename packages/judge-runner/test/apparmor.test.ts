import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apparmorProfile, loadProfileCommand } from '../src/assets.ts';
import { diagnoseRefusal } from '../src/bubblewrap/diagnose.ts';
import { apparmorLayer } from '../src/isolation/protection.ts';

const profiles = ['bonafide-bwrap', 'bonafide-judge-artifact'] as const;
/** From the environment where it is not installed; it needs the folder with its abi and tunables then. */
const parser = [process.env.APPARMOR_PARSER ?? '', '/usr/sbin/apparmor_parser', '/sbin/apparmor_parser'].find(
  (path) => path !== '' && existsSync(path),
);
const base = process.env.APPARMOR_BASE ?? '/etc/apparmor.d';

describe('AppArmor', () => {
  it('JDG-9 both profiles ship, and the remedy names the one that is needed', () => {
    for (const name of profiles) {
      const text = readFileSync(apparmorProfile(name), 'utf8');
      expect(text).toContain(`profile ${name} `);
      expect(loadProfileCommand(name)).toMatch(/^sudo cp '\/.*\/apparmor\/[a-z-]+' \/etc\/apparmor\.d\/ && /);
    }
    const { remedy } = diagnoseRefusal('bwrap: setting up uid map: Permission denied', {
      ...{ platform: 'linux', architecture: 'x64', osRelease: null, apparmorRestrictsUserns: '1' },
      ...{ unprivilegedUsernsClone: null, maxUserNamespaces: null, inContainer: false },
    });
    expect(remedy).toBe(loadProfileCommand('bonafide-bwrap'));
    const manifest: { files: string[] } = JSON.parse(
      readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
    );
    expect(manifest.files).toContain('apparmor');
  });

  it('JDG-9 a box under the profile says so, one without names the line that loads it', () => {
    expect(apparmorLayer(null)).toEqual([]);
    expect(apparmorLayer('bonafide-judge-artifact (enforce)\n')).toEqual([
      { name: 'apparmor', inForce: true, detail: 'confined by bonafide-judge-artifact (enforce)' },
    ]);
    for (const label of [
      'unconfined\n',
      'bonafide-judge-artifact (complain)\n',
      'docker-default (enforce)\n',
    ])
      expect(apparmorLayer(label)).toMatchObject([
        { inForce: false, detail: expect.stringContaining('apparmor_parser') },
      ]);
  });

  for (const name of profiles) {
    // The rule for user namespaces came with AppArmor 4.
    const abi = /<(abi\/[\d.]+)>/.exec(readFileSync(apparmorProfile(name), 'utf8'))?.[1] ?? '';
    it.runIf(parser && existsSync(`${base}/${abi}`))(`JDG-9 ${name} is understood by apparmor_parser`, () => {
      const options = ['--skip-kernel-load', '--skip-cache', '--base', base, apparmorProfile(name)];
      expect(() => execFileSync(parser ?? '', options, { stdio: 'pipe' })).not.toThrow();
    });
  }
});
