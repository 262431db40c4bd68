/**
 * NIP-90 jobs for the Model Context Protocol: offers the tools of any MCP server as jobs, and gives a model tools that hire.
 * @packageDocumentation
 */
export {
  type JobTool,
  type JobToolAnnotations,
  type JobToolsOptions,
  jobTools,
  type McpToolServer,
  registerJobTools,
} from './job-tools.ts';
export {
  type McpPricing,
  type McpProvider,
  type McpTool,
  type McpToolClient,
  type ProvideMcpServerOptions,
  provideMcpServer,
} from './provide-mcp-server.ts';
export {
  ARGUMENTS_MARKER,
  TOOL_PARAM,
  type ToolArguments,
  type ToolInputSchema,
  toolArguments,
} from './tool-arguments.ts';
