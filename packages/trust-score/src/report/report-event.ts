import type { SignedEvent } from '../signing/nostr-event.ts';
import { parseTrustReport, type TrustReport } from './schema.ts';
import { reportEvent } from './sign-report.ts';

/**
 * Returns a report as the Nostr event that was signed (kind 30078, addressed by the agent), for publication. It needs no key: the
 * report carries the signature. Verify the report first: an altered one makes an event that every relay refuses.
 *
 * @throws `INVALID_INPUT` when the document is not a trust report.
 */
export function trustReportEvent(given: TrustReport): SignedEvent {
  const report = parseTrustReport(given);
  const { verification } = report;
  const { event_id: id, signed_by: pubkey, signature: sig } = verification;
  return { ...reportEvent(report, verification), id, pubkey, sig };
}
