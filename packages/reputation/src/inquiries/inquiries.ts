import {
  createRateLimit,
  type Logger,
  relayList,
  requireOptions,
  requirePublicKey,
  silentLogger,
} from '@bonafide/internal';
import {
  type PrivateMessage,
  receivePrivate,
  type Signer,
  type Subscription,
  sendPrivate,
  type Transport,
} from '@bonafide/nostr-transport';
import * as z from 'zod';
import { parseConfig, parseInput, ReputationError } from '../errors.ts';
import { buildAssessmentLabel, type LedgerAssessment } from '../formats/nip32-label.ts';
import { type RejectedReview, type ReviewRejection, reject } from '../formats/rejection.ts';
import { parseReview, type Review } from '../formats/review-event.ts';
import { tagValues } from '../formats/tags.ts';
import {
  callable,
  clockSchema,
  loggerSchema,
  port,
  relaysSchema,
  signalSchema,
  signerSchema,
} from '../ports.ts';
import { publicKey } from '../review.ts';
import {
  type Answer,
  type InquiryMessage,
  inquiryProtocol,
  maxAssessments,
  parseInquiry,
  type Question,
} from './protocol.ts';

/** Verdict of the operator's policy about a question. */
export type InquiryVerdict = 'answer' | 'refuse' | 'ignore';

/** Reason for which a message got no answer. Stable: the reasons name counters. */
export type UnansweredReason =
  | 'malformed'
  | 'too-old'
  | 'repeated'
  | 'rate-limited'
  | 'policy'
  | 'failed'
  | 'not-asked'
  | 'not-delivered';

/** The answer of one peer to a question. */
export interface PeerAnswer {
  /** Public key of the peer. */
  readonly peer: string;
  /**
   * - `answered`: with assessments. `unknown`: the peer has none. `refused`: by its policy.
   * - `silent`: no answer in time. `unreachable`: the question did not reach an inbox relay.
   */
  readonly status: 'answered' | 'unknown' | 'refused' | 'silent' | 'unreachable';
  /** Verified assessments that the peer signed. Weigh them with `standing(subject, { heard })`; never store them in a ledger. */
  readonly assessments: readonly Review[];
  /** Assessments that were rejected, by reason. */
  readonly rejected: Readonly<Partial<Record<ReviewRejection, number>>>;
}

/** Options of {@link createInquiries}. */
export interface InquiryOptions {
  /** Relays deliver private messages only after NIP-42: give the transport an `auth` option with the same signer. */
  readonly transport: Pick<Transport, 'query' | 'publish' | 'subscribe'>;
  readonly signer: Signer;
  /** Relays to search for the inbox relays of peers. */
  readonly relays: readonly string[];
  /** Inbox relays of this agent: those in its list of kind 10050. */
  readonly inboxRelays: readonly string[];
  /**
   * Returns the own assessment of a subject, or null. Called when the policy answers, and about an asker when strangers have used up
   * what they share.
   */
  readonly assessmentOf?: (subject: string) => Promise<LedgerAssessment | null>;
  /** The operator's policy. @default ignores every question */
  readonly policy?: (question: {
    readonly asker: string;
    readonly subject: string;
  }) => InquiryVerdict | Promise<InquiryVerdict>;
  /** Questions of one peer that are handled per `perMs`. @default 10 */
  readonly maxPerPeer?: number;
  /** Questions of all strangers that are answered or refused per `perMs`. Partners are limited one by one only. @default 100 */
  readonly maxInAll?: number;
  /** Returns true for a partner, whose questions are answered during a flood of strangers. @default an own assessment with a positive trust */
  readonly isPartner?: (asker: string) => boolean | Promise<boolean>;
  /** ms. @default one hour */
  readonly perMs?: number;
  /** Largest age of a question, ms. @default 10 minutes */
  readonly maxAgeMs?: number;
  /** ms since epoch. @default Date.now */
  readonly clock?: () => number;
  /** Numbers in [0, 1). @default Math.random */
  readonly random?: () => number;
  readonly logger?: Logger;
}

/** Questions to peers in private messages, and answers to theirs. */
export interface Inquiries {
  /** Starts to receive. Resolves when the inbox is subscribed. */
  start(): Promise<void>;
  /**
   * Asks peers what they know about a subject, and waits for all answers or `timeoutMs` (default 30,000).
   *
   * @throws ReputationError `INVALID_INPUT` for a malformed key, `CLOSED`
   */
  ask(
    subject: string,
    peers: readonly string[],
    options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<readonly PeerAnswer[]>;
  /** Handles a private message that another receiver got. Returns false for a message of another protocol. */
  handle(message: Pick<PrivateMessage, 'sender' | 'content' | 'createdAt'>): Promise<boolean>;
  /** Number of messages without an answer, by reason. */
  unanswered(): Readonly<Record<UnansweredReason, number>>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const limit = z.int().min(0);
const lengthMs = z.number().positive();
const optionsSchema = z.strictObject({
  transport: port<InquiryOptions['transport']>('query', 'publish', 'subscribe'),
  signer: signerSchema,
  relays: relaysSchema,
  inboxRelays: relaysSchema,
  assessmentOf: callable<NonNullable<InquiryOptions['assessmentOf']>>().optional(),
  policy: callable<NonNullable<InquiryOptions['policy']>>().optional(),
  isPartner: callable<NonNullable<InquiryOptions['isPartner']>>().optional(),
  maxPerPeer: limit.default(10),
  maxInAll: limit.default(100),
  perMs: lengthMs.default(3_600_000),
  maxAgeMs: lengthMs.default(600_000),
  clock: clockSchema,
  random: callable<() => number>().optional(),
  logger: loggerSchema,
});
const askSchema = z
  .strictObject({ timeoutMs: lengthMs.max(2_147_483_647).default(30_000), signal: signalSchema })
  .prefault({});
const messageSchema = z.looseObject({ sender: publicKey, content: z.string(), createdAt: z.number() });
const peersSchema = z.array(z.unknown());

/** Kind of an assessment for one asker. It is ephemeral (NIP-01), so that no relay stores it. */
const privateLabelKind = 21_985;
/** Tag with the public key of the asker that an assessment is for. */
const audienceTag = 'for';
/** Questions that are remembered, so that none is answered twice. */
const maxRemembered = 10_000;

interface Waiting {
  readonly subject: string;
  readonly settle: (answer: PeerAnswer) => void;
}

/**
 * Creates the private questions and answers of an agent. Without a policy nothing is answered, and nothing shows that a question
 * arrived. An answer holds only the agent's own, signed assessment.
 *
 * @throws ReputationError `INVALID_CONFIG`
 */
export function createInquiries(options: InquiryOptions): Inquiries {
  requireOptions(
    options,
    {
      transport: { methods: ['publish'], example: 'createTransport({ auth }) of @bonafide/nostr-transport' },
      signer: { methods: ['signEvent'], example: 'createKeySigner(secret) of @bonafide/nostr-transport' },
      relays: relayList,
      inboxRelays: relayList,
    },
    (message) => new ReputationError('INVALID_CONFIG', message),
  );
  const {
    transport,
    signer,
    relays,
    inboxRelays,
    assessmentOf = async () => null,
    policy = () => 'ignore' as const,
    isPartner = async (asker: string) => ((await assessmentOf(asker))?.trust ?? 0) > 0,
    maxPerPeer,
    maxInAll,
    perMs,
    maxAgeMs,
    clock = Date.now,
    random = Math.random,
    logger = silentLogger,
  } = parseConfig(optionsSchema, 'options', options);
  const perPeer = createRateLimit({ count: maxPerPeer, perMs, clock });
  const ofStrangers = createRateLimit({ count: maxInAll, perMs, clock });
  const seen = new Set<string>();
  const waiting = new Map<string, Waiting>();
  const closing = new AbortController();
  const counts: Record<UnansweredReason, number> = {
    malformed: 0,
    'too-old': 0,
    repeated: 0,
    'rate-limited': 0,
    policy: 0,
    failed: 0,
    'not-asked': 0,
    'not-delivered': 0,
  };
  let subscription: Subscription | undefined;

  function ignore(reason: UnansweredReason, sender: string): void {
    counts[reason] += 1;
    logger.debug({ reason, sender }, 'Inquiry not answered');
  }

  async function send(recipient: string, message: InquiryMessage): Promise<boolean> {
    const sent = await sendPrivate({
      ...{ transport, signer, recipient, relays, clock, random },
      content: JSON.stringify(message),
      signal: closing.signal,
    });
    return sent.delivered;
  }

  async function answer(question: Question, asker: string): Promise<Answer> {
    const reply = { protocol: inquiryProtocol, type: 'answer', id: question.id } as const;
    const known = await assessmentOf(question.subject);
    if (known === null) return { ...reply, status: 'unknown', assessments: [] };
    const label = buildAssessmentLabel({ ...known, target: question.subject });
    const signed = await signer.signEvent({
      ...label,
      // Meant for the asker. Relays store no ephemeral event, and take a protected one (NIP-70) from its author only.
      kind: privateLabelKind,
      tags: [...label.tags, [audienceTag, asker], ['-']],
    });
    logger.debug({ asker, subject: question.subject }, 'Inquiry answered');
    return { ...reply, status: 'answered', assessments: [signed] };
  }

  /** Returns the reply that the policy permits, or the reason for which there is none. */
  async function replyTo(question: Question, asker: string): Promise<Answer | 'policy' | 'rate-limited'> {
    const verdict = await policy({ asker, subject: question.subject });
    if (verdict === 'ignore') return 'policy';
    // After the policy, and not for partners: any number of keys can use up what strangers share.
    if (!ofStrangers.take('') && !(await isPartner(asker))) return 'rate-limited';
    if (verdict === 'answer') return answer(question, asker);
    return { protocol: inquiryProtocol, type: 'answer', id: question.id, status: 'refused', assessments: [] };
  }

  async function onQuestion(question: Question, asker: string, createdAt: number): Promise<void> {
    if (Math.abs(clock() - createdAt) > maxAgeMs) return ignore('too-old', asker);
    const name = `${asker}:${question.id}`;
    if (seen.has(name)) return ignore('repeated', asker);
    seen.add(name);
    const [oldest] = seen;
    if (seen.size > maxRemembered && oldest !== undefined) seen.delete(oldest);
    // No answer at all, so that a flood of questions causes no flood of answers.
    if (!perPeer.take(asker)) return ignore('rate-limited', asker);
    const reply = await replyTo(question, asker).catch((error: unknown) => {
      logger.warn({ err: error, asker }, 'Inquiry not answered: policy or ledger failed');
      return 'failed' as const;
    });
    if (typeof reply === 'string') return ignore(reply, asker);
    const delivered = await send(asker, reply).catch((error: unknown) => {
      logger.warn({ err: error, asker }, 'Inquiry not answered: the answer was not delivered');
      return false;
    });
    if (!delivered) ignore('not-delivered', asker);
  }

  async function onAnswer({ id, status, assessments }: Answer, peer: string): Promise<void> {
    const name = `${peer}:${id}`;
    const asked = waiting.get(name);
    // Of another peer than the asked one, of a question that is over, or a second answer.
    if (asked === undefined) {
      ignore('not-asked', peer);
      return;
    }
    waiting.delete(name);
    const audience = await signer.getPublicKey();
    const accepted: Review[] = [];
    const rejected: Partial<Record<ReviewRejection, number>> = {};
    for (const event of assessments.slice(0, maxAssessments)) {
      const checked = checkAssessment(event, { peer, audience, subject: asked.subject, now: clock() });
      if (checked.ok) accepted.push(checked.review);
      else rejected[checked.reason] = (rejected[checked.reason] ?? 0) + 1;
    }
    asked.settle({ peer, status, assessments: status === 'answered' ? accepted : [], rejected });
  }

  async function handle(given: Pick<PrivateMessage, 'sender' | 'content' | 'createdAt'>): Promise<boolean> {
    const { sender, content, createdAt } = parseInput(messageSchema, 'message', given);
    const message = parseInquiry(content);
    if (message === null) return false;
    if (message === 'malformed') ignore('malformed', sender);
    else if (message.type === 'answer') await onAnswer(message, sender);
    else await onQuestion(message, sender, createdAt);
    return true;
  }

  async function askOne(
    subject: string,
    peer: string,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<PeerAnswer> {
    const id = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
    const without = (status: PeerAnswer['status']): PeerAnswer => ({
      peer,
      status,
      assessments: [],
      rejected: {},
    });
    const name = `${peer}:${id}`;
    const listeners = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      const settled = new Promise<PeerAnswer>((resolve, reject_) => {
        waiting.set(name, { subject, settle: resolve });
        timer = setTimeout(() => resolve(without('silent')), timeoutMs);
        signal.addEventListener('abort', () => reject_(signal.reason), {
          once: true,
          signal: listeners.signal,
        });
      });
      settled.catch(() => {});
      signal.throwIfAborted();
      const delivered = await send(peer, { protocol: inquiryProtocol, type: 'question', id, subject }).catch(
        () => false,
      );
      signal.throwIfAborted();
      return delivered ? await settled : without('unreachable');
    } finally {
      clearTimeout(timer);
      listeners.abort();
      waiting.delete(name);
    }
  }

  async function close(): Promise<void> {
    closing.abort(new ReputationError('CLOSED', 'The inquiries were closed.'));
    subscription?.close();
  }

  return {
    handle,
    async start() {
      if (closing.signal.aborted) throw closing.signal.reason;
      subscription ??= await receivePrivate({
        ...{ transport, signer, relays: inboxRelays, logger },
        since: clock() - maxAgeMs,
        onMessage: async (message) => {
          await handle(message);
        },
        signal: closing.signal,
      });
    },
    async ask(subject, peers, options) {
      if (closing.signal.aborted) throw closing.signal.reason;
      const { timeoutMs, signal } = parseInput(askSchema, 'options', options);
      const keys = [subject, ...parseInput(peersSchema, 'peers', peers)].map((text) =>
        requirePublicKey(text, (message) => new ReputationError('INVALID_INPUT', message)),
      );
      const [about = '', ...asked] = keys;
      const until = signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal]);
      return Promise.all(
        [...new Set(asked)].map((peer) => askOne(about, peer, { timeoutMs, signal: until })),
      );
    },
    unanswered: () => ({ ...counts }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Accepts only what the peer itself signed about the subject, with both scores and a reason: for this agent alone, or as a public
 * label.
 */
function checkAssessment(
  event: unknown,
  expected: {
    readonly peer: string;
    readonly audience: string;
    readonly subject: string;
    readonly now: number;
  },
): { readonly ok: true; readonly review: Review } | RejectedReview {
  const { peer, audience, subject, now } = expected;
  const isPrivate =
    typeof event === 'object' && event !== null && 'kind' in event && event.kind === privateLabelKind;
  const parsed = parseReview(event, { now, ...(isPrivate ? { kinds: { label: privateLabelKind } } : {}) });
  if (!parsed.ok) return parsed;
  const { review } = parsed;
  if (review.reviewer !== peer) return reject('wrong-reviewer', 'Another key signed the assessment.');
  if (review.subject !== subject) return reject('wrong-subject', 'The assessment is about another subject.');
  const readers = tagValues(review.event, audienceTag);
  if (isPrivate && (readers.length !== 1 || readers[0] !== audience))
    return reject('wrong-audience', 'The assessment was signed for another asker.');
  if (review.assessment === null) return reject('incomplete-assessment', 'There is no complete assessment.');
  return parsed;
}
