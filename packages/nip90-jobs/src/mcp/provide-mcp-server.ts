import type { EventTemplate } from '@bonafide/nostr-transport';
import { isRequestKind, type JobRequest, jobParam } from '../codec/index.ts';
import { buildToolCard } from '../codec/tool-card.ts';
import { JobError } from '../errors.ts';
import type { JobContext } from '../provider/handler.ts';
import { createProvider, type Provider } from '../provider/provider.ts';
import type { ProviderOptions } from '../provider/provider-options.ts';
import { TOOL_PARAM, type ToolInputSchema, toolArguments } from './tool-arguments.ts';

/** A tool of an MCP server. */
export interface McpTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: ToolInputSchema & { readonly [key: string]: unknown };
}

/** The members of an SDK's `Client` that are used here: of `@modelcontextprotocol/client` 2 and `…/sdk` 1. */
export interface McpToolClient {
  listTools(params?: {
    readonly cursor?: string;
  }): Promise<{ readonly tools: readonly McpTool[]; readonly nextCursor?: string | undefined }>;
  // biome-ignore lint/suspicious/noExplicitAny: the two SDKs differ in their further parameters.
  callTool(params: { name: string; arguments?: Record<string, unknown> }, ...rest: any[]): Promise<any>;
}

/** Price of a tool in millisatoshi: one for all, one per tool, or a function. 0 or null: free. */
export type McpPricing =
  | number
  | Readonly<Record<string, number>>
  | ((tool: string, request: JobRequest) => Promise<number | null> | number | null);

/** Options of {@link provideMcpServer}. */
export interface ProvideMcpServerOptions
  extends Omit<ProviderOptions, 'kinds' | 'handler' | 'price' | 'card'> {
  /**
   * Request kinds, 5000–5999. A list: a request names its tool in the parameter `tool`, which a server with one tool does
   * not need. A record: the kind of each offered tool.
   */
  readonly kinds: readonly number[] | Readonly<Record<string, number>>;
  /** Price of the tools; requires `invoices` unless everything is free. */
  readonly pricing?: McpPricing;
  /**
   * Names of the offered tools.
   * @default all tools of the server
   */
  readonly tools?: readonly string[];
  /** Name on the capability card. */
  readonly name?: string;
  /** Description on the capability card. */
  readonly about?: string;
  /**
   * Time limit of a tool call without progress, in ms.
   * @default 300_000
   */
  readonly timeoutMs?: number;
}

/** A running provider of an MCP server's tools. */
export interface McpProvider extends Provider {
  /** Names of the offered tools. */
  readonly tools: readonly string[];
  /** The published capability card, unsigned. */
  readonly card: EventTemplate;
}

/** Maximum number of pages of tools that are read from a server. */
const maxPages = 64;

/**
 * Offers the tools of an MCP server as NIP-90 jobs, and starts the provider. Publishes a capability card that lists the tools;
 * calls a tool per request, with the parameters as arguments; publishes progress as `partial` feedback; and returns the
 * tool's text, or its structured content as JSON. An error of a tool fails the job with the tool's text. The caller keeps
 * the MCP client connected and closes it.
 *
 * @example
 * await using provider = await provideMcpServer(mcpClient, { kinds: [5910], transport, signer, relays });
 *
 * @throws {JobError} `INVALID_CONFIG`, also for a tool that the server does not have
 */
export async function provideMcpServer(
  client: McpToolClient,
  options: ProvideMcpServerOptions,
): Promise<McpProvider> {
  const { kinds, pricing = 0, tools: wanted, name, about, timeoutMs = 300_000, admit, ...rest } = options;
  const kindOf = Array.isArray(kinds) ? null : (kinds as Readonly<Record<string, number>>);
  const offered = await offeredTools(client, wanted ?? (kindOf ? Object.keys(kindOf) : null));
  const requestKinds = [...new Set(kindOf ? Object.values(kindOf) : (kinds as readonly number[]))];
  if (requestKinds.length === 0 || !requestKinds.every(isRequestKind))
    throw new JobError('INVALID_CONFIG', 'options.kinds: request kinds are 5000 to 5999.');
  const call = toolCaller(client, timeoutMs);

  /** Returns the tool that a request asks for, with its arguments, or the reason why there is none. */
  const callOf = (request: JobRequest) => {
    const ofKind = [...offered.values()].filter((tool) => !kindOf || kindOf[tool.name] === request.kind);
    const named = jobParam(request, TOOL_PARAM);
    const tool = named === null && ofKind.length === 1 ? ofKind[0] : ofKind.find((one) => one.name === named);
    if (tool === undefined) {
      const names = ofKind.map((one) => one.name).join(', ');
      return { ok: false, message: `Name a tool in the parameter ${TOOL_PARAM}: ${names}.` } as const;
    }
    const read = toolArguments(request, tool.inputSchema);
    return read.ok ? ({ ok: true, tool, args: read.args } as const) : read;
  };

  const priceOf = (request: JobRequest): Promise<number | null> | number | null => {
    const found = callOf(request);
    if (!found.ok) return null;
    if (typeof pricing === 'number') return pricing;
    if (typeof pricing === 'function') return pricing(found.tool.name, request);
    return pricing[found.tool.name] ?? null;
  };

  const isFree = pricing === 0 && options.invoices === undefined;
  const card = buildToolCard({
    tools: [...offered.values()],
    kinds: requestKinds,
    toolParam: TOOL_PARAM,
    name: name ?? null,
    about: about ?? null,
    createdAt: (options.clock ?? Date.now)(),
  });
  const provider = createProvider({
    ...rest,
    kinds: requestKinds,
    card,
    ...(isFree ? {} : { price: priceOf }),
    async admit(request) {
      const found = callOf(request);
      return found.ok ? ((await admit?.(request)) ?? null) : found.message;
    },
    async handler(request, context) {
      const found = callOf(request);
      if (!found.ok) throw new JobError('INVALID_INPUT', found.message);
      return call(found.tool.name, found.args, context);
    },
  });
  await provider.start();
  return { ...provider, tools: [...offered.keys()], card };
}

async function offeredTools(
  client: McpToolClient,
  wanted: readonly string[] | null,
): Promise<ReadonlyMap<string, McpTool>> {
  const all: McpTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { tools, nextCursor } = await client.listTools(cursor === undefined ? undefined : { cursor });
    all.push(...tools);
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  const offered = new Map(
    all.filter(({ name }) => wanted === null || wanted.includes(name)).map((tool) => [tool.name, tool]),
  );
  const absent = (wanted ?? []).filter((name) => !offered.has(name));
  if (absent.length > 0 || offered.size === 0)
    throw new JobError(
      'INVALID_CONFIG',
      `The MCP server has no tool ${absent.join(', ') || 'at all'}. It has: ${all.map(({ name }) => name).join(', ')}.`,
    );
  return offered;
}

interface CallResult {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

function toolCaller(client: McpToolClient, timeoutMs: number) {
  return async (
    name: string,
    args: Readonly<Record<string, unknown>>,
    { signal, partial }: Pick<JobContext, 'signal' | 'partial'>,
  ): Promise<string> => {
    const requestOptions = {
      signal,
      timeout: timeoutMs,
      resetTimeoutOnProgress: true,
      onprogress: ({ progress, total, message }: { progress: number; total?: number; message?: string }) => {
        const share = total === undefined ? `${progress}` : `${progress}/${total}`;
        partial(message ?? '', share).catch(() => {});
      },
    };
    const params = { name, arguments: { ...args } };
    // SDK 1 takes a result schema, with a default, before the options.
    const takesSchema = client.callTool.length <= 1;
    const called: Promise<CallResult> = takesSchema
      ? client.callTool(params, undefined, requestOptions)
      : client.callTool(params, requestOptions);
    const result = await called.catch((error: unknown) => {
      signal.throwIfAborted();
      const message = error instanceof Error ? error.message : String(error);
      throw new JobError('JOB_FAILED', `The tool ${name} failed: ${message}`, { cause: error });
    });
    if (result.isError)
      throw new JobError('JOB_FAILED', textOf(result) || `The tool ${name} reported an error.`);
    return result.structuredContent === undefined ? textOf(result) : JSON.stringify(result.structuredContent);
  };
}

/** Returns the text of a result; content of other types is returned as JSON. */
function textOf({ content = [] }: CallResult): string {
  return content.every(({ type }) => type === 'text')
    ? content.map(({ text = '' }) => text).join('\n')
    : JSON.stringify(content);
}
