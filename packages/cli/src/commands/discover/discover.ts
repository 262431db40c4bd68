import { publicRelays, sanitizeRemoteText, shortId, terminalJson } from '@bonafide/internal';
import type {
  CapabilityMatch,
  CardDiff,
  Discovery,
  Recommended,
  RegistryEntry,
  SyncResult,
} from '@bonafide/nip89-discovery';
import { npubEncode } from 'nostr-tools/nip19';
import { CliError } from '../../errors.ts';
import { floodVerifier } from '../../fastest-verifier.ts';
import { counted } from '../../format.ts';
import type { Printer } from '../../print.ts';
import { type CommandIo, whileSaying } from '../../progress.ts';

/** Options of `bonafide discover`. */
export interface DiscoverOptions {
  readonly relay: readonly string[];
  readonly capability?: string;
  readonly kind?: number;
  readonly minConfidence: number;
  readonly limit: number;
  /** Seconds. */
  readonly timeout: number;
  readonly watch: boolean;
  /** True leaves out cards that are older than 30 days. @default false */
  readonly fresh?: boolean;
  readonly json: boolean;
}

/** A platform as it is shown. */
interface Shown {
  readonly entry: RegistryEntry;
  readonly match: CapabilityMatch | null;
  readonly recommended: Recommended;
}

/** Modules that only this command needs; loaded when it runs. */
type Modules = typeof import('@bonafide/nip89-discovery');

function documentOf({ entry, match, recommended }: Shown, { platformName }: Modules) {
  const { pubkey, d, status, card, discoveredAt, sightings, profile } = entry;
  return {
    name: platformName(entry),
    pubkey,
    npub: npubEncode(pubkey),
    d,
    status,
    match: match === null ? null : { confidence: match.confidence, match: match.match, reason: match.reason },
    about: card.about ?? profile?.about ?? null,
    kinds: card.kinds,
    labels: card.labels,
    patterns: card.patterns,
    confirmed: card.confirmed,
    pricing: card.pricing,
    performance: card.performance,
    encryptionSupported: card.encryptionSupported,
    relayHints: card.relayHints,
    seenAt: sightings.map(({ relay }) => relay),
    cardCreatedAt: card.createdAt,
    expiresAt: card.expiresAt,
    stale: entry.stale,
    discoveredAt,
    recommendedBy: recommended.recommenders,
    recommendationSignal: recommended.signal,
  };
}

const ages: readonly (readonly [number, string])[] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
];

/** Formats an age in the largest unit that fits. */
function ageOf(ms: number): string {
  const [size, unit] = ages.find(([each]) => ms >= each) ?? [1, ''];
  if (unit === '') return 'just now';
  const count = Math.floor(ms / size);
  return `${count} ${unit}${count === 1 ? '' : 's'} old`;
}

/** Formats the price of a job. */
function priceOf({ pricing }: RegistryEntry['card']): string | null {
  if (pricing === null) return null;
  const model = pricing.model === null ? '' : sanitizeRemoteText(pricing.model, 32);
  const { amountMsat } = pricing;
  if (amountMsat === null) return model === '' ? null : `price: ${model}`;
  const amount = amountMsat === 0 ? 'free' : `${amountMsat.toLocaleString('en-US')} msat`;
  return model === '' || model === amount ? amount : `${amount} (${model})`;
}

function printPlatform(shown: Shown, modules: Modules, print: Printer, now: number): void {
  const { entry, match, recommended } = shown;
  const { card, status } = entry;
  const name = sanitizeRemoteText(modules.platformName(entry), 60) || '(no name)';
  const id = sanitizeRemoteText(entry.d, 40);
  const key = shortId(entry.pubkey);
  print.line(
    `${print.paint('bold', name)}  ${print.paint('dim', id === '' || id === name ? key : `${key} ${id}`)}`,
  );
  if (match !== null) {
    const style = match.match === 'inferred' ? 'yellow' : 'green';
    const sure = `${Math.round(match.confidence * 100)} % sure`;
    const because = match.match === 'exact' ? `its card names ${match.reason}` : match.reason;
    print.line(`  ${print.paint(style, match.match)}, ${sure}: ${sanitizeRemoteText(because, 160)}`);
  }
  const offers = [...card.kinds.map(String), ...card.labels, ...card.patterns];
  if (card.isListingOnly) offers.push(...card.topics);
  const shownOffers = offers.slice(0, 12).map((offer) => sanitizeRemoteText(offer, 40));
  const more = offers.length > shownOffers.length ? ` and ${offers.length - shownOffers.length} more` : '';
  const verb = card.isListingOnly ? 'topics' : 'offers';
  if (shownOffers.length > 0) print.line(`  ${verb} ${shownOffers.join(', ')}${more}`);

  const latency = card.performance?.typicalLatencyMs ?? null;
  const facts = [
    priceOf(card),
    latency === null ? null : `claims to answer in ${Math.round(latency).toLocaleString('en-US')} ms`,
    card.encryptionSupported === true ? 'takes encrypted jobs' : null,
    `card ${ageOf(Math.max(0, now - card.createdAt))}${entry.stale ? ' (stale)' : ''}`,
    recommended.recommenders === 0 ? null : `recommended by ${recommended.recommenders}`,
    status === 'discovered' || status === 'candidate' ? null : status,
  ];
  print.line(`  ${facts.filter((fact) => fact !== null).join(' · ')}`);
  const about = sanitizeRemoteText(card.about ?? entry.profile?.about ?? '', 240);
  if (about !== '') print.paragraph(print.paint('dim', about), 2);
  const [first, ...others] = card.relayHints;
  if (first !== undefined) {
    const rest = others.length === 0 ? '' : ` and ${others.length} more`;
    print.line(`  ${print.paint('dim', `at ${sanitizeRemoteText(first, 120)}${rest}`)}`);
  }
  print.line(`  ${print.paint('dim', npubEncode(entry.pubkey))}`);
}

/** Statuses of relays that answered. */
const answered: readonly string[] = ['complete', 'cut'];

const countOf = (count: number, noun: string) =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

/** Returns one line that says how completely a relay was read. */
function completenessOf({ url, status, received, known, message }: SyncResult['relays'][number]): string {
  const why = message === '' ? '' : `: ${sanitizeRemoteText(message, 200)}`;
  const unsent = known === 0 ? '' : ` and ${countOf(known, 'known card')}`;
  return `${sanitizeRemoteText(url, 120)}  ${status}, ${countOf(received, 'event')}${unsent}${why}`;
}

/** Returns the statistics and the completeness of each relay. */
function relayDocuments(sync: SyncResult, discovery: Discovery): object[] {
  const stats = new Map(discovery.relayStats().map((each) => [each.relay, each]));
  return sync.relays.map(({ url, ...result }) => ({ ...stats.get(url), relay: url, ...result }));
}

/** Returns a line about rejected events by reason; '' if there are none. */
function notTaken(discovery: Discovery): string {
  // That a relay still has an older version is everyday life.
  const { superseded: _, ...reasons } = discovery.rejections().counts;
  const counts = Object.entries(reasons).map(
    ([reason, count]) => `${count} × ${reason.replaceAll('-', ' ')}`,
  );
  return counts.length === 0 ? '' : `Not taken of what the relays sent: ${counts.join(', ')}.`;
}

/** Values longer than this are not repeated when they change, characters. */
const shortValue = 40;

/** Summarizes the changes of a card, capabilities and price first. */
function changesOf(before: RegistryEntry, after: RegistryEntry, diff: CardDiff): string {
  const lists = (['kinds', 'labels', 'patterns'] as const).flatMap((name) => {
    const { added = [], removed = [] } = diff[name] ?? {};
    return [...added.map((item) => `+${item}`), ...removed.map((item) => `-${item}`)];
  });
  const fields = Object.entries(diff.fields ?? {}).map(([name, values]) => {
    if (name === 'pricing')
      return `price ${priceOf(before.card) ?? 'unsaid'} → ${priceOf(after.card) ?? 'unsaid'}`;
    const [old, now] = [JSON.stringify(values.before), JSON.stringify(values.after)];
    return old.length + now.length > 2 * shortValue ? `another ${name}` : `${name} ${old} → ${now}`;
  });
  const relays = diff.relayHints === undefined ? [] : ['other relays'];
  return sanitizeRemoteText([...lists, ...fields, ...relays].join(', '), 240) || 'nothing that counts';
}

/** Returns all platforms: stale cards last, the first card of every key before the second of any, newest cards first. */
async function platformsInOrder(discovery: Discovery): Promise<readonly RegistryEntry[]> {
  const all: RegistryEntry[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const from = cursor === undefined ? {} : { cursor };
    const page = await discovery.entries({ limit: 200, statuses: ['discovered', 'candidate'], ...from });
    all.push(...page.items);
    cursor = page.nextCursor;
  }
  return all.sort(
    (a, b) =>
      Number(a.stale) - Number(b.stale) || a.ordinal - b.ordinal || b.card.createdAt - a.card.createdAt,
  );
}

async function matching(discovery: Discovery, options: DiscoverOptions): Promise<readonly Shown[]> {
  const { capability, kind, minConfidence, limit, fresh = false } = options;
  const isAsked = capability !== undefined || kind !== undefined;
  const found = isAsked
    ? await discovery
        .find({
          ...(capability === undefined ? {} : { capability }),
          ...(kind === undefined ? {} : { kind }),
          minConfidence,
          includeStale: !fresh,
          limit,
        })
        .toArray()
    : (await platformsInOrder(discovery))
        .filter(({ stale }) => !(fresh && stale))
        .slice(0, limit)
        .map((entry) => ({ entry, match: null }));
  return Promise.all(
    found.map(async ({ entry, match }) => ({
      entry,
      match,
      recommended: await discovery.recommendations(entry.pubkey, entry.d),
    })),
  );
}

/**
 * `bonafide discover`: lists platforms with the reason for each match. Stores nothing. With `--watch` it runs until
 * `signal` aborts. Returns true when a platform was found.
 */
export async function discover(
  options: DiscoverOptions,
  io: CommandIo,
  print: Printer,
  signal?: AbortSignal,
): Promise<boolean> {
  const [modules, { createTransport, relayHosts }] = await Promise.all([
    import('@bonafide/nip89-discovery'),
    import('@bonafide/nostr-transport'),
  ]);
  const relays = options.relay.length === 0 ? publicRelays : options.relay;
  // The operator typed these; where a card points to is not connected to.
  const allowHosts = relayHosts(relays);
  await using flood = await floodVerifier();
  await using transport = createTransport({ addresses: { allowHosts }, verifier: flood.verifier });
  await using discovery = modules.createDiscovery({
    transport,
    store: modules.createMemoryDiscoveryStore(),
    relays,
    config: { queryTimeoutMs: options.timeout * 1_000, allowHosts },
  });
  const abort = signal === undefined ? {} : { signal };
  const sync = await whileSaying(io, `Reading ${counted(relays.length, 'relay')}`, () =>
    discovery.sync(abort),
  );

  if (!options.json) for (const relay of sync.relays) print.message(completenessOf(relay));
  const isSilent = sync.relays.every(({ status, received }) => received === 0 && !answered.includes(status));
  if (isSilent && !options.watch) {
    if (options.json) for (const relay of sync.relays) print.message(completenessOf(relay));
    throw new CliError(
      'NO_RELAY',
      'No relay answered. Check the network, or name others with --relay <url>.',
    );
  }

  const shown = await matching(discovery, options);
  const refused = notTaken(discovery);
  if (options.json && !options.watch) {
    print.json({
      platforms: shown.map((one) => documentOf(one, modules)),
      relays: relayDocuments(sync, discovery),
    });
  } else if (options.json) {
    for (const one of shown) printEvent('found', one);
  } else if (shown.length === 0) {
    print.message('No platform offers that at these relays.');
  } else {
    for (const [index, one] of shown.entries()) {
      if (index > 0) print.line();
      printPlatform(one, modules, print, Date.now());
    }
  }
  if (refused !== '' && !options.json) print.message(refused);
  if (options.watch) await watch();
  return shown.length > 0;

  /** One JSON document a line. */
  function printEvent(what: string, one: Shown, more: object = {}): void {
    print.line(terminalJson({ what, ...documentOf(one, modules), ...more }));
  }

  async function watch(): Promise<void> {
    let telling: Promise<void> = Promise.resolve();
    const tell = (
      what: 'found' | 'changed' | 'gone',
      entry: RegistryEntry,
      before: RegistryEntry | null = null,
    ) => {
      telling = telling
        .then(async () => {
          const wants = [options.capability, options.kind].filter((want) => want !== undefined);
          const matches = wants.map((want) => modules.matchCapability(modules.searchableCard(entry), want));
          if (matches.some(({ confidence }) => confidence === 0 || confidence < options.minConfidence))
            return;
          const match = matches.reduce<CapabilityMatch | null>(
            (least, one) => (least === null || one.confidence < least.confidence ? one : least),
            null,
          );
          const recommended = await discovery.recommendations(entry.pubkey, entry.d);
          const one = { entry, match, recommended };
          const diff = before === null ? null : modules.diffCards(before.card, entry.card);
          if (options.json) return printEvent(what, one, diff === null ? {} : { diff });
          print.line();
          if (what === 'gone') {
            const hasExpired = (entry.card.expiresAt ?? Number.POSITIVE_INFINITY) <= Date.now();
            print.line(print.paint('red', hasExpired ? 'Expired:' : 'Deleted:'));
          }
          if (before !== null && diff !== null) {
            print.line(print.paint('cyan', `Changed: ${changesOf(before, entry, diff)}`));
          }
          printPlatform(one, modules, print, Date.now());
        })
        .catch((error: unknown) => print.message(sanitizeRemoteText(String(error), 200)));
    };
    discovery.on('discovered', ({ entry }) => tell('found', entry));
    discovery.on('updated', ({ entry, before }) => tell('changed', entry, before));
    discovery.on('archived', ({ entry }) => tell('gone', entry));
    await discovery.start();
    io.progress.stop();
    if (io.stderr.isTTY === true) print.message('Watching; Ctrl-C ends it.');
    await new Promise<void>((resolve) => {
      // The watch lives as long as somebody wants it, whatever the sockets do.
      const alive = setInterval(() => {}, 60_000);
      const end = () => {
        clearInterval(alive);
        resolve();
      };
      if (signal?.aborted) end();
      signal?.addEventListener('abort', end, { once: true });
    });
    await telling;
  }
}
