/** Reasons for a consultation. */
export type ConsultReason = 'money' | 'commitment' | 'trust' | 'first_contact';

/** Advice for or against a consultation, with the reasons. */
export interface ConsultAdvice {
  readonly consult: boolean;
  readonly reasons: readonly ConsultReason[];
}

const patterns: Readonly<Record<Exclude<ConsultReason, 'first_contact'>, RegExp>> = {
  money:
    /\b(?:sats?|msats?|satoshis?|btc|bitcoin|lightning|invoice|ln(?:bc|tb)[0-9a-z]*|pay(?:ment|ments|ing|s)?|paid|prepay|refund|transfer|wallet|money|fund(?:s|ing)?|deposit|loan|lend|borrow|price|fee|usd|eur|dollars?|euros?)\b|[$€£₿]|\bsend me\b/iu,
  commitment:
    /\b(?:promise|commit(?:ment)?|guarantee|agree(?:ment)?|contract|deadline|sign|exclusive|exclusively|sla|warrant(?:y)?|oblige|obligation|by (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|noon))\b/iu,
  trust:
    /\b(?:trust me|password|passphrase|secret|private key|seed phrase|nsec1[0-9a-z]*|api[ -]?key|credentials?|token|access|permission|admin|root|vouch|recommend|endorse|ignore (?:all|previous|your)|urgent(?:ly)?|immediately)\b/iu,
};

/**
 * Advises whether to think before answering: money, commitments, trust-sensitive words, and first contact with any of
 * them. Pure, and without a model. A heuristic: it finds words, not meanings.
 */
export function shouldConsult(
  request: string,
  context: { readonly firstContact?: boolean; readonly amountMsat?: number } = {},
): ConsultAdvice {
  const found = Object.entries(patterns)
    .filter(([, pattern]) => pattern.test(request))
    .map(([reason]) => reason as ConsultReason);
  if ((context.amountMsat ?? 0) > 0 && !found.includes('money')) found.unshift('money');
  if (found.length === 0) return { consult: false, reasons: [] };
  return { consult: true, reasons: context.firstContact === true ? [...found, 'first_contact'] : found };
}
