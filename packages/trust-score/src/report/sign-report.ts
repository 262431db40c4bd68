import { canonicalJson } from '@bonafide/internal';
import {
  applicationDataKind,
  type EventSigner,
  type EventTemplate,
  signTemplate,
} from '../signing/nostr-event.ts';
import { sha256 } from '../signing/schnorr.ts';

/** Digest of every value in a document, by path such as `factors.uptime.score`; of what is empty as a whole. */
export function digestsOf(value: unknown, path = ''): Readonly<Record<string, string>> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const inside = members.filter(([, member]) => member !== undefined);
  if (inside.length === 0) return { [path]: sha256(canonicalJson(value)).slice(0, 16) };
  return Object.assign(
    {},
    ...inside.map(([name, member]) => digestsOf(member, path === '' ? name : `${path}.${name}`)),
  );
}

/** A document without its seal. */
export function unsealed(report: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { verification: _, ...rest } = report;
  return rest;
}

/** The event that is signed for a document: all of it, with the digests, and without what only the signature gives. */
export function reportEvent(
  report: Readonly<Record<string, unknown>>,
  seal: Readonly<Record<string, unknown>>,
): EventTemplate {
  const { signature: _, event_id: __, ...signed } = seal;
  return {
    kind: applicationDataKind,
    created_at: Number(seal.signed_at),
    tags: [['d', `bonafide.trust-report:${String(report.agent_id)}`]],
    content: canonicalJson({ ...unsealed(report), verification: signed }),
  };
}

/** A document with its seal. Throws `INVALID_INPUT` when the signer signed something else. */
export async function sealReport<Report extends Readonly<Record<string, unknown>>>(
  report: Report,
  signer: EventSigner,
  now: number,
  verificationUrl: string | undefined,
): Promise<Report & { readonly verification: Readonly<Record<string, unknown>> }> {
  const signedBy = await signer.getPublicKey();
  const seal = {
    signed_by: signedBy,
    signed_at: Math.floor(now / 1_000),
    sha256: sha256(canonicalJson(report)),
    digests: digestsOf(report),
    ...(verificationUrl === undefined ? {} : { verification_url: verificationUrl }),
  };
  const template = reportEvent(report, seal);
  const { id, sig } = await signTemplate(template, signer, signedBy);
  return { ...report, verification: { ...seal, event_id: id, signature: sig } };
}
