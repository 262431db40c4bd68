import { byteLength } from '@bonafide/internal';
import type { Filter, NostrEvent } from '../event/event.ts';
import { isHex64 } from '../event/event-check.ts';
import type { Verifier } from '../event/verifier.ts';
import { authKind, checkAuth } from './auth.ts';
import { checkLimits, checkShape, checkSignature } from './check-event.ts';
import { newestFirst } from './event-index.ts';
import type { Admission, EventStore } from './event-store.ts';
import type { RelayFaults } from './faults.ts';
import { type Matcher, matches, parseFilter } from './filter.ts';
import type { RelayLimits } from './limits.ts';
import { type Outgoing, outgoing, outgoingEvent } from './messages.ts';
import { type EventRecord, giftWrapKinds, toRecord } from './record.ts';

/** Dependencies of a session. */
export interface SessionHost {
  readonly limits: RelayLimits;
  readonly store: EventStore;
  readonly verifier: Verifier;
  /** The addresses of the relay. */
  readonly urls: readonly string[];
  /** The relay's time in ms since epoch. */
  now(): number;
  faults(): RelayFaults;
  /** Stores a checked event; `announce` sends it to every live subscription. */
  admit(record: EventRecord): Admission;
  announce(record: EventRecord): void;
}

/** Sends a message to the client, after `lateMs` if given. */
export type Send = (out: Outgoing, lateMs?: number) => void;

/** Returns which operations require authentication under these faults (NIP-42). */
export function authRequired({ auth }: RelayFaults): { readonly toRead: boolean; readonly toWrite: boolean } {
  const required = auth?.required;
  return {
    toRead: required === 'read' || required === 'all',
    toWrite: required === 'write' || required === 'all',
  };
}

/** The protocol state of one client (NIP-01, NIP-42, NIP-45), independent of sockets. */
export class Session {
  readonly challenge: string;
  readonly #host: SessionHost;
  readonly #send: Send;
  readonly #subscriptions = new Map<string, readonly Matcher[]>();
  readonly #pubkeys = new Set<string>();

  constructor(host: SessionHost, challenge: string, send: Send) {
    this.#host = host;
    this.#send = send;
    this.challenge = challenge;
  }

  /** The keys that have authenticated on this connection. */
  get pubkeys(): readonly string[] {
    return [...this.#pubkeys];
  }

  /** The open subscriptions with their filters. */
  get subscriptions(): { readonly id: string; readonly filters: readonly Filter[] }[] {
    return [...this.#subscriptions].map(([id, matchers]) => ({
      id,
      filters: matchers.map(({ filter }) => filter),
    }));
  }

  /** Sends the challenge, so that a client can authenticate before a request is refused. */
  open(): void {
    this.#send(outgoing(['AUTH', this.challenge]));
  }

  /** Answers one text message. */
  receive(text: string): void {
    const message = parseJson(text);
    if (!Array.isArray(message)) {
      this.#notice('invalid: a message is a JSON array');
      return;
    }
    const [type, ...rest] = message as unknown[];
    const { maxMessageBytes } = this.#host.limits;
    const tooLong = text.length > maxMessageBytes || byteLength(text) > maxMessageBytes;
    const problem = tooLong ? `invalid: message is longer than ${maxMessageBytes} bytes` : null;
    if (type === 'EVENT') this.#onEvent(rest[0], problem);
    else if (type === 'REQ') this.#onReq(rest[0], rest.slice(1), problem);
    else if (type === 'COUNT') this.#onCount(rest[0], rest.slice(1), problem);
    else if (type === 'CLOSE') this.#onClose(rest[0]);
    else if (type === 'AUTH') this.#onAuth(rest[0], problem);
    else this.#notice('invalid: unknown message type');
  }

  /** Sends a new event to every subscription that it matches. */
  offer(record: EventRecord): void {
    if (!this.#mayRead() || !this.#maySee(record)) return;
    const { ignoreFilters } = this.#host.faults();
    for (const [id, matchers] of this.#subscriptions) {
      const wanted = matchers.some((matcher) => matches(matcher, record, ignoreFilters));
      if (wanted) this.#send(outgoingEvent(id, record));
    }
  }

  /** Sends an event that no client published to one subscription, if it is open. */
  sendUnsolicited(id: string, record: EventRecord): void {
    if (this.#subscriptions.has(id)) this.#send(outgoingEvent(id, record));
  }

  #onEvent(value: unknown, problem: string | null): void {
    const claimedId = (value as { readonly id?: unknown } | null | undefined)?.id;
    const { publish } = this.#host.faults();
    if (publish !== undefined && typeof claimedId === 'string') {
      this.#applyPublishFault(claimedId, value, publish);
      return;
    }
    const { admission, record } = this.#judge(value, problem);
    // An OK needs an id to refer to; without one only a NOTICE is left.
    if (typeof claimedId !== 'string') this.#notice(admission.message);
    else this.#send(outgoing(['OK', claimedId, admission.accepted, admission.message]));
    if (admission.fresh && record !== null) this.#host.announce(record);
  }

  /** Answers an EVENT under the `publish` fault. */
  #applyPublishFault(id: string, value: unknown, fault: NonNullable<RelayFaults['publish']>): void {
    const { admission, record } = fault.store ? this.#judge(value, null) : { admission: null, record: null };
    if (fault.answer === 'refuse') {
      this.#send(outgoing(['OK', id, false, fault.reason ?? 'blocked: not on this relay']));
    } else if (fault.answer === 'notice') {
      this.#notice(fault.reason ?? 'error: could not take the event');
    }
    if (admission?.fresh && record !== null) this.#host.announce(record);
  }

  /** Checks an event, the signature last because it is expensive, and stores it if it is valid. */
  #judge(value: unknown, problem: string | null): { admission: Admission; record: EventRecord | null } {
    const no = (message: string) => ({ admission: { accepted: false, fresh: false, message }, record: null });
    if (problem !== null) return no(problem);
    const checked = checkShape(value);
    if (!checked.ok) return no(checked.reason);
    const record = toRecord(checked.event);
    const { limits, admit, now, faults } = this.#host;
    if (record.event.kind === authKind) return no(`invalid: kind ${authKind} belongs into an AUTH message`);
    const excess = checkLimits(record.event, record.json, limits, now());
    if (excess !== null) return no(excess);
    if (authRequired(faults()).toWrite && this.#pubkeys.size === 0) {
      return no('auth-required: authenticate before you publish');
    }
    const forgery = checkSignature(record.event, this.#host.verifier);
    if (forgery !== null) return no(forgery);
    try {
      return { admission: admit(record), record };
    } catch (error) {
      return no(`error: could not store the event: ${error instanceof Error ? error.message : 'unknown'}`);
    }
  }

  #onReq(id: unknown, filters: readonly unknown[], problem: string | null): void {
    const query = this.#parseQuery(id, filters, problem);
    if (query === null) return;
    const { limits, store, now, faults } = this.#host;
    const { eose, closed } = faults();
    if (closed !== undefined && closed.after !== 'eose') {
      this.#subscriptions.delete(query.id);
      this.#closed(query.id, closed.reason);
      return;
    }
    // A subscription that is made anew counts once, as the newest.
    this.#subscriptions.delete(query.id);
    if (this.#subscriptions.size >= limits.maxSubscriptions) {
      this.#closed(
        query.id,
        `rate-limited: at most ${limits.maxSubscriptions} subscriptions on one connection`,
      );
      return;
    }
    this.#subscriptions.set(query.id, query.matchers);
    const nowSeconds = Math.floor(now() / 1000);
    const found = new Set<EventRecord>();
    for (const matcher of query.matchers) {
      const limit = Math.min(matcher.filter.limit ?? limits.defaultLimit, limits.maxLimit);
      for (const record of store.query(matcher, limit, nowSeconds, this.#maySee)) found.add(record);
    }
    const ordered = query.matchers.length === 1 ? found : [...found].sort(newestFirst);
    const end = outgoing(['EOSE', query.id]);
    if (eose === 'early') this.#send(end);
    for (const record of ordered) this.#send(outgoingEvent(query.id, record));
    if (typeof eose === 'object') this.#send(end, eose.lateMs);
    else if (eose === undefined) this.#send(end);
    if (closed !== undefined) {
      this.#subscriptions.delete(query.id);
      this.#closed(query.id, closed.reason);
    }
  }

  #onCount(id: unknown, filters: readonly unknown[], problem: string | null): void {
    const query = this.#parseQuery(id, filters, problem);
    if (query === null) return;
    const { store, now } = this.#host;
    const nowSeconds = Math.floor(now() / 1000);
    const found = new Set<EventRecord>();
    for (const matcher of query.matchers) {
      for (const record of store.query(matcher, Number.POSITIVE_INFINITY, nowSeconds, this.#maySee)) {
        found.add(record);
      }
    }
    this.#send(outgoing(['COUNT', query.id, { count: found.size }]));
  }

  /** Parses the common parts of REQ and COUNT. Sends the refusal and returns null if the query is refused. */
  #parseQuery(
    id: unknown,
    filters: readonly unknown[],
    problem: string | null,
  ): { readonly id: string; readonly matchers: readonly Matcher[] } | null {
    if (typeof id !== 'string') {
      this.#notice('invalid: a subscription id is a string');
      return null;
    }
    const refuse = (reason: string) => {
      // A refused REQ ends the subscription whose id it took over.
      this.#subscriptions.delete(id);
      this.#closed(id, reason);
      return null;
    };
    const { limits } = this.#host;
    if (problem !== null) return refuse(problem);
    if (id === '' || id.length > limits.maxSubscriptionIdLength) {
      return refuse(`invalid: a subscription id has 1 to ${limits.maxSubscriptionIdLength} characters`);
    }
    if (filters.length === 0) return refuse('invalid: at least one filter is needed');
    if (filters.length > limits.maxFilters) return refuse(`invalid: more than ${limits.maxFilters} filters`);
    const matchers: Matcher[] = [];
    for (const filter of filters) {
      const parsed = parseFilter(filter);
      if (!parsed.ok) return refuse(parsed.reason);
      matchers.push(parsed.matcher);
    }
    if (!this.#mayRead()) return refuse('auth-required: authenticate before you read');
    const forbidden = this.#giftWrapRefusal(matchers);
    return forbidden === null ? { id, matchers } : refuse(forbidden);
  }

  /** Checks that a query for gift wraps comes from an authenticated key. */
  #giftWrapRefusal(matchers: readonly Matcher[]): string | null {
    for (const { filter } of matchers) {
      if (!filter.kinds?.some((kind) => giftWrapKinds.has(kind))) continue;
      if (this.#pubkeys.size === 0) return 'auth-required: gift wraps are for their recipient only';
      const recipients = filter['#p'];
      if (recipients !== undefined && !recipients.some((pubkey) => this.#pubkeys.has(pubkey))) {
        return 'restricted: gift wraps are for their recipient only';
      }
    }
    return null;
  }

  #onClose(id: unknown): void {
    if (typeof id === 'string') this.#subscriptions.delete(id);
    else this.#notice('invalid: a subscription id is a string');
  }

  #onAuth(value: unknown, problem: string | null): void {
    const id = (value as Partial<NostrEvent> | null | undefined)?.id;
    if (!isHex64(id)) {
      this.#notice('invalid: AUTH needs a signed event');
      return;
    }
    const reason = problem ?? this.#authRefusal(value);
    if (reason === null) this.#pubkeys.add((value as NostrEvent).pubkey);
    this.#send(outgoing(['OK', id, reason === null, reason ?? '']));
  }

  #authRefusal(value: unknown): string | null {
    const { auth } = this.#host.faults();
    if (auth?.refuse !== undefined) return auth.refuse;
    const checked = checkShape(value);
    if (!checked.ok) return checked.reason;
    const expected = {
      challenge: this.challenge,
      urls: this.#host.urls,
      used: this.#pubkeys,
      nowSeconds: Math.floor(this.#host.now() / 1000),
    };
    return checkAuth(checked.event, expected) ?? checkSignature(checked.event, this.#host.verifier);
  }

  #mayRead(): boolean {
    return this.#pubkeys.size > 0 || !authRequired(this.#host.faults()).toRead;
  }

  readonly #maySee = (record: EventRecord): boolean =>
    !giftWrapKinds.has(record.event.kind) || record.recipients.some((pubkey) => this.#pubkeys.has(pubkey));

  #closed(id: string, reason: string): void {
    this.#send(outgoing(['CLOSED', id, reason]));
  }

  #notice(reason: string): void {
    this.#send(outgoing(['NOTICE', reason]));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
