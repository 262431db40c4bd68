import { type Lookup, type LookupAddress, type LookupOptions, requireNodeBuiltin } from '@bonafide/internal';
import { isAddressOptions, requireConfig } from '../valid.ts';
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

/** Restricts which addresses may be connected to (protection against server-side request forgery). */
export interface AddressGuard {
  /** Checks an address as written; see `assessRelayUrl`. */
  assess(relay: string): RelayUrlAssessment;
  /**
   * Resolves a host name and returns permitted addresses only, so that the socket connects to the address
   * that was checked and DNS rebinding has no effect. Pass it as `lookup` to the function that opens the
   * connection. Fails with the code `ADDRESS_FORBIDDEN` if no address is permitted.
   */
  readonly lookup: Lookup;
}

export interface AddressGuardOptions extends AddressPolicy {
  /** Resolves host names. Default: the system's resolver. */
  readonly resolve?: Resolve;
}

/** The error code of {@link AddressGuard.lookup} for a name without a permitted address. */
export const addressForbidden = 'ADDRESS_FORBIDDEN';

/**
 * Creates the guard that `createTransport` uses, for other code that connects to addresses from untrusted
 * sources: NIP-11 documents, pictures, files. The policy is described at {@link AddressPolicy}.
 *
 * @throws TransportError `INVALID_CONFIG`
 */
export function createAddressGuard(options: AddressGuardOptions = {}): AddressGuard {
  requireConfig(options, isAddressOptions);
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
