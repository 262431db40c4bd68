import { mainOf, modulesOf } from './artifact-modules.ts';
import { isTestTool, packageOf } from './known-packages.ts';
import type { SuiteSyntax } from './split-lines.ts';
import type { CodeArtifact, NodeTestSuite, PytestSuite } from './suite.ts';
import { textFilesOf } from './suite-files.ts';
import type { UnsupportedConstruct } from './unsupported.ts';

type TestFiles = PytestSuite | NodeTestSuite;

/** A module that a suite's file needs from an artifact, and the first place that imports it. */
export interface RequiredModule {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** In Python its first part; in JavaScript as the file names it. */
  readonly module: string;
}

/** Most names in a sentence. */
const maxNamed = 5;
const listed = (names: readonly string[]): string =>
  [...names.slice(0, maxNamed), ...(names.length > maxNamed ? ['…'] : [])].join(', ');

/** The field of a suite that declares packages. */
const fieldOf = ({ language }: TestFiles): string =>
  `\`${language === 'python' ? 'python' : 'node'}.packages\``;

/** An import at the beginning of a line of JavaScript, and what it names. What is indented may be below `try`. */
const needed =
  /^(?:import|export|const|let|var)\b[^'"`;]*?(?:\bfrom|\bimport|\brequire\s*\()\s*['"`]([^'"`]+)['"`]|^import\s*['"]([^'"]+)['"]/gm;

/** Returns the modules that the tests import unconditionally and that only an artifact can have, each once. Pure. */
function requiredModules(suite: TestFiles, syntax: SuiteSyntax | null): readonly RequiredModule[] {
  if (suite.language === 'python') return syntax?.required ?? [];
  const ofArtifact = new Set(syntax?.imports ?? []);
  const found = new Map<string, RequiredModule>();
  for (const [file, text] of Object.entries(textFilesOf(suite.files))) {
    if (!/\.[cm]?js$/.test(file)) continue;
    for (const match of text.matchAll(needed)) {
      const module = match[1] ?? match[2] ?? '';
      if (!ofArtifact.has(module) || found.has(module)) continue;
      const line = text.slice(0, match.index).split('\n').length;
      found.set(module, { file, line, module });
    }
  }
  return [...found.values()];
}

/** The name of a module that a specifier of JavaScript stands for in the artifact, as its files may be called. */
function namesOf({ file, module }: RequiredModule, main: string | undefined): readonly string[] {
  const bare = (path: string) => path.replace(/\.[cm]?js$/, '');
  if (!/^\.{1,2}(?:\/|$)/.test(module)) return [bare(module)];
  const { pathname } = new URL(module, `file:///suite/${file}`);
  const path = pathname.replace(/^\/(?:suite\/)?/, '').replace(/\/$/, '');
  return path === '' ? [bare(main ?? 'index'), 'index'] : [bare(path), `${path}/index`];
}

/** Returns what an artifact lacks of the modules that a suite requires. Pure. */
function missingModules(
  required: readonly RequiredModule[],
  artifact: CodeArtifact,
): readonly RequiredModule[] {
  const modules = modulesOf(artifact);
  if (artifact.language !== 'javascript') {
    const own = new Set(modules.map((name) => name.split('.')[0]));
    return required.filter(({ module }) => !own.has(module));
  }
  const own = new Set(modules.map((name) => name.replace(/\.[cm]?js$/, '')));
  const main = mainOf(artifact);
  return required.filter(
    (each) => each.module !== main?.name && !namesOf(each, main?.file).some((name) => own.has(name)),
  );
}

/** Returns a module of JavaScript without the part inside of its package: `lodash` of `lodash/fp`. Pure. */
function packageName({ module }: RequiredModule): string {
  const parts = module.split('/');
  return parts.slice(0, module.startsWith('@') ? 2 : 1).join('/');
}

/**
 * Returns imports of a suite that no artifact should have to satisfy, and that the suite does not declare: test tools that are not
 * taken, and well-known packages beside other modules. (A suite that imports nothing else may judge the package itself.) Decided
 * without the artifact's help: `given` is the artifact or the reference, whose own modules are never meant. Pure.
 */
export function undeclaredIn(
  suite: TestFiles,
  syntax: SuiteSyntax | null,
  given: CodeArtifact | null,
): readonly (UnsupportedConstruct & { readonly module: string })[] {
  const required = requiredModules(suite, syntax);
  const missing = given === null ? required : missingModules(required, given);
  const tools = missing.filter(({ module }) => isTestTool(suite.language, module));
  const packages = missing.filter((each) => packageOf(suite.language, packageName(each)) !== null);
  return [
    ...tools.map(({ file, line, module }) => ({
      ...{ file, line, module },
      construct: `imports ${module}, whose tests are not taken: import test and describe from 'node:test', and assertions from 'node:assert'`,
    })),
    ...(packages.length === required.length ? [] : packages).map((each) => ({
      ...each,
      construct: `imports ${each.module}, which is a package that the suite does not declare: add ${packageOf(suite.language, packageName(each))} to ${fieldOf(suite)}`,
    })),
  ];
}

/** Returns modules that a reference lacks, which is all that its suite may import beside declared packages. Pure. */
export const lackedByReference = (
  suite: TestFiles,
  syntax: SuiteSyntax | null,
  reference: CodeArtifact,
): readonly UnsupportedConstruct[] =>
  missingModules(requiredModules(suite, syntax), reference).map(({ file, line, module }) => ({
    ...{ file, line },
    construct: `imports ${module}, which the reference does not have: declare its package in ${fieldOf(suite)}, or add the module to the reference`,
  }));

/** Files of an artifact as a sentence names them. */
function nameFiles(artifact: CodeArtifact): string {
  const language = artifact.language === 'javascript' ? /\.[cm]?js$/ : /\.py$/;
  if ('source' in artifact) return artifact.language === 'javascript' ? 'solution' : 'solution.py';
  const names = Object.keys(artifact.files);
  const modules = names.filter((name) => language.test(name));
  return listed(modules.length > 0 ? modules : names);
}

/**
 * Returns a sentence for an artifact that has none of the modules that a suite imports, as when its file has another name; null
 * for any other. Shows names of modules only. Pure.
 */
export function otherNames(
  suite: TestFiles,
  syntax: SuiteSyntax | null,
  artifact: CodeArtifact,
): string | null {
  const required = requiredModules(suite, syntax);
  if (required.length === 0 || missingModules(required, artifact).length < required.length) return null;
  const imported = [...new Set(required.map(({ module }) => module))];
  return `The suite imports ${listed(imported)}, and the artifact is ${nameFiles(artifact)}: rename it, or give a folder.`;
}

/** Names the module that an error of an import says to be missing: a group, in Python and in Node. */
const notFound = /No module named '([\w.]+)'|Cannot find (?:module|package) '([^']+)'/u;

/** Adds to the reason of a test that failed for a module which the artifact lacks that the module may be a package's. Pure. */
export function withMissingModule(
  reason: string,
  suite: TestFiles,
  syntax: SuiteSyntax | null,
  artifact: CodeArtifact,
): string {
  const [, python, node] = notFound.exec(reason) ?? [];
  if (python === undefined && node === undefined) return reason;
  const own = missingModules(requiredModules(suite, syntax), artifact).find((each) =>
    python === undefined
      ? node === packageName(each) || node?.endsWith(each.module.replace(/^[./]+/, '/'))
      : python.split('.')[0] === each.module,
  );
  if (own === undefined) return reason;
  const hint = own.module.startsWith('.')
    ? ''
    : `; if the suite means a package, it has to declare it in ${fieldOf(suite)}`;
  return `${reason} (the artifact has no module ${own.module}${hint})`;
}
