import {
  type NWCWalletService,
  NWCWalletServiceKeyPair,
  type NWCWalletServiceRequestHandler,
  NWCWalletService as Service,
} from '@getalby/sdk/nwc';
import { getPublicKey } from 'nostr-tools/pure';
import { onTestFinished } from 'vitest';

const walletSecret = 'a1'.repeat(32);

/** The secret in the address of {@link walletUrl}. */
export const connectionSecret = 'b2'.repeat(32);

const publicKeyOf = (secret: string) => getPublicKey(Uint8Array.from(Buffer.from(secret, 'hex')));

/** A wallet service that speaks NIP-47 on the relay, as Alby wrote it, and does what the test says. */
export async function walletService(url: string, handler: NWCWalletServiceRequestHandler): Promise<void> {
  const service: NWCWalletService = new Service({ relayUrls: [url] });
  await service.publishWalletServiceInfoEvent(
    walletSecret,
    ['pay_invoice', 'lookup_invoice', 'make_invoice'],
    [],
  );
  const keyPair = new NWCWalletServiceKeyPair(walletSecret, publicKeyOf(connectionSecret));
  const unsubscribe = await service.subscribe(keyPair, handler);
  onTestFinished(() => {
    unsubscribe();
    service.close();
  });
}

/** The address under which a client finds the service. */
export function walletUrl(relay: string): string {
  return `nostr+walletconnect://${publicKeyOf(walletSecret)}?relay=${encodeURIComponent(relay)}&secret=${connectionSecret}`;
}

/** An answer of the service. */
export const answer = <Result>(result: Result) => ({ result, error: undefined });

/** What the service says instead of an answer. */
export const refusal = (code: string) => ({ result: undefined, error: { code, message: 'says the wallet' } });
