// The adapters' results fit the SDKs' own types.
import { createAiSdkReflector } from '@bonafide/cortex/ai-sdk';
import type { Ledger } from '@bonafide/ledger-core';
import { type AiSdkTool, toAiSdkTools } from '@bonafide/ledger-core/ai-sdk';
import { toLangChainTools } from '@bonafide/ledger-core/langchain';
import { registerMcpTools } from '@bonafide/ledger-core/mcp';
import { toOpenAiChatTools, toOpenAiTools } from '@bonafide/ledger-core/openai';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as McpServer2 } from '@modelcontextprotocol/server';
import type { LanguageModel, ToolSet } from 'ai';
import type OpenAI from 'openai';

declare const ledger: Ledger;
declare const model: LanguageModel;

export const aiSdk: ToolSet & Record<string, AiSdkTool> = toAiSdkTools(ledger.tools());
export const reflector = createAiSdkReflector({ model });
export const neutral: ToolSet = Object.fromEntries(ledger.tools().map((tool) => [tool.name, tool]));
export const chat: OpenAI.Chat.ChatCompletionTool[] = toOpenAiChatTools(ledger.tools());
export const responses: OpenAI.Responses.Tool[] = toOpenAiTools(ledger.tools());
export const langChain: readonly StructuredToolInterface[] = toLangChainTools(ledger.tools());
registerMcpTools(new McpServer1({ name: 'ledger', version: '1.0.0' }), ledger);
registerMcpTools(new McpServer2({ name: 'ledger', version: '1.0.0' }), ledger);
