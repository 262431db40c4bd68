import { sanitizeRemoteText } from '@bonafide/internal';
import { buildEnvironment } from '@bonafide/judge-runner';
import type { Printer } from '../../print.ts';
import { type BackendOptions, openSandbox } from './backend.ts';
import { readSuite } from './read.ts';

/** Runs `bonafide judge env build`. */
export async function judgeEnvBuild(
  suitePath: string,
  options: { readonly environments?: string; readonly json: boolean } & BackendOptions,
  print: Printer,
): Promise<void> {
  const { suite } = await readSuite(suitePath);
  const sandbox = await openSandbox(options);
  try {
    const { environments: folder } = options;
    const built = await buildEnvironment(suite, { sandbox, ...(folder === undefined ? {} : { folder }) });
    if (options.json) return print.json(built);
    print.table(
      [{ title: 'Package' }, { title: 'Version' }, { title: 'From' }],
      built.packages.map(({ name, version, source }) => [
        sanitizeRemoteText(name, 100),
        sanitizeRemoteText(version, 60),
        source,
      ]),
    );
    print.line();
    print.line(`Environment ${built.hash}`);
  } finally {
    await sandbox.close();
  }
}
