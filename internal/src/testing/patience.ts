/** Time limit for what has to happen in a test, ms: it ends only what hangs, however busy the machine is. */
export const patienceMs = 240_000;

/** Limits of a transport whose relays all answer in the end. */
export const patientLimits = {
  connectTimeoutMs: patienceMs,
  pongWithinMs: patienceMs,
  authTimeoutMs: patienceMs,
  reconcileAnswerMs: patienceMs,
} as const;

interface Waiting {
  readonly timeoutMs?: number;
}

/** The methods of a transport that give up after some seconds unless they are told otherwise. */
interface Impatient {
  publish(event: never, relays: never, options?: Waiting): unknown;
  query(relays: never, filters: never, options?: Waiting): unknown;
  reconcile(relay: never, filter: never, known: never, options?: Waiting): unknown;
}

/** Returns the transport with {@link patienceMs} in place of its own time limits. A limit that a caller names holds. */
export function patient<Transport extends Impatient>(transport: Transport): Transport {
  const wait = { timeoutMs: patienceMs };
  const patiently: Impatient = {
    publish: (event, relays, options) => transport.publish(event, relays, { ...wait, ...options }),
    query: (relays, filters, options) => transport.query(relays, filters, { ...wait, ...options }),
    reconcile: (relay, filter, known, options) =>
      transport.reconcile(relay, filter, known, { ...wait, ...options }),
  };
  return { ...transport, ...patiently };
}
