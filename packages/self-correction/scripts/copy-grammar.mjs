// Copies the Python grammar into the output, so that the package needs neither a compiler nor an install script.
import { copyFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const grammar = createRequire(import.meta.url).resolve('tree-sitter-python/tree-sitter-python.wasm');
copyFileSync(grammar, join(import.meta.dirname, '../dist/tree-sitter-python.wasm'));
