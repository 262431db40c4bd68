import type { Assessment, OutcomeEvent } from './records.ts';

/** An assessment that an operator should review. */
export interface AuditFinding {
  readonly assessment: Assessment;
  /**
   * - `sign-disagreement`: trust and rationale, or trust and the outcomes until then, point opposite ways.
   * - `repeated-text`: the same rationale was given before, for this peer or another.
   * - `no-observed-fact`: nothing in the rationale says what was requested, delivered, promised, paid or measured.
   */
  readonly kind: 'sign-disagreement' | 'repeated-text' | 'no-observed-fact';
  readonly finding: string;
}

const stem = (words: string) => new RegExp(`(?<!\\p{L})(?:${words.trim().split(/\s+/).join('|')})`, 'giu');

const praise =
  stem(`accura consisten reliab excellent good great helpful honest kept prompt punctual clear satisf
  success successful trustworthy flawless verified correct\\b well\\b on\\stime delivered\\b paid\\b`);
const blame =
  stem(`unreliab dishonest fraud scam cheat lied lying broke broken never fail unrespons vanish late\\b
  wrong incorrect inaccura refus reject disput timeout ignored ignoring malicious attack spam abus exploit farming
  copied bad\\b poor no\\sdelivery no\\sresponse not\\sdeliver missing missed`);
const fact = stem(`request ask deliver promis agreed paid pay invoic refund verif test pass fail reject accept
  declin disput respon repl answer sent send receiv return timeout late\\b on\\stime deadline demand redo copied
  crash attack complet finish miss vanish kept broke benchmark interaction message quote`);
/** Turns the word after it around: `not reliable`, `no issues`, `never failed`. */
const negation =
  /(?<!\p{L})(?:no|not|never|without|nothing|hardly|isn't|wasn't|didn't|doesn't|n't)(?:\s+\p{L}+)?\s+$/iu;

/**
 * Minimum number of finished pieces of work, nearly all of one kind, that contradicts a trust of the opposite
 * sign.
 */
const leastFinished = 3;
const nearlyAll = 0.8;

/**
 * Finds assessments that an operator should review. Expects them oldest first, so that the second of two
 * equal texts is reported as the repetition. The heuristic knows English words only.
 */
export function auditAssessments(
  assessments: readonly Assessment[],
  outcomes: readonly AuditedOutcome[] = [],
): readonly AuditFinding[] {
  const auditor = createAssessmentAuditor();
  const outcomesOf = Map.groupBy(outcomes, ({ peerId }) => peerId);
  return assessments.flatMap((row) => auditor(row, outcomesOf.get(row.peerId) ?? []));
}

/** The part of an outcome that an audit compares with an assessment. */
export type AuditedOutcome = Pick<OutcomeEvent, 'peerId' | 'correlationId' | 'result' | 'createdAt'> &
  Partial<Pick<OutcomeEvent, 'receivedAt' | 'sequence'>>;

/** Texts that are remembered in order to find repetitions. */
const rememberedTexts = 50_000;

/**
 * Creates a function that audits one assessment after the other, oldest first, with the outcomes of its peer. Memory is
 * bounded: repetitions are found among the newest 50,000 different texts.
 */
export function createAssessmentAuditor(): (
  assessment: Assessment,
  outcomes: readonly AuditedOutcome[],
) => readonly AuditFinding[] {
  const seen = new Map<number, Pick<Assessment, 'assessmentId' | 'peerId'>>();

  return (assessment, outcomes) => {
    const findings: AuditFinding[] = [];
    const add = (kind: AuditFinding['kind'], finding: string) => findings.push({ assessment, kind, finding });
    const disagreement = disagreementOf(assessment, outcomes);
    if (disagreement !== null) add('sign-disagreement', disagreement);
    const text = hashOf(normalized(assessment.rationale));
    const earlier = seen.get(text);
    if (earlier) add('repeated-text', `The same words as in ${earlier.assessmentId} about ${earlier.peerId}`);
    else {
      const [oldest] = seen.keys();
      if (seen.size >= rememberedTexts && oldest !== undefined) seen.delete(oldest);
      seen.set(text, { assessmentId: assessment.assessmentId, peerId: assessment.peerId });
    }
    if (!/\d/u.test(assessment.rationale) && assessment.rationale.search(fact) === -1) {
      add('no-observed-fact', 'The rationale names nothing that was observed');
    }
    return findings;
  };
}

function disagreementOf(
  { trust, rationale, createdAt }: Assessment,
  outcomes: readonly AuditedOutcome[],
): string | null {
  if (trust === 0) return null;
  const tone = toneOf(rationale);
  if (tone !== 0 && Math.sign(tone) !== Math.sign(trust)) {
    return `Trust is ${trust}, the rationale sounds ${tone > 0 ? 'positive' : 'negative'}`;
  }
  const last = new Map<string, AuditedOutcome>();
  for (const event of outcomes) {
    if (receiptOf(event) > createdAt) continue;
    const known = last.get(event.correlationId);
    if (!known || inOrderOfReceipt(known, event) <= 0) last.set(event.correlationId, event);
  }
  const results = [...last.values()]
    .filter(({ result }) => result !== 'open')
    .sort(inOrderOfReceipt)
    .map(({ result }) => result);
  // One bad turn after many good ones is a reason of its own, and so is the other way round.
  if ((results.at(-1) === 'success') === trust > 0) return null;
  if (results.length < leastFinished) return null;
  const rate = results.filter((result) => result === 'success').length / results.length;
  const opposite = trust > 0 ? rate <= 1 - nearlyAll : rate >= nearlyAll;
  return opposite
    ? `Trust is ${trust}, ${Math.round(rate * 100)} % of ${results.length} works ended well`
    : null;
}

const receiptOf = ({ createdAt, receivedAt = createdAt }: AuditedOutcome) => receivedAt;

const inOrderOfReceipt = (one: AuditedOutcome, other: AuditedOutcome) =>
  receiptOf(one) - receiptOf(other) || (one.sequence ?? 0) - (other.sequence ?? 0);

/** Positive words minus negative ones, each turned around by a negation before it. */
function toneOf(text: string): number {
  const count = (words: RegExp, sign: number) =>
    [...text.matchAll(words)].reduce(
      (sum, { index }) => sum + (negation.test(text.slice(Math.max(0, index - 24), index)) ? -sign : sign),
      0,
    );
  return count(praise, 1) + count(blame, -1);
}

function normalized(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Hashes a text to 53 bits (cyrb53), so that a remembered text takes a few bytes. Equal texts give equal hashes. */
function hashOf(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return 4_294_967_296 * (low & 0x1fffff) + (high >>> 0);
}
