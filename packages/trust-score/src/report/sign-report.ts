import { canonicalJson } from '@bonafide/internal';
import {
  applicationDataKind,
  type EventSigner,
  type EventTemplate,
  signTemplate,
} from '../signing/nostr-event.ts';
import { sha256 } from '../signing/schnorr.ts';

/** A receipt has one digest, since it carries its own signature. */
const isReceipt = /^receipts\.\d+$/u;

/** Returns the digest of every value in a document, by path such as `factors.uptime.score`; empty containers count as values. */
export function digestsOf(document: unknown): Readonly<Record<string, string>> {
  const digests: Record<string, string> = {};
  const visit = (value: unknown, path: string): void => {
    const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    const inside = members.filter(([, member]) => member !== undefined);
    if (inside.length === 0 || isReceipt.test(path)) {
      digests[path] = sha256(canonicalJson(value)).slice(0, 16);
      return;
    }
    for (const [name, member] of inside) visit(member, path === '' ? name : `${path}.${name}`);
  };
  visit(document, '');
  return digests;
}

/** Returns a report without its verification part. */
export function unsignedPart(report: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { verification: _, ...rest } = report;
  return rest;
}

/** Builds the event to sign: the whole report with its digests, without signature and event id. */
export function reportEvent(
  report: Readonly<Record<string, unknown>>,
  verification: Readonly<Record<string, unknown>>,
): EventTemplate {
  const { signature: _, event_id: __, ...signed } = verification;
  return {
    kind: applicationDataKind,
    created_at: Number(verification.signed_at),
    tags: [['d', `bonafide.trust-report:${String(report.agent_id)}`]],
    content: canonicalJson({ ...unsignedPart(report), verification: signed }),
  };
}

/** Signs a report. Throws `INVALID_INPUT` when the signer signed something else. */
export async function signReport<Report extends Readonly<Record<string, unknown>>>(
  report: Report,
  signer: EventSigner,
  signedBy: string,
  now: number,
  verificationUrl: string | undefined,
): Promise<Report & { readonly verification: Readonly<Record<string, unknown>> }> {
  const verification = {
    signed_by: signedBy,
    signed_at: Math.floor(now / 1_000),
    sha256: sha256(canonicalJson(report)),
    digests: digestsOf(report),
    ...(verificationUrl === undefined ? {} : { verification_url: verificationUrl }),
  };
  const template = reportEvent(report, verification);
  const { id, sig } = await signTemplate(template, signer, signedBy);
  return { ...report, verification: { ...verification, event_id: id, signature: sig } };
}
