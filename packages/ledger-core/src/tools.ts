import type { Page } from '@bonafide/internal';
import * as z from 'zod';
import { asData, dataNote, handleAsData } from './delimited-text.ts';
import { peerNotFound } from './errors.ts';
import { parse } from './parse.ts';
import { isPardoned } from './policy.ts';
import type { Assessment, Interaction, PeerOverview } from './records.ts';
import { type Rubric, rubricText } from './rubric.ts';

/** Annotations of a tool, as in the Model Context Protocol. */
export interface ToolAnnotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/**
 * A tool for a model, in no SDK's form. `inputSchema` is a Standard Schema and a Standard JSON Schema, so that
 * AI SDK, MCP server, OpenAI Agents and Mastra take it as it is.
 */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  readonly annotations: ToolAnnotations;
  /**
   * Validates the input and runs the tool. The result is JSON. Throws `LedgerError`: `INVALID_INPUT`, and for
   * `assess_peer` also `PEER_NOT_FOUND`, `CHANNEL_NOT_ASSESSED`, `CORTEX_ASSESSES`.
   */
  execute(input: unknown): Promise<ToolResult>;
}

/** Result of a tool: a JSON object. */
export type ToolResult = { readonly [key: string]: unknown };

/** Input of `createTools`. */
export interface ToolsInput {
  readonly resolvePeer: (text: string) => Promise<PeerOverview | null>;
  /** Most recently seen first. */
  readonly listPeers: (page: { readonly limit: number }) => Promise<Page<PeerOverview>>;
  /** Newest first. */
  readonly getInteractions: (peerId: string, page: { readonly limit: number }) => Promise<Page<Interaction>>;
  /** Null: `search_messages` is not offered. */
  readonly searchInteractions:
    | ((options: {
        readonly text: string;
        readonly peerId?: string;
        readonly limit: number;
      }) => Promise<Page<Interaction>>)
    | null;
  /** Records what the model thinks; `maxTrustStep` and the mode are its business. */
  readonly assess: (peerId: string, trust: number, rationale: string) => Promise<Assessment>;
  readonly rubric: Rubric;
  readonly now: () => number;
}

const peerIdSchema = z
  .string()
  .min(1)
  .max(600)
  .describe('Peer: its ID as shown in the prompt or by these tools, or its npub');

const lastInteractions = 5;
const contentBytes = 280;
const rationaleBytes = 4_000;
const dayMs = 86_400_000;

/** The three tools. `assess_peer` comes last, so that a host without it has the first two. */
export function createTools({
  resolvePeer,
  listPeers,
  getInteractions,
  searchInteractions,
  assess,
  rubric,
  now,
}: ToolsInput): readonly ToolDefinition[] {
  return [
    define({
      name: 'query_peer',
      description:
        'Look up what your own ledger says of a peer: who it is, how often and when you dealt with it, attacks by it, your latest assessment with its full rationale, and the last five interactions.',
      inputSchema: z.object({ peer_id: peerIdSchema }),
      annotations: { ...reading, title: 'Look up a peer' },
      async run({ peer_id }) {
        const peer = await resolvePeer(peer_id);
        if (!peer) return { known: false, note: 'First contact: your ledger has no history with this peer.' };
        const { items } = await getInteractions(peer.peerId, { limit: lastInteractions * 4 });
        return {
          known: true,
          ...identity(peer),
          ...standing(peer, now()),
          rationale: peer.latest && asData(peer.latest.rationale, rationaleBytes),
          assessments: peer.assessmentCount,
          last_interactions: items
            .filter((row) => row.voided === null)
            .slice(0, lastInteractions)
            .map(interaction),
          note: dataNote,
        };
      },
    }),
    define({
      name: 'list_peers',
      description:
        'List the peers your ledger knows, most recently seen first, with info score (how well known, 0-10) and your latest trust (-10 to +10).',
      inputSchema: z.object({
        limit: z.int().min(1).max(100).default(20).describe('How many peers at most'),
      }),
      annotations: { ...reading, title: 'List known peers' },
      async run({ limit }) {
        const { items, nextCursor } = await listPeers({ limit });
        return {
          peers: items.map((peer) => ({ ...identity(peer), ...standing(peer, now()) })),
          more: nextCursor !== null,
          note: dataNote,
        };
      },
    }),
    ...(searchInteractions ? [searchTool(resolvePeer, searchInteractions)] : []),
    define({
      name: 'assess_peer',
      description: rubricText(rubric),
      inputSchema: z.object({
        peer_id: peerIdSchema,
        trust: z.int().min(-10).max(10).describe('-10 proven bad actor, 0 no basis, +10 always delivers'),
        rationale: z
          .string()
          .min(1)
          .max(rationaleBytes)
          .describe('Why: what was requested, delivered, promised, kept'),
      }),
      annotations: { ...reading, readOnlyHint: false, idempotentHint: false, title: 'Assess a peer' },
      async run({ peer_id, trust, rationale }) {
        const peer = await resolvePeer(peer_id);
        if (!peer) throw peerNotFound(peer_id);
        const recorded = await assess(peer.peerId, trust, rationale);
        return {
          recorded: true,
          id: handleAsData(peer.handle),
          trust: recorded.trust,
          info_score: recorded.infoScore,
          ...(recorded.trust === trust
            ? {}
            : { requested_trust: trust, note: 'The operator limits how far trust moves in one step.' }),
        };
      },
    }),
  ];
}

/** The optional tool that searches messages. */
function searchTool(
  resolvePeer: ToolsInput['resolvePeer'],
  search: NonNullable<ToolsInput['searchInteractions']>,
): ToolDefinition {
  return define({
    name: 'search_messages',
    description:
      'Search the messages in your own ledger: those that contain every word, newest first, of one peer or of all.',
    inputSchema: z.object({
      text: z.string().min(1).max(200).describe('Words that the message contains'),
      peer_id: peerIdSchema.optional(),
      limit: z.int().min(1).max(20).default(5).describe('Maximum number of messages'),
    }),
    annotations: { ...reading, title: 'Search messages' },
    async run({ text, peer_id, limit }) {
      const named = peer_id === undefined ? null : await resolvePeer(peer_id);
      if (peer_id !== undefined && !named) throw peerNotFound(peer_id);
      const { items, nextCursor } = await search({ text, limit, ...(named && { peerId: named.peerId }) });
      const messages = [];
      for (const row of items) {
        const peer = named ?? (await resolvePeer(row.peerId));
        messages.push({ id: handleAsData(peer?.handle ?? ''), ...interaction(row) });
      }
      return { messages, more: nextCursor !== null, note: dataNote };
    },
  });
}

const reading = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

function define<Schema extends z.ZodObject>(tool: {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly annotations: ToolAnnotations;
  readonly run: (input: z.output<Schema>) => Promise<ToolResult>;
}): ToolDefinition {
  const { run, ...definition } = tool;
  return {
    ...definition,
    execute: async (input) => run(parse(tool.inputSchema, input ?? {}, tool.name)),
  };
}

function identity(peer: PeerOverview) {
  return {
    id: handleAsData(peer.handle),
    alias: peer.alias && asData(peer.alias, 64),
    channel: peer.channel,
  };
}

function standing(peer: PeerOverview, now: number) {
  return {
    interactions: peer.interactionCount,
    first_seen: new Date(peer.firstSeenAt).toISOString(),
    last_seen: new Date(peer.lastSeenAt).toISOString(),
    info_score: peer.infoScoreNow,
    trust: peer.latest?.trust ?? 'not assessed yet',
    ...(peer.latest && {
      assessed_days_ago: Math.floor(Math.max(0, now - peer.latest.createdAt) / dayMs),
    }),
    success_rate: peer.successRate,
    ...(peer.lastViolationAt !== null && {
      violations: peer.violationCount,
      last_violation: new Date(peer.lastViolationAt).toISOString(),
      violations_pardoned_by_operator: isPardoned(peer.operatorTrust),
    }),
  };
}

function interaction(row: Interaction) {
  return {
    at: new Date(row.createdAt).toISOString(),
    direction: row.direction,
    outcome: row.outcome,
    text: row.pruned ? null : asData(row.content, contentBytes),
  };
}
