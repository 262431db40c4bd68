/**
 * Lightning payments over Nostr Wallet Connect (NIP-47), with the client of `@getalby/sdk`.
 * @packageDocumentation
 */
export { createNwcWallet, type NwcWallet, type NwcWalletOptions } from './nwc-wallet.ts';
