import { load } from './bundlers.mjs';
import { Skipped } from './checks.mjs';

/**
 * Bundles a Worker for Cloudflare and starts it in workerd.
 *
 * @param {string} folder The project that has esbuild and miniflare.
 * @param {string} entry The Worker's module.
 * @param {object} [options] Further options of Miniflare.
 */
export async function startWorker(folder, entry, options = {}) {
  const { build } = await load(folder, 'esbuild');
  const { Miniflare } = await load(folder, 'miniflare');
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*'],
    write: false,
    logLevel: 'silent',
  });
  const script = outputFiles[0].text;
  const miniflare = new Miniflare({ modules: true, script, compatibilityDate: '2026-07-01', ...options });
  try {
    await miniflare.ready;
  } catch (error) {
    await miniflare.dispose();
    throw new Skipped(`workerd does not start on this machine: ${/** @type {Error} */ (error).message}`);
  }
  return {
    fetch: (path, init) => miniflare.dispatchFetch(`http://localhost${path}`, init),
    close: () => miniflare.dispose(),
  };
}
