import { hasMethods } from '@bonafide/internal';
import * as z from 'zod';
import { parse } from './parse.ts';
import type { ToolDefinition } from './tools.ts';

const schema = z.array(
  z.looseObject({
    name: z.string(),
    description: z.string(),
    inputSchema: z.custom(hasMethods('safeParse'), 'must be a zod schema'),
    execute: z.custom((given) => typeof given === 'function', 'must be a function'),
  }),
);

/** Returns the definitions that an adapter was given. Throws `INVALID_INPUT` for anything else. */
export function requireDefinitions(definitions: readonly ToolDefinition[]): readonly ToolDefinition[] {
  parse(schema, definitions, 'definitions');
  return definitions;
}
