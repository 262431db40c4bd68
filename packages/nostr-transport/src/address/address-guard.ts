import { type Lookup, type LookupAddress, type LookupOptions, requireNodeBuiltin } from '@bonafide/internal';
import {
  type AddressPolicy,
  assessAddress,
  assessRelayUrl,
  isLocalhost,
  isLoopback,
  type RelayUrlAssessment,
} from './relay-url.ts';

/** Resolves a name to all its addresses. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Keeps connections away from addresses that strangers have no business with (SSRF). */
export interface AddressGuard {
  /** Judges an address as it is written; see `assessRelayUrl`. */
  assess(relay: string): RelayUrlAssessment;
  /**
   * Resolves a name and answers with permitted addresses only, so that the socket connects to the very
   * address that was judged: a name that changes its answer between check and use (DNS rebinding) gains nothing. Pass it as
   * `lookup` to whatever opens the connection. Fails with the code `ADDRESS_FORBIDDEN` when none is left.
   */
  readonly lookup: Lookup;
}

export interface AddressGuardOptions extends AddressPolicy {
  /** How names are resolved. Default: the system's resolver. */
  readonly resolve?: Resolve;
}

/** The code of the error with which {@link AddressGuard.lookup} refuses. */
export const addressForbidden = 'ADDRESS_FORBIDDEN';

/**
 * Makes the guard that `createTransport` uses, for others that connect to where strangers point: fetching NIP-11
 * documents, avatars, blobs. The policy is {@link AddressPolicy}'s.
 */
export function createAddressGuard(options: AddressGuardOptions = {}): AddressGuard {
  const resolve = options.resolve ?? systemResolve;

  function isPermitted(hostname: string, address: string): boolean {
    if (options.allowHosts?.includes(hostname)) return true;
    // Only the name that means this machine may resolve to it; a stranger's name that does is an attack.
    if (isLocalhost(hostname)) return options.allowLoopback === true && isLoopback(address);
    return assessAddress(address) === null;
  }

  return {
    assess: (relay) => assessRelayUrl(relay, options),
    lookup(hostname, lookupOptions, callback) {
      const name = hostname.toLowerCase().replace(/\.$/, '');
      resolve(name).then(
        (addresses) => {
          const family = familyOf(lookupOptions.family);
          const permitted = addresses.filter(
            (entry) => (family === 0 || entry.family === family) && isPermitted(name, entry.address),
          );
          const [first] = permitted;
          if (first === undefined) callback(forbidden(name, addresses), '');
          else if (lookupOptions.all) callback(null, permitted);
          else callback(null, first.address, first.family);
        },
        (error: Error) => callback(error, ''),
      );
    },
  };
}

function forbidden(name: string, addresses: readonly LookupAddress[]): Error & { code: string } {
  const kinds = new Set(addresses.map((entry) => assessAddress(entry.address) ?? 'public'));
  const message = `'${name}' resolves to no permitted address (${[...kinds].join(', ') || 'none at all'}).`;
  return Object.assign(new Error(message), { code: addressForbidden });
}

function familyOf(family: LookupOptions['family']): number {
  if (family === 'IPv4') return 4;
  if (family === 'IPv6') return 6;
  return family ?? 0;
}

// In a browser nothing asks for addresses: it resolves names by itself.
async function systemResolve(hostname: string): Promise<readonly LookupAddress[]> {
  const { lookup } = requireNodeBuiltin<typeof import('node:dns')>('node:dns');
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
}
