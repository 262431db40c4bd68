import type * as Package from '../../src/index.ts';
import { signerOf } from '../signers.ts';

/** The package under attack. */
export type Api = typeof Package;

/** The result of an attack: a short text for the table, and whether the attacker got what it wanted. */
export interface Outcome {
  readonly text: string;
  readonly succeeded: boolean;
}

/** An attack with its result before there was a defense, and the cost today. */
export interface AttackCase {
  readonly group: string;
  readonly attack: string;
  /** Measured on the code before the defense was written. */
  readonly before: string;
  readonly run: (api: Api) => Outcome | Promise<Outcome>;
  readonly cost: string;
  /** True when the attack still works; the cost says why that is accepted. */
  readonly open?: boolean;
}

export const hour = 3_600_000;
export const day = 24 * hour;
export const now = Date.UTC(2026, 5, 1);
export const start = now - 60 * day;
export const cheat = signerOf('cheat');
export const victim = signerOf('victim');

export const codeOf = (error: unknown): string => {
  const { code, name } = error as { readonly code?: string; readonly name?: string };
  return code ?? name ?? 'error';
};
export const tried = (work: () => unknown): Outcome => {
  try {
    const result = work();
    return { text: String(result), succeeded: true };
  } catch (error) {
    // An error without a code was not meant: the attacker stopped the program of its victim.
    const isCrash = (error as { readonly code?: string }).code === undefined;
    return { text: `${isCrash ? 'crashes' : 'refused'}: ${codeOf(error)}`, succeeded: isCrash };
  }
};

/** Formats an attack as a row of the table in the guide. */
export const attackRow = ({ attack, before, cost, open = false }: AttackCase, { text }: Outcome): string =>
  `| ${attack} | ${before} | ${text}${open ? ' (open)' : ''} | ${cost} |`;
