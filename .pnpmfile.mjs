// The node-<platform> packages publish `os` and `cpu` as strings. pnpm only filters by platform when
// they are arrays, and would otherwise install every platform's 50 MB binary.
const nodeBinary = /^node-(linux|darwin|win)-/;

function readPackage(manifest) {
  if (!nodeBinary.test(manifest.name ?? '')) return manifest;
  for (const field of ['os', 'cpu']) {
    if (typeof manifest[field] === 'string') manifest[field] = [manifest[field]];
  }
  return manifest;
}

export const hooks = { readPackage };
