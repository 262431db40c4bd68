import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { load } from './bundlers.mjs';
import { exec } from './exec.mjs';
import { startModelServer } from './model-server.mjs';
import { serveWithNext } from './next.mjs';
import { recipes, writeRecipe } from './recipes.mjs';
import { toolOf } from './runtimes.mjs';
import { startWorker } from './worker.mjs';

/** Pages for an older major of an SDK, which the project has under another name. */
const aliases = { 'ai-sdk-6': { ai: 'ai-6', '@ai-sdk/openai': '@ai-sdk/openai-6' } };
/** Pages whose programs are compiled with the types of their own runtime, not Node's. */
const otherTypes = new Set(['bun', 'deno', 'workers']);
const greeting = { peerId: 'bob', channel: 'telegram', content: 'Here is your money. Thanks!' };
const thanks = 'You are welcome, Bob.';

/** Writes a page's files into the project, and returns their folder. */
function place({ projects }, recipe) {
  const folder = join(projects.recipes, 'recipes', recipe.name);
  writeRecipe(recipe, folder);
  for (const [name, alias] of Object.entries(aliases[recipe.name] ?? {})) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(projects.recipes, 'node_modules', alias), link);
  }
  return folder;
}

const environment = ({ url }) => ({
  OPENAI_BASE_URL: url,
  OPENAI_API_KEY: 'none',
  OPENAI_AGENTS_DISABLE_TRACING: '1',
  MASTRA_TELEMETRY_DISABLED: '1',
  NEXT_TELEMETRY_DISABLED: '1',
});

/** The model was offered the tools and told about its peer. */
function requireInformed(requests) {
  const first = JSON.stringify(requests[0]);
  for (const wanted of ['First contact', 'query_peer', 'list_peers', 'assess_peer'])
    if (!first.includes(wanted)) throw new Error(`The model was not sent '${wanted}': ${first}`);
}

/** Runs the commands of a page and compares what they print. */
async function checkCommands(context, recipe) {
  const folder = place(context, recipe);
  const model = await startModelServer();
  try {
    for (const { command, output } of recipe.runs) {
      const [program = '', ...args] = command.split(' ');
      const path = program === 'node' ? context.node('newest') : toolOf(context.projects.bare, program);
      const printed = await exec(path, args, { cwd: folder, env: environment(model) });
      if (printed !== output) throw new Error(`${command} printed\n${printed}instead of\n${output}`);
    }
    if (model.requests.length > 0) requireInformed(model.requests);
    return recipe.runs.map(({ command }) => command).join(', ');
  } finally {
    model.close();
  }
}

/** Compiles the programs of all pages for Node. */
async function checkTypes(context) {
  const pages = recipes().filter(({ name }) => !otherTypes.has(name));
  const files = pages.flatMap((recipe) => {
    const folder = place(context, recipe);
    return recipe.files.map(({ path }) => join(folder, path));
  });
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2023',
    lib: ['es2023', 'esnext.disposable', 'dom'],
    types: ['node'],
    module: 'esnext',
    moduleResolution: 'bundler',
    skipLibCheck: true,
  };
  const config = join(context.projects.recipes, 'tsconfig.recipes.json');
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  const compiler = join(context.projects.recipes, 'node_modules/typescript/bin/tsc');
  await exec(context.node('newest'), [compiler, '-p', config], { cwd: context.projects.recipes });
  return `${files.length} files of ${pages.length} pages`;
}

/** Bundles the page's Worker and asks it twice in workerd. */
async function checkWorkers(context, recipe) {
  const folder = place(context, recipe);
  const worker = await startWorker(context.projects.bare, join(folder, 'worker.ts'), {
    durableObjects: { AGENT: 'Agent' },
  });
  try {
    const post = async (path) =>
      await (await worker.fetch(path, { method: 'POST', body: JSON.stringify(greeting) })).text();
    const answers = [await post('/'), await post('/')];
    if (answers.join() !== 'Hello!,Hello again!') throw new Error(`The Worker answered ${answers}`);
    const card = JSON.parse(await post('/card'));
    if (card.ok !== false) throw new Error(`The Worker took a message for a card: ${JSON.stringify(card)}`);
    return 'a Durable Object in workerd, without flags';
  } finally {
    await worker.close();
  }
}

/** Calls the page's route handler; with `BONAFIDE_PROOF=full` also builds and serves it with Next. */
async function checkNext(context, recipe) {
  const folder = place(context, recipe);
  const model = await startModelServer();
  try {
    const { build } = await load(context.projects.recipes, 'esbuild');
    await build({
      entryPoints: [join(folder, 'app/api/agent/route.ts')],
      outfile: join(folder, 'route.mjs'),
      bundle: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
    });
    const caller = join(folder, 'call.mjs');
    writeFileSync(
      caller,
      `import { POST } from './route.mjs';
const body = ${JSON.stringify(JSON.stringify(greeting))};
const response = await POST(new Request('http://localhost/api/agent', { method: 'POST', body }));
console.log(response.status, await response.text());\n`,
    );
    const env = environment(model);
    const printed = await exec(context.node('newest'), [caller], { cwd: folder, env });
    if (printed !== `200 ${thanks}\n`) throw new Error(`The route answered ${printed}`);
    requireInformed(model.requests);
    if (!existsSync(join(context.projects.recipes, 'node_modules/next')))
      return 'the route handler called; BONAFIDE_PROOF=full builds it with Next';
    const answer = await serveWithNext(context, folder, env, greeting);
    if (answer !== thanks) throw new Error(`Next answered ${answer}`);
    return 'built and served by Next';
  } finally {
    model.close();
  }
}

const special = { workers: checkWorkers, next: checkNext };

/** @type {readonly import('./checks.mjs').Check[]} */
export const recipeChecks = [
  ...recipes().map((recipe) => ({
    name: `recipe ${recipe.name}`,
    run: (context) => {
      if (!(recipe.name in special) && recipe.runs.length === 0) throw new Error('The page runs nothing');
      return (special[recipe.name] ?? checkCommands)(context, recipe);
    },
  })),
  { name: 'types of recipes', run: checkTypes },
];
