import { sanitizePromptText } from '@bonafide/internal';
import { boundTokens } from '../tokens.ts';
import { activeBeliefs, type Belief } from './beliefs.ts';
import { modelNote, noteGuide } from './model-note.ts';
import { shownName } from './peer-name.ts';

/** Limits of a belief's line in UTF-8 bytes. */
const maxBytes = { key: 48, value: 160 };

function line(belief: Belief): string {
  const { key, value, handle, peerId, kind } = belief;
  const name = handle ?? peerId;
  const about = name === null ? '' : ` (${shownName(name)})`;
  // Key and value of a note are words of a model: both stand between the delimiters.
  if (kind === 'note')
    return `- note${about}: ${modelNote(key, maxBytes.key)} ${modelNote(value, maxBytes.value)}`;
  return `- ${sanitizePromptText(key, maxBytes.key)}${about}: ${sanitizePromptText(value, maxBytes.value)}`;
}

/**
 * Orders beliefs: the current peer first, then the agent itself, then the rest; newest first within each group.
 */
function priority(belief: Belief, peerId: string | null): number {
  if (belief.peerId !== null && (belief.peerId === peerId || belief.handle === peerId)) return 0;
  return belief.peerId === null ? 1 : 2;
}

/**
 * Renders the `## Cortex Beliefs` section of a prompt, or `''` without active beliefs. Beliefs from templates and by the
 * operator are plain lines. What a model wrote is a note: delimited, truncated, and marked as data. The section never
 * exceeds `maxTokens`.
 */
export function renderBeliefs(
  beliefs: readonly Belief[],
  context: { readonly now: number; readonly peerId?: string | null; readonly maxTokens?: number },
): string {
  const peerId = context.peerId ?? null;
  const active = activeBeliefs(beliefs, context.now)
    .map((belief, index) => ({ belief, index, rank: priority(belief, peerId) }))
    .sort((a, b) => a.rank - b.rank || b.belief.confirmedAt - a.belief.confirmedAt || b.index - a.index);
  const heading = '## Cortex Beliefs';
  let room = (context.maxTokens ?? 400) - boundTokens(heading);
  let guide = '';
  const lines: string[] = [];
  for (const { belief } of active) {
    const text = line(belief);
    const guideCost = belief.kind === 'note' && guide === '' ? boundTokens(noteGuide) + 1 : 0;
    const cost = boundTokens(text) + 1 + guideCost;
    if (cost > room) continue;
    room -= cost;
    if (guideCost > 0) guide = noteGuide;
    lines.push(text);
  }
  if (lines.length === 0) return '';
  return [heading, ...(guide === '' ? [] : [guide]), ...lines].join('\n');
}
