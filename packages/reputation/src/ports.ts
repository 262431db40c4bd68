import { hasMethods, isCallable, type Logger } from '@bonafide/internal';
import type { Signer, Verifier } from '@bonafide/nostr-transport';
import * as z from 'zod';

/** A function of the host. */
export const callable = <Value>() => z.custom<Value>(isCallable, 'Expected a function');

/** An object of the host with these methods, kept as it is. */
export const port = <Value>(...methods: readonly string[]) =>
  z.custom<Value>(hasMethods(...methods), `Expected an object with the methods ${methods.join(', ')}`);

export const clockSchema = callable<() => number>().optional();
export const loggerSchema = port<Logger>('debug', 'info', 'warn', 'error').optional();
export const signerSchema = port<Signer>('getPublicKey', 'signEvent');
export const relaysSchema = z.array(z.string()).min(1, 'Name at least one relay');
/** `null` for an event that is verified already. */
export const verifierSchema = port<Verifier>('verify').nullish();
export const signalSchema = z
  .custom<AbortSignal>((given) => given instanceof AbortSignal, 'Expected an AbortSignal')
  .optional();
