/** One file of a project. */
export interface ProjectFile {
  /** Path in the project. */
  readonly path: string;
  readonly text: string;
  /** Access mode; 0o600 for the key. */
  readonly mode: number;
}

/** Input of {@link filesOf}. */
export interface ProjectOptions {
  /** Name of the package. */
  readonly name: string;
  /** Addresses of the relays that the agent uses. */
  readonly relays: readonly string[];
  /** Secret key of the agent, as nsec. */
  readonly nsec: string;
  /** Version of the Bonafide packages that it depends on. */
  readonly version: string;
  /** Texts of the files that are the same in every project, by path. */
  readonly template: Readonly<Record<string, string>>;
}

/** Checks types for editors and `npm run types`, by the rules of Node, which runs the programs as they are. */
const compilerOptions = {
  target: 'es2024',
  lib: ['esnext'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
};

/** Returns the files of a new agent. */
export function filesOf({ name, relays, nsec, version, template }: ProjectOptions): ProjectFile[] {
  const readable = (path: string, text: string) => ({ path, text, mode: 0o644 });
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  const manifest = {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    engines: { node: '^22.18 || >=23.6' },
    scripts: {
      start: 'node --disable-warning=ExperimentalWarning start.ts',
      hire: 'node --disable-warning=ExperimentalWarning hire.ts',
      report: 'bonafide report --workspace data',
      types: 'tsc',
    },
    dependencies: Object.fromEntries(importsOf(template).map((each) => [each, `^${version}`])),
    devDependencies: { '@types/node': '^24.0.0', typescript: '^7.0.0' },
  };
  return [
    readable('package.json', json(manifest)),
    readable('agent.config.json', json({ relays, taskType: 'code-generation', kind: 5000, jobMsat: 1000 })),
    readable('tsconfig.json', json({ compilerOptions })),
    // npm leaves files of this name out of a package.
    readable('.gitignore', 'agent.key\ndata/\nnode_modules/\n.pnp.*\n.yarn/\n'),
    { path: 'agent.key', text: `${nsec}\n`, mode: 0o600 },
    ...Object.entries(template).map(([path, text]) => readable(path, text.replaceAll('{{name}}', name))),
  ];
}

/** Returns the Bonafide packages that the programs import. */
function importsOf(template: ProjectOptions['template']): string[] {
  const programs = Object.entries(template).flatMap(([path, text]) => (path.endsWith('.ts') ? [text] : []));
  const found = programs.flatMap((text) =>
    [...text.matchAll(/ from '(@bonafide\/[\w-]+)/g)].map(([, each = '']) => each),
  );
  return [...new Set(found)].sort();
}
