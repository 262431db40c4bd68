/**
 * Modules of well-known packages of Python, by the package that brings each. A suite that imports one beside the artifact means the
 * package. Names that a module of an artifact is likely to have are left out: a reference decides those.
 */
const python: Readonly<Record<string, string>> = {
  numpy: 'numpy',
  pandas: 'pandas',
  scipy: 'scipy',
  sklearn: 'scikit-learn',
  matplotlib: 'matplotlib',
  sympy: 'sympy',
  networkx: 'networkx',
  torch: 'torch',
  tensorflow: 'tensorflow',
  jax: 'jax',
  polars: 'polars',
  pyarrow: 'pyarrow',
  cv2: 'opencv-python-headless',
  PIL: 'pillow',
  requests: 'requests',
  requests_mock: 'requests-mock',
  httpx: 'httpx',
  aiohttp: 'aiohttp',
  flask: 'flask',
  django: 'django',
  fastapi: 'fastapi',
  starlette: 'starlette',
  pydantic: 'pydantic',
  sqlalchemy: 'sqlalchemy',
  yaml: 'pyyaml',
  lxml: 'lxml',
  bs4: 'beautifulsoup4',
  dateutil: 'python-dateutil',
  pytz: 'pytz',
  freezegun: 'freezegun',
  time_machine: 'time-machine',
  hypothesis: 'hypothesis',
  hamcrest: 'pyhamcrest',
  parameterized: 'parameterized',
  faker: 'faker',
  pytest_mock: 'pytest-mock',
  pytest_asyncio: 'pytest-asyncio',
  pytest_benchmark: 'pytest-benchmark',
  sortedcontainers: 'sortedcontainers',
  typing_extensions: 'typing-extensions',
  psutil: 'psutil',
  boto3: 'boto3',
};

/** Well-known packages of npm. */
const node: ReadonlySet<string> = new Set([
  ...[
    'lodash',
    'underscore',
    'ramda',
    'rxjs',
    'zod',
    'axios',
    'express',
    'fastify',
    'koa',
    'react',
    'react-dom',
  ],
  ...[
    'moment',
    'dayjs',
    'date-fns',
    'uuid',
    'nanoid',
    'chai',
    'sinon',
    'fast-check',
    'supertest',
    'nock',
    'jsdom',
  ],
]);

/** Test tools other than node:test, whose tests are not taken. */
const testTools: ReadonlySet<string> = new Set([
  'vitest',
  '@jest/globals',
  'jest',
  'mocha',
  'ava',
  'tap',
  'tape',
  'bun:test',
  'uvu',
]);

/** Returns the well-known package that brings a module, as it is declared; null for any other module. Pure. */
export function packageOf(language: string, module: string): string | null {
  if (language === 'python') return Object.hasOwn(python, module) ? (python[module] ?? null) : null;
  return node.has(module) ? module : null;
}

/** Returns true for a test tool of JavaScript whose tests are not taken. Pure. */
export const isTestTool = (language: string, module: string): boolean =>
  language === 'javascript' && testTools.has(module);
