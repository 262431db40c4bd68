// A relay in a process of its own, for tests that kill it: `node relay-child.ts <path> [port]` prints its URL.
import { startTestRelay } from '../src/testing/index.ts';

const [path = '', port = '0'] = process.argv.slice(2);
const relay = await startTestRelay({ path, port: Number(port) });
process.stdout.write(`${relay.url}\n`);
