import { generateSecretKey, finalizeEvent as sign } from 'nostr-tools/pure';
import { WebSocket } from 'ws';
import type { EventTemplate, Filter, NostrEvent } from '../src/event/event.ts';

/** Time after which a message counts as missing, ms: long, because a busy machine must not fail a test. */
const hangLimitMs = 500_000;

/** A signed event of kind 1, now, by a new key, where the template does not say otherwise. */
export function signed(template: Partial<EventTemplate> = {}, secretKey = generateSecretKey()): NostrEvent {
  const { kind = 1, created_at = Math.floor(Date.now() / 1000), tags = [], content = '' } = template;
  // Through JSON, so that no mark of nostr-tools comes along.
  const event = sign({ kind, created_at, tags: tags.map((tag) => [...tag]), content }, secretKey);
  return JSON.parse(JSON.stringify(event));
}

/** The `count` events of a REQ that came before EOSE, or why it was closed. */
export interface Fetched {
  readonly events: NostrEvent[];
  readonly ids: string[];
  readonly closed: string | null;
}

/** A client that says exactly what it is told to and keeps all that it hears. */
export class RelayClient {
  /** Every message, in order; what is not JSON stays a string. */
  readonly heard: unknown[][] = [];
  readonly frames: { readonly text: string; readonly binary: boolean }[] = [];
  readonly socket: WebSocket;
  /** The code with which the connection ended, null while it is open. */
  closeCode: number | null = null;
  error: Error | null = null;
  readonly #waiting = new Set<() => void>();
  #nextId = 1;

  constructor(url: string, options?: { readonly autoPong?: boolean }) {
    this.socket = new WebSocket(url, { maxPayload: 64 * 1024 * 1024, ...options });
    this.socket.on('error', (error) => {
      this.error = error;
    });
    this.socket.on('close', (code) => {
      this.closeCode = code;
      this.#wake();
    });
    this.socket.on('message', (data, binary) => {
      const text = data.toString();
      this.frames.push({ text, binary });
      try {
        const message = JSON.parse(text);
        if (Array.isArray(message)) this.heard.push(message);
      } catch {
        // Garbage is looked for in `frames`.
      }
      this.#wake();
    });
  }

  static async connect(url: string): Promise<RelayClient> {
    const client = new RelayClient(url);
    await new Promise<void>((resolve, reject) => {
      client.socket.once('open', resolve);
      client.socket.once('error', reject);
    });
    return client;
  }

  say(...message: unknown[]): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Returns the first thing that `find` finds among what was heard, now or after one of the next messages. */
  async first<Found>(
    find: () => Found | undefined | null | false,
    what = 'what was expected',
  ): Promise<Found> {
    const deadline = AbortSignal.timeout(hangLimitMs);
    for (;;) {
      const found = find();
      if (found !== undefined && found !== null && found !== false) return found;
      if (deadline.aborted) throw new Error(`${what} did not come`);
      await new Promise<void>((resolve) => {
        const done = () => {
          this.#waiting.delete(done);
          deadline.removeEventListener('abort', done);
          resolve();
        };
        this.#waiting.add(done);
        deadline.addEventListener('abort', done);
      });
    }
  }

  /** The first message, heard or yet to come, that begins like this. */
  message(...start: unknown[]): Promise<unknown[]> {
    const wanted = JSON.stringify(start);
    return this.first(
      // The first element is looked at by itself: garbage can be nested too deeply to be printed.
      () =>
        this.heard.find(
          (message) => message[0] === start[0] && JSON.stringify(message.slice(0, start.length)) === wanted,
        ),
      wanted,
    );
  }

  /** Resolves when subscription `id` has got `event`. */
  async event(id: string, event: NostrEvent): Promise<void> {
    await this.first(() => this.eventsOf(id).some((got) => got.sig === event.sig), `event ${event.id}`);
  }

  /** Publishes and gives the OK's verdict and words. */
  async publish(event: NostrEvent): Promise<{ accepted: boolean; message: string }> {
    const from = this.heard.length;
    this.say('EVENT', event);
    const ok = await this.first(
      () => this.heard.slice(from).find(([type, id]) => type === 'OK' && id === event.id),
      `OK of ${event.id}`,
    );
    return { accepted: ok[2] === true, message: String(ok[3]) };
  }

  /** Everything stored that matches, by a subscription that is closed again. */
  async fetch(...filters: Filter[]): Promise<Fetched> {
    const id = `fetch-${this.#nextId++}`;
    this.say('REQ', id, ...filters);
    const end = await this.first(
      () => this.heard.find(([type, sub]) => (type === 'EOSE' || type === 'CLOSED') && sub === id),
      `EOSE of ${id}`,
    );
    this.say('CLOSE', id);
    const events = this.eventsOf(id);
    return {
      events,
      ids: events.map((event) => event.id),
      closed: end[0] === 'CLOSED' ? String(end[2]) : null,
    };
  }

  /** What subscription `id` has got so far. */
  eventsOf(id: string): NostrEvent[] {
    return this.heard.flatMap(([type, sub, event]) =>
      type === 'EVENT' && sub === id ? [event as NostrEvent] : [],
    );
  }

  /** Resolves when everything the relay had to say to what was sent before has been heard. */
  async settle(): Promise<void> {
    await this.fetch({ ids: ['0'.repeat(64)] });
  }

  /** The challenge of this connection. */
  async challenge(): Promise<string> {
    return String((await this.message('AUTH'))[1]);
  }

  /** Authenticates and gives the OK's verdict and words. */
  async authenticate(
    secretKey: Uint8Array,
    changes: {
      readonly challenge?: string;
      readonly relay?: string;
      readonly created_at?: number;
      readonly kind?: number;
    } = {},
  ): Promise<{ accepted: boolean; message: string; event: NostrEvent }> {
    const { challenge = await this.challenge(), relay = this.socket.url, kind = 22_242, ...rest } = changes;
    const tags = [
      ['relay', relay],
      ['challenge', challenge],
    ];
    const event = signed({ kind, tags, ...rest }, secretKey);
    return { ...(await this.sendAuth(event)), event };
  }

  async sendAuth(event: NostrEvent): Promise<{ accepted: boolean; message: string }> {
    const from = this.heard.length;
    this.say('AUTH', event);
    const ok = await this.first(() =>
      this.heard.slice(from).find(([type, id]) => type === 'OK' && id === event.id),
    );
    return { accepted: ok[2] === true, message: String(ok[3]) };
  }

  /** Resolves with the close code when the connection has ended. */
  closed(): Promise<number> {
    return this.first(() => (this.closeCode === null ? undefined : { code: this.closeCode }), 'the end').then(
      ({ code }) => code,
    );
  }

  end(): void {
    this.socket.terminate();
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
