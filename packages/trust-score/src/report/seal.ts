import { canonicalJson } from '@bonafide/internal';
import { TrustScoreError } from '../errors.ts';
import { sha256 } from './schnorr.ts';

/** An event to sign, as NIP-01 has it. */
interface Template {
  readonly kind: number;
  /** Seconds since epoch. */
  readonly created_at: number;
  readonly tags: string[][];
  readonly content: string;
}

/** Whoever signs: every Nostr signer can, and none has to show its key. */
export interface ReportSigner {
  /** 64 lower-case hex digits. */
  getPublicKey(): Promise<string>;
  signEvent(
    template: Template,
  ): Promise<{ readonly id: string; readonly pubkey: string; readonly sig: string }>;
}

/** Application data by NIP-78: addressable, so that a newer report replaces an older one where it is published. */
const reportKind = 30_078;

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
): Template {
  const { signature: _, event_id: __, ...signed } = seal;
  return {
    kind: reportKind,
    created_at: Number(seal.signed_at),
    tags: [['d', `bonafide.trust-report:${String(report.agent_id)}`]],
    content: canonicalJson({ ...unsealed(report), verification: signed }),
  };
}

/** Id of an event by NIP-01, which is what is signed. */
export const eventId = (event: Template, publicKey: string): string =>
  sha256(JSON.stringify([0, publicKey, event.created_at, event.kind, event.tags, event.content]));

/** A document with its seal. Throws `INVALID_INPUT` when the signer signed something else. */
export async function sealReport<Report extends Readonly<Record<string, unknown>>>(
  report: Report,
  signer: ReportSigner,
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
  const { id, pubkey, sig } = await signer.signEvent(template);
  if (pubkey !== signedBy || id !== eventId(template, signedBy))
    throw new TrustScoreError('INVALID_INPUT', 'The signer signed something else than it was given');
  return { ...report, verification: { ...seal, event_id: id, signature: sig } };
}
