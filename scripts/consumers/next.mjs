import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnvironment } from '../setup/process.mjs';
import { exec } from './exec.mjs';

const layout = `import type { ReactNode } from 'react';
export default function Layout({ children }: { children: ReactNode }) {
  return <html><body>{children}</body></html>;
}\n`;
const config = `import { join } from 'node:path';
export default { turbopack: { root: join(import.meta.dirname, '../..') } };\n`;

/** Builds the app in a folder with Next, starts it, and returns what its route answers to a message. */
export async function serveWithNext({ projects, node }, folder, env, message) {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  writeFileSync(join(folder, 'next.config.mjs'), config);
  writeFileSync(join(folder, 'app/layout.tsx'), layout);
  const next = join(projects.recipes, 'node_modules/next/dist/bin/next');
  await exec(node('newest'), [next, 'build'], { cwd: folder, env, limitMs: 2_400_000 });
  const server = spawn(node('newest'), [next, 'start', '--port', '0', '--hostname', '127.0.0.1'], {
    cwd: folder,
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await new Promise((resolve, reject) => {
      let text = '';
      server.stdout.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
        const found = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(text);
        if (found) resolve(found[0]);
      });
      server.on('exit', () => reject(new Error(`Next ended: ${text}`)));
    });
    const response = await fetch(`${url}/api/agent`, { method: 'POST', body: JSON.stringify(message) });
    return await response.text();
  } finally {
    server.kill();
  }
}
