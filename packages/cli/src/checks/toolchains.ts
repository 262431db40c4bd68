import { probeToolchains } from '@bonafide/judge-runner';
import { type Check, ok } from './check.ts';

/** Lists the languages whose programs can be judged, and the line that installs each of the others. */
export async function checkToolchains(
  probe: typeof probeToolchains = probeToolchains,
): Promise<readonly Check[]> {
  const found = await probe();
  const installed = found.filter(({ version }) => version !== null);
  const missing = found.filter(({ version }) => version === null);
  const detail = installed.map(({ language, version }) => `${language} ${version}`.trim()).join(', ');
  return [
    ok('Languages of programs', detail),
    ...missing.map(({ language, remedy }) => ({
      ...ok(`Language ${language}`, 'not installed; suites of other languages work'),
      remedy,
    })),
  ];
}
