import { existsSync, readFileSync } from 'node:fs';
import type { NwcWallet } from '@bonafide/nip90-jobs/nwc';
import type { Command } from 'commander';
import { CliError } from '../../errors.ts';
import type { CliIo } from '../../io.ts';

/** Environment variable with the address of the wallet. */
export const walletVariable = 'BONAFIDE_WALLET';

/** Options of commands that use a wallet. */
export interface WalletOptions {
  readonly walletFile?: string;
}

/** Adds the option of commands that use a wallet. */
export function withWallet(command: Command): Command {
  return command.option(
    '--wallet-file <file>',
    `file with a Nostr Wallet Connect address (default: ${walletVariable})`,
  );
}

/** Returns true when the options or the environment name a wallet. */
export function hasWallet(options: WalletOptions, io: CliIo): boolean {
  return options.walletFile !== undefined || Boolean(io.env[walletVariable]);
}

/**
 * Opens the wallet of the options, or returns null without one. Its address contains a secret, so that it is never an
 * argument.
 */
export async function openWallet(options: WalletOptions, io: CliIo): Promise<NwcWallet | null> {
  const url = walletUrl(options, io);
  if (url === null) return null;
  try {
    // Computed, so that a bundle of this program does not need the optional package.
    const name = '@bonafide/nip90-jobs/nwc';
    const { createNwcWallet }: typeof import('@bonafide/nip90-jobs/nwc') = await import(name);
    return createNwcWallet({ url });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CliError('USAGE', 'Payments need one more package: npm install --global @getalby/sdk');
  }
}

function walletUrl({ walletFile }: WalletOptions, io: CliIo): string | null {
  if (walletFile === undefined) return io.env[walletVariable] || null;
  if (!existsSync(walletFile)) throw new CliError('USAGE', `There is no file ${walletFile}.`);
  return readFileSync(walletFile, 'utf8').trim();
}
