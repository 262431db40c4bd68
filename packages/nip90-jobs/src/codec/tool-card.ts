import { truncate } from '@bonafide/internal';
import type { EventTemplate } from '@bonafide/nostr-transport';
import { JobError } from '../errors.ts';
import { MAX_EVENT_BYTES, signedBytes } from './event.ts';

/** A tool on a card. */
interface CardTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
}

/** Maximum length of the descriptions on a card that would be too large for relays otherwise. */
const shortDescription = 200;

/**
 * Builds the capability card (NIP-89, kind 31990) of a provider whose jobs are calls of tools. What makes it too large for relays is
 * left out: the largest schemas first, then the ends of descriptions.
 * @throws {JobError} `INVALID_CONFIG` for more tools than fit on a card
 */
export function buildToolCard(spec: ToolCardSpec): EventTemplate {
  const full = cardOf(spec);
  const excess = signedBytes(full) - MAX_EVENT_BYTES;
  if (excess <= 0) return full;
  const tools = withoutLargeSchemas(spec.tools, excess);
  const described = cardOf({ ...spec, tools });
  if (signedBytes(described) <= MAX_EVENT_BYTES) return described;
  const short = cardOf({
    ...spec,
    tools: tools.map(({ name, description = '' }) => ({
      name,
      description: truncate(description, shortDescription),
    })),
  });
  if (signedBytes(short) <= MAX_EVENT_BYTES) return short;
  throw new JobError(
    'INVALID_CONFIG',
    `${tools.length} tools do not fit on a capability card. Name those to offer in options.tools.`,
  );
}

/** Leaves out schemas, the largest first, until `excess` bytes are saved or none is left. */
function withoutLargeSchemas(tools: readonly CardTool[], excess: number): readonly CardTool[] {
  const kept = [...tools];
  const bySize = tools
    // As they are written in the content, a JSON text within JSON.
    .map(({ inputSchema }, at) => ({ at, size: JSON.stringify(JSON.stringify(inputSchema) ?? '').length }))
    .toSorted((a, b) => b.size - a.size);
  let saved = 0;
  for (const { at, size } of bySize) {
    if (saved >= excess) break;
    const { name, description } = tools[at] as CardTool;
    kept[at] = { name, description };
    saved += size;
  }
  return kept;
}

interface ToolCardSpec {
  readonly tools: readonly CardTool[];
  /** Request kinds. */
  readonly kinds: readonly number[];
  /** Name of the parameter that selects a tool. */
  readonly toolParam: string;
  readonly name: string | null;
  readonly about: string | null;
  /** Creation time, ms since epoch. */
  readonly createdAt: number;
}

function cardOf(spec: ToolCardSpec): EventTemplate {
  const { tools, kinds, toolParam, name, about, createdAt } = spec;
  const described = tools.map((tool) => `${tool.name}: ${tool.description ?? ''}`.trim());
  return {
    kind: 31_990,
    created_at: Math.floor(createdAt / 1000),
    tags: [
      ['d', `mcp:${kinds.join(',')}`],
      ...kinds.map((kind) => ['k', String(kind)]),
      ['t', 'mcp'],
      ...tools.map((tool) => ['t', tool.name.toLowerCase()]),
    ],
    content: JSON.stringify({
      name: name ?? tools[0]?.name ?? 'mcp',
      about: about ?? described.join('\n').slice(0, 2_000),
      encryptionSupported: true,
      nip90Params: {
        [toolParam]: { required: tools.length > 1, values: tools.map((tool) => tool.name) },
      },
      tools: tools.map((tool) => ({
        name: tool.name,
        description: tool.description ?? '',
        ...(tool.inputSchema === undefined ? {} : { inputSchema: tool.inputSchema }),
      })),
    }),
  };
}
