import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';

/** A package of a registry, of version 1.0.0. */
export interface RegistryPackage {
  readonly manifest: object;
  readonly files: Readonly<Record<string, string>>;
  /** The integrity that the registry states; default the archive's. */
  readonly integrity?: string;
}

/** A registry of npm on this machine. */
export interface Registry extends AsyncDisposable {
  /** Runs `use` while npm asks this registry. */
  used<T>(use: () => Promise<T>): Promise<T>;
}

/** Starts a registry that serves packages as a registry of npm does. */
export async function startRegistry(
  folder: string,
  packages: Readonly<Record<string, RegistryPackage>>,
): Promise<Registry> {
  rmSync(folder, { recursive: true, force: true });
  const archives = new Map<string, Buffer>();
  for (const [name, { manifest, files }] of Object.entries(packages)) {
    const inside = join(folder, name, 'package');
    const all = { 'package.json': JSON.stringify({ name, version: '1.0.0', ...manifest }), ...files };
    for (const [path, content] of Object.entries(all)) {
      mkdirSync(dirname(join(inside, path)), { recursive: true });
      writeFileSync(join(inside, path), content);
    }
    const archive = join(folder, `${name}.tgz`);
    spawnSync('/bin/tar', ['czf', archive, '-C', join(folder, name), 'package']);
    archives.set(name, readFileSync(archive));
  }
  const server = createServer((request, response) => {
    const [name = '', archive] = (request.url ?? '').slice(1).split('/-/');
    const found = packages[name];
    const content = archives.get(name);
    if (found === undefined || content === undefined) {
      response.writeHead(404).end('{}');
      return;
    }
    if (archive !== undefined) {
      response.end(content);
      return;
    }
    const { port } = server.address() as AddressInfo;
    const integrity = found.integrity ?? `sha512-${createHash('sha512').update(content).digest('base64')}`;
    const dist = { tarball: `http://127.0.0.1:${port}/${name}/-/${name}-1.0.0.tgz`, integrity };
    const version = { name, version: '1.0.0', ...found.manifest, dist };
    response.end(JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const own = {
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: join(folder, 'cache'),
    npm_config_fetch_retries: '0',
  };
  return {
    async used(use) {
      const before = Object.fromEntries(Object.keys(own).map((name) => [name, process.env[name]]));
      Object.assign(process.env, own);
      try {
        return await use();
      } finally {
        for (const [name, value] of Object.entries(before)) {
          if (value === undefined) delete process.env[name];
          else process.env[name] = value;
        }
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
