// Becomes the writer of the file that its argument names and stays so until it is ended; with 'wait', starts on a line.
import { once } from 'node:events';
import { acquireWriter, isBonafideError } from '../../src/index.ts';

const [path = '', wait] = process.argv.slice(2);
if (wait === 'wait') {
  process.stdout.write('ready\n');
  await once(process.stdin, 'data');
}
try {
  acquireWriter({ path });
  process.stdout.write('holding\n>');
} catch (error) {
  process.stdout.write(`${isBonafideError(error) ? error.code : error}\n>`);
}
setInterval(() => {}, 1000);
