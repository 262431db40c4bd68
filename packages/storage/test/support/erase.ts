// Adds an erasure of a peer to the list beside a database, at the same moment as other processes.
import { existsSync, writeSync } from 'node:fs';
import { openErasureList } from '../../src/index.ts';

const [path = '', peerId = ''] = process.argv.slice(2);
writeSync(1, 'ready\n');
while (!existsSync(`${path}.go`));
openErasureList(path).add({ agentId: null, peerId, externalIds: [], at: 1, keptValues: [] });
writeSync(1, 'done\n');
