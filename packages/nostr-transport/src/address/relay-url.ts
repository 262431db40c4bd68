import ipaddr from 'ipaddr.js';
import { TransportError } from '../errors.ts';

/** Which addresses are permitted beyond public relays over TLS. */
export interface AddressPolicy {
  /** Permits `localhost`, 127.0.0.0/8 and ::1, also without TLS. For tests and development. Default false. */
  readonly allowLoopback?: boolean;
  /**
   * Host names or addresses that the operator vouches for, such as a relay on the own network: they may
   * be private, of one label, and without TLS. Exact, lower case, without port. Default none.
   */
  readonly allowHosts?: readonly string[];
}

/** Why an address is refused. Stable. */
export type RelayUrlFault =
  | 'malformed'
  | 'too-long'
  | 'scheme'
  | 'insecure'
  | 'credentials'
  | 'port'
  | 'host-name'
  | 'address';

/** What the guard says of a relay's address. */
export type RelayUrlAssessment =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly fault: RelayUrlFault; readonly message: string };

const maxUrlLength = 1_024;

// Names that only a local resolver, a local network or an overlay network can answer.
const localSuffixes = [
  'local',
  'localhost',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'onion',
  'i2p',
  'test',
  'invalid',
];

// Answers only to machines inside Azure, from a range that is otherwise public.
const metadataAddresses = new Set(['168.63.129.16']);

/**
 * One spelling per relay: lower-case host, no default port, no fragment, no trailing dot or slash; `wss://` is
 * assumed when the scheme is missing, as many published events have it. Says nothing about whether
 * connecting is permitted: {@link assessRelayUrl} does.
 *
 * @throws TransportError `RELAY_URL_INVALID`
 */
export function normalizeRelayUrl(text: string): string {
  const parsed = parseRelayUrl(text);
  if ('fault' in parsed) throw new TransportError('RELAY_URL_INVALID', parsed.message);
  return parsed.normalized;
}

/**
 * Whether a relay may be connected to, going by its address alone (NET-1). Hints come from strangers, so the
 * default is narrow: TLS, a public name or address, a port of 80, 443 or from 1024 on, no credentials. The
 * address is judged in the form that a connection would use, so that `0x7f.1` is loopback. A name that passes
 * must still resolve to a permitted address: `createAddressGuard` sees to that when connecting.
 */
export function assessRelayUrl(text: string, policy: AddressPolicy = {}): RelayUrlAssessment {
  const parsed = parseRelayUrl(text);
  if ('fault' in parsed) return { ok: false, ...parsed };
  const { url, host, normalized } = parsed;
  const permitted: RelayUrlAssessment = { ok: true, url: normalized };
  if (url.username !== '' || url.password !== '') {
    return refuse('credentials', 'A relay address with a user name or password is refused.');
  }
  if (policy.allowHosts?.includes(host)) return permitted;

  const port = url.port === '' ? (url.protocol === 'ws:' ? 80 : 443) : Number(url.port);
  if (port < 1_024 && port !== 80 && port !== 443) {
    return refuse('port', `Port ${port} belongs to another service.`);
  }
  if (policy.allowLoopback && (isLocalhost(host) || isLoopback(host))) return permitted;
  if (mayBeAddress(host)) {
    const fault = assessAddress(host);
    if (fault !== null) return refuse('address', `${host} is ${fault}, not a public address.`);
  } else {
    const fault = assessHostName(host);
    if (fault !== null) return refuse('host-name', `'${host}' ${fault}.`);
  }
  if (url.protocol !== 'wss:') return refuse('insecure', 'Relays are spoken to over wss:// only.');
  return permitted;
}

/**
 * What kind of non-public network an IP address belongs to, such as 'loopback' or 'private'; null for global
 * unicast. IPv4 inside IPv6 is judged as the IPv4 address that it reaches.
 */
export function assessAddress(address: string): string | null {
  const bare = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(bare)) return 'no address';
  const parsed = ipaddr.parse(bare);
  if (parsed instanceof ipaddr.IPv6) {
    if (parsed.isIPv4MappedAddress()) return assessAddress(parsed.toIPv4Address().toString());
    const range = parsed.range();
    if (range === 'rfc6052') return assessAddress(embeddedIPv4(parsed)); // What DNS64 gives for an IPv4-only relay.
    if (range !== 'unicast') return range;
    const [first = 0] = parsed.parts;
    return first >> 13 === 1 ? null : 'reserved'; // Global unicast is 2000::/3.
  }
  const range = parsed.range();
  if (range !== 'unicast') return range;
  return metadataAddresses.has(parsed.toString()) ? 'metadata service' : null;
}

/** True for an address of 127.0.0.0/8 or ::1, also when mapped into IPv6. */
export function isLoopback(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === 'loopback';
}

/** True for the name that every machine gives itself. */
export function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/**
 * Whether the host of a parsed URL is an IP address: the URL standard has written every IPv4 address, however it was spelled,
 * with decimal digits, and refuses other names that end in a number. Far cheaper than the patterns of a library.
 */
function mayBeAddress(host: string): boolean {
  return host.includes(':') || /^[\d.]+$/.test(host);
}

function embeddedIPv4(address: ipaddr.IPv6): string {
  const [high = 0, low = 0] = address.parts.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function assessHostName(host: string): string | null {
  if (!host.includes('.')) return 'is a name of one label, which only a local network can resolve';
  const suffix = localSuffixes.find((local) => host === local || host.endsWith(`.${local}`));
  return suffix === undefined ? null : `ends in .${suffix}, which is not on the public Internet`;
}

interface ParsedRelayUrl {
  readonly url: URL;
  /** Lower case, without brackets and trailing dot. */
  readonly host: string;
  readonly normalized: string;
}

function parseRelayUrl(
  text: string,
): ParsedRelayUrl | { readonly fault: RelayUrlFault; readonly message: string } {
  if (typeof text !== 'string') return { fault: 'malformed', message: 'A relay address must be a string.' };
  if (text.length > maxUrlLength) {
    return { fault: 'too-long', message: `A relay address has at most ${maxUrlLength} characters.` };
  }
  const trimmed = text.trim();
  // The URL standard drops line breaks and reads a backslash as a slash: what a person sees must be what is parsed.
  if (trimmed === '' || /[\s\\\p{Cc}\p{Cf}]/u.test(trimmed)) {
    return {
      fault: 'malformed',
      message: 'A relay address has no spaces, backslashes or invisible characters.',
    };
  }
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `wss://${trimmed}`;
  const url = URL.parse(withScheme);
  if (url === null) return { fault: 'malformed', message: 'This is not the address of a relay.' };
  if (url.protocol !== 'wss:' && url.protocol !== 'ws:') {
    return { fault: 'scheme', message: `The address of a relay begins with wss://, not ${url.protocol}//.` };
  }
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === '' || host.split('.').some((label) => label === '' && !host.includes(':'))) {
    return { fault: 'malformed', message: 'The address of a relay names a host.' };
  }
  // Setting what is so already would parse it all again.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  if (url.href.includes('#')) url.hash = '';
  const normalized = url.search === '' ? url.href.replace(/\/+$/, '') : url.href;
  return { url, host, normalized };
}

function refuse(fault: RelayUrlFault, message: string): RelayUrlAssessment {
  return { ok: false, fault, message };
}
