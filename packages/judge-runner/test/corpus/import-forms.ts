/*
 * The ways in which the files of a suite come by names of an artifact. What is believed of an answer must not depend on them.
 */

/** Files by name. */
type Files = Readonly<Record<string, string>>;
/** Rewrites tests that import names from `solution` so that they come from a module of another name, in another way. */
export type ImportForm = (
  module: string,
  source: string,
  tests: string,
) => { readonly artifact: Files; readonly suite: Files };
type Forms = Readonly<Record<string, ImportForm>>;

const importOfPython = /from solution import (.*)/;
const importOfJavascript = /import \{ (.*?) \} from 'solution';/;
const namesIn = (tests: string, imports: RegExp): readonly string[] =>
  (imports.exec(tests)?.[1] ?? '').split(',').map((name) => name.trim());
/** `Money` becomes `own.Money`, but not in texts. */
const asAttributes = (tests: string, names: readonly string[]): string =>
  names.reduce(
    (text, name) => text.replace(new RegExp(`(?<![\\w.'"])${name}(?![\\w'"])`, 'g'), `own.${name}`),
    tests,
  );
const bound = (names: readonly string[], read: (name: string) => string): string =>
  names.map((name) => `${name} = ${read(name)}`).join('\n');

/** A form whose tests have other lines in the place of the import, and perhaps a file beside them. */
const python =
  (
    importing: (module: string, names: readonly string[]) => string,
    {
      isAttribute = false,
      helper,
    }: { isAttribute?: boolean; helper?: (module: string, names: readonly string[]) => string } = {},
  ): ImportForm =>
  (module, source, tests) => {
    const names = namesIn(tests, importOfPython);
    const [before = '', after = ''] = tests.split(importOfPython.exec(tests)?.[0] ?? '');
    const body = isAttribute ? asAttributes(after, names) : after;
    return {
      artifact: { [`${module}.py`]: source },
      suite: {
        ...(helper === undefined ? {} : { [`helpers_${module}.py`]: `${helper(module, names)}\n` }),
        [`test_${module}.py`]: `${before}${importing(module, names)}${body}`,
      },
    };
  };
const all = (module: string) => `from ${module} import *`;
export const namesOfPython = python((module, names) => `from ${module} import ${names.join(', ')}`);
/** Ways of Python. */
export const formsOfPython: Forms = {
  'all names': python(all),
  'attributes of the module': python((module) => `import ${module} as own`, { isAttribute: true }),
  'names for attributes': python(
    (module, names) => `import ${module} as own\n${bound(names, (name) => `own.${name}`)}`,
  ),
  'attributes by text': python(
    (module, names) => `import ${module} as own\n${bound(names, (name) => `getattr(own, '${name}')`)}`,
  ),
  'module by text': python(
    (module, names) =>
      `import importlib\nown = importlib.import_module('${module}')\n${bound(names, (name) => `own.${name}`)}`,
  ),
  'names of a file of the suite': python(
    (module, names) => `from helpers_${module} import ${names.join(', ')}`,
    { helper: (module, names) => `from ${module} import ${names.join(', ')}` },
  ),
  'all names of a file of the suite': python((module) => all(`helpers_${module}`), { helper: all }),
  'names of a file that imports all': python(
    (module, names) => `from helpers_${module} import ${names.join(', ')}`,
    { helper: all },
  ),
  'attributes of a file that imports all': python((module) => `import helpers_${module} as own`, {
    ...{ isAttribute: true, helper: all },
  }),
  'package that passes them on': (module, source, tests) => ({
    artifact: {
      [`p_${module}/__init__.py`]: `from .core import ${namesIn(tests, importOfPython).join(', ')}\n`,
      [`p_${module}/core.py`]: source,
    },
    suite: { [`test_${module}.py`]: tests.replace('from solution', `from p_${module}`) },
  }),
};

const javascript =
  (
    importing: (module: string, names: string) => string,
    {
      isAttribute = false,
      helper,
    }: { isAttribute?: boolean; helper?: (module: string, names: string) => string } = {},
  ): ImportForm =>
  (module, source, tests) => {
    const names = namesIn(tests, importOfJavascript);
    const [before = '', after = ''] = tests.split(importOfJavascript.exec(tests)?.[0] ?? '');
    return {
      artifact: { [`${module}.mjs`]: source },
      suite: {
        ...(helper === undefined ? {} : { [`help_${module}.mjs`]: `${helper(module, names.join(', '))}\n` }),
        [`${module}.test.mjs`]: `${before}${importing(module, names.join(', '))}${isAttribute ? asAttributes(after, names) : after}`,
      },
    };
  };
/** An artifact of the older kind. */
const commonModule = (source: string, names: string): string =>
  `${source.replace(/^export default .*$/gm, '').replace(/export (?=class|function|async|const)/g, '')}\nmodule.exports = { ${names} };\n`;
export const namesOfJavascript = javascript((module, names) => `import { ${names} } from './${module}.mjs';`);
/** Ways of JavaScript. */
export const formsOfJavascript: Forms = {
  'names taken out of the module': javascript(
    (module, names) => `import * as own from './${module}.mjs';\nconst { ${names} } = own;`,
  ),
  'properties of the module': javascript((module) => `import * as own from './${module}.mjs';`, {
    isAttribute: true,
  }),
  'properties by text': javascript(
    (module, names) =>
      `import * as own from './${module}.mjs';\n${names
        .split(', ')
        .map((name) => `const ${name} = own['${name}'];`)
        .join('\n')}`,
  ),
  'names of an import at run time': javascript(
    (module, names) => `const { ${names} } = await import('./${module}.mjs');`,
  ),
  'names of a file of the suite': javascript(
    (module, names) => `import { ${names} } from './help_${module}.mjs';`,
    {
      helper: (module, names) => `export { ${names} } from './${module}.mjs';`,
    },
  ),
  'names of a file that passes on all': javascript(
    (module, names) => `import { ${names} } from './help_${module}.mjs';`,
    {
      helper: (module) => `export * from './${module}.mjs';`,
    },
  ),
  'module that passes them on': (module, source, tests) => ({
    artifact: {
      [`${module}.mjs`]: `export * from './core_${module}.mjs';\n`,
      [`core_${module}.mjs`]: source,
    },
    suite: { [`${module}.test.mjs`]: tests.replace("from 'solution'", `from './${module}.mjs'`) },
  }),
  'properties of the default export': (module, source, tests) =>
    javascript(() => `import own from './${module}.mjs';`, { isAttribute: true })(
      module,
      `${source}\nexport default { ${namesIn(tests, importOfJavascript).join(', ')} };\n`,
      tests,
    ),
  'module of the older kind that exports itself': (module, source, tests) => {
    const names = namesIn(tests, importOfJavascript).join(', ');
    return {
      artifact: {
        [`${module}.cjs`]: `${commonModule(source, names)}module.exports.default = module.exports;\n`,
      },
      suite: { [`${module}.test.mjs`]: tests.replace("from 'solution'", `from './${module}.cjs'`) },
    };
  },
};
