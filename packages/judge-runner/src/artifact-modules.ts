import * as z from 'zod';
import type { CodeArtifact } from './suite.ts';

/** Characters or bytes of a package.json that is read: parsing a larger one would stall the event loop. */
const maxManifest = 256 * 1024;

/** The main file of a package of JavaScript, and the name by which it is imported; null for any other. Pure. */
export function mainOf(artifact: CodeArtifact): { readonly name: string; readonly file: string } | null {
  if (artifact.language !== 'javascript' || 'source' in artifact) return null;
  const manifest = artifact.files['package.json'];
  if (manifest === undefined || manifest.length > maxManifest)
    return artifact.entry ? { name: '', file: artifact.entry } : null;
  const parsed = packageManifest.safeParse(parseManifest(Buffer.from(manifest).toString('utf8')));
  const { name = '', main = 'index.js' } = parsed.success ? parsed.data : {};
  return { name, file: artifact.entry ?? main.replace(/^\.\//, '') };
}

const packageManifest = z.object({
  name: z.string().max(214).exactOptional(),
  main: z.string().max(1000).exactOptional(),
});

/** JSON that an artifact's author wrote. */
function parseManifest(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Modules that an artifact has, as a test imports them: dotted in Python, files in JavaScript. Pure. */
export function modulesOf(artifact: CodeArtifact): string[] {
  if (artifact.language === 'javascript')
    return 'source' in artifact
      ? ['solution.js']
      : Object.keys(artifact.files).filter((name) => /\.[cm]?js$/.test(name));
  const names = 'source' in artifact ? ['solution.py'] : Object.keys(artifact.files);
  const modules = names
    .filter((name) => name.endsWith('.py'))
    .map((name) => name.replace(/(?:\/__init__)?\.py$/, '').replaceAll('/', '.'));
  // Packages of a `src` layout are imported from there; a folder without an __init__.py is a package as well.
  const inside = modules.filter((name) => name.startsWith('src.')).map((name) => name.slice(4));
  const all = new Set([...modules, ...inside]);
  for (const name of [...all])
    for (let end = name.lastIndexOf('.'); end > 0; end = name.lastIndexOf('.', end - 1))
      all.add(name.slice(0, end));
  return [...all];
}
