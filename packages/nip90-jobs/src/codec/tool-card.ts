import type { EventTemplate } from '@bonafide/nostr-transport';

/** Builds the capability card (NIP-89, kind 31990) of a provider whose jobs are calls of tools. */
export function buildToolCard(spec: {
  readonly tools: readonly {
    readonly name: string;
    readonly description?: string | undefined;
    readonly inputSchema: unknown;
  }[];
  /** Request kinds. */
  readonly kinds: readonly number[];
  /** Name of the parameter that selects a tool. */
  readonly toolParam: string;
  readonly name: string | null;
  readonly about: string | null;
  /** Creation time, ms since epoch. */
  readonly createdAt: number;
}): EventTemplate {
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
        inputSchema: tool.inputSchema,
      })),
    }),
  };
}
