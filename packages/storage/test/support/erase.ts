// Adds an erasure of a peer to the lists beside many databases, each at the same moment as other processes do.
import { existsSync, readFileSync, writeSync } from 'node:fs';
import { openErasureList } from '../../src/index.ts';

const [path = '', peerId = '', lists = ''] = process.argv.slice(2);
writeSync(1, 'ready\n');
while (!existsSync(`${path}.go`));
const start = Number(readFileSync(`${path}.go`, 'utf8'));
for (let n = 0; n < Number(lists); n += 1) {
  while (Date.now() < start + n * 10);
  openErasureList(`${path}-${n}`).add({ agentId: null, peerId, externalIds: [], at: 1, keptValues: [] });
}
writeSync(1, 'done\n');
