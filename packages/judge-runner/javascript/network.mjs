/* Fails a test that opens a network connection, and says so: no box has a network, and the kernel would end the process of the tests. */
import { createRequire, syncBuiltinESMExports } from 'node:module';

const require = createRequire(import.meta.url);
/** What files mention that may open a connection. */
const mentions =
  /['"`](?:node:)?(?:https?|http2|net|tls|dgram|dns)(?:\/promises)?['"`]|\b(?:fetch|WebSocket|EventSource)\s*\(/;
const reason =
  'the test opens a network connection, and no box has a network: give the artifact a request and a response that the test has made';

/** A path of a local socket, a descriptor, or a handle. */
function isLocal(args) {
  const [first] = Array.isArray(args[0]) ? args[0] : args;
  if (typeof first === 'string') return Number.isNaN(Number(first));
  return Object(first) === first && (first.path ?? first.fd ?? first._handle) !== undefined;
}

/**
 * Watches this process, where a file of the suite or a declared package may open a connection.
 * @param texts of the files of the suite
 * @param hasPackages true where the suite declares packages
 * @param refuse fails the running test, whatever it catches, and makes the error
 */
export function watchNetwork(texts, hasPackages, refuse) {
  if (!hasPackages && !texts.some((text) => mentions.test(text))) return;
  const replace = (owner, name, isAllowed = () => false) => {
    const original = owner[name];
    if (typeof original !== 'function') return;
    const { [name]: watched } = {
      [name](...args) {
        if (!isAllowed(args)) throw refuse(reason);
        return Reflect.apply(original, this, args);
      },
    };
    owner[name] = watched;
  };
  const net = require('node:net');
  replace(net.Server.prototype, 'listen', isLocal);
  replace(net.Socket.prototype, 'connect', isLocal);
  const { Socket } = require('node:dgram');
  for (const name of ['bind', 'connect', 'send']) replace(Socket.prototype, name);
  const dns = require('node:dns');
  for (const owner of [dns, dns.promises])
    for (const name of Object.keys(owner)) if (/^(?:lookup|resolve|reverse)/.test(name)) replace(owner, name);
  syncBuiltinESMExports();
}
