import { isBlank, sha256Hex } from '@bonafide/internal';
import { parseJson } from '../json.ts';
import { wrongAnswersNoteName as nameOf, wrongAnswersSchema } from '../notes.ts';
import type { OrderState, Replica } from '../order.ts';
import type { PlatformRef } from '../platform.ts';
import type { FinishedWork } from '../ports.ts';
import type { DelegationContext } from './context.ts';

/** Number of wrong answers that are kept per platform. */
const kept = 100;

/** Remembers an answer that was checked and is not right, so that platforms that give the same one are known to be alike. */
export async function rememberWrongAnswer(
  { similarity, store }: DelegationContext,
  { order }: OrderState,
  { answer }: Replica,
  { platform, outcome, verifiedBy }: FinishedWork,
): Promise<void> {
  const isChecked = verifiedBy === 'judge' || verifiedBy === 'accept';
  if (similarity === undefined || !isChecked || outcome === 'SUCCESS') return;
  // What says nothing is the same everywhere.
  if (answer?.content == null || isBlank(answer.content)) return;
  // Platforms get the same trial in orders of their own.
  const job = order.trial === null ? order.id : `${order.taskType}\n${order.trial.taskId}`;
  const wrongAnswer = sha256Hex(JSON.stringify([job, answer.content.trim()])).slice(0, 32);
  for (;;) {
    const { revision, answers } = await read(store, platform);
    if (answers.includes(wrongAnswer)) return;
    const value = JSON.stringify([...answers, wrongAnswer].slice(-kept));
    if (await store.putNote(nameOf(platform), { revision: revision + 1, value })) return;
  }
}

/** Returns the names of the latest wrong answers of a platform. */
export const wrongAnswersOf = async (
  { store }: Pick<DelegationContext, 'store'>,
  platform: PlatformRef,
): Promise<readonly string[]> => (await read(store, platform)).answers;

async function read(store: DelegationContext['store'], platform: PlatformRef) {
  const note = await store.note(nameOf(platform));
  const answers = wrongAnswersSchema.safeParse(note === null ? null : parseJson(note.value)).data ?? [];
  return { revision: note?.revision ?? 0, answers };
}
