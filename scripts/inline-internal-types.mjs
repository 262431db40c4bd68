// Run in a package's folder after `tsc` wrote its declarations: copies the private package's
// declarations beside them and points the imports there, so that the published package is complete.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const internal = resolve(import.meta.dirname, '../internal/dist');
const dist = resolve('dist');
const copy = join(dist, 'internal');
const declaration = /\.d\.ts$/;
const imported = /(['"])@bonafide\/internal\1/g;

let users = 0;
rmSync(copy, { recursive: true, force: true });
for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!declaration.test(file)) continue;
  const path = join(dist, file);
  const text = readFileSync(path, 'utf8');
  const here = relative(dirname(path), join(copy, 'index.d.ts'));
  const target = here.startsWith('.') ? here : `./${here}`;
  const rewritten = text.replace(imported, `$1${target.replace(declaration, '.js')}$1`);
  if (rewritten === text) continue;
  writeFileSync(path, rewritten);
  users += 1;
}
if (users > 0) {
  if (!existsSync(internal)) throw new Error('Build internal first: pnpm --filter @bonafide/internal build');
  cpSync(internal, copy, { recursive: true, filter: (path) => !path.endsWith('.map') });
}
