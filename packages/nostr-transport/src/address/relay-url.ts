import { isText } from '@bonafide/internal';
import ipaddr from 'ipaddr.js';
import { TransportError } from '../errors.ts';
import { isPolicy, isRelayList, requireInput } from '../valid.ts';

/** Addresses that are permitted in addition to public relays over TLS. */
export interface AddressPolicy {
  /**
   * Permits `localhost`, 127.0.0.0/8 and ::1, with or without TLS. For tests and development. Default false.
   */
  readonly allowLoopback?: boolean;
  /**
   * Host names or addresses that the operator trusts, such as a relay in the local network: private
   * addresses, single-label names and connections without TLS are permitted for them. Exact match, lower
   * case, without port. Default none.
   */
  readonly allowHosts?: readonly string[];
}

/** Reasons for refusing an address. Stable. */
export type RelayUrlFault =
  | 'malformed'
  | 'too-long'
  | 'scheme'
  | 'insecure'
  | 'credentials'
  | 'port'
  | 'host-name'
  | 'address';

/** The result of checking a relay address. */
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
 * Normalizes a relay address: lower-case host, no default port, no fragment, no trailing dot or slash. Adds
 * `wss://` if the scheme is missing, as in many published events. Does not check whether connecting is
 * permitted: see {@link assessRelayUrl}.
 *
 * @throws TransportError `INVALID_INPUT`
 */
export function normalizeRelayUrl(text: string): string {
  const parsed = parseRelayUrl(text);
  if ('fault' in parsed) throw new TransportError('INVALID_INPUT', parsed.message);
  return parsed.normalized;
}

/**
 * Checks whether a relay may be connected to, by its address alone. The default is narrow, because relay
 * hints come from untrusted sources: TLS, a public name or address, port 80, 443 or at least 1024, no
 * credentials. The host is checked in its parsed form, so `0x7f.1` is loopback. Names are checked again after
 * DNS resolution by `createAddressGuard`.
 */
export function assessRelayUrl(text: string, policy: AddressPolicy = {}): RelayUrlAssessment {
  requireInput(policy, isPolicy, 'policy');
  const parsed = parseRelayUrl(text);
  if ('fault' in parsed) return { ok: false, ...parsed };
  const { url, host, normalized } = parsed;
  const permitted: RelayUrlAssessment = { ok: true, url: normalized };
  if (url.username !== '' || url.password !== '') {
    return refuse('credentials', 'A relay address must not contain a user name or password.');
  }
  if (policy.allowHosts?.includes(host)) return permitted;

  const port = url.port === '' ? (url.protocol === 'ws:' ? 80 : 443) : Number(url.port);
  if (port < 1_024 && port !== 80 && port !== 443) {
    return refuse('port', `Port ${port} is reserved for another service.`);
  }
  if (policy.allowLoopback && (isLocalhost(host) || isLoopback(host))) return permitted;
  if (mayBeAddress(host)) {
    const fault = assessAddress(host);
    if (fault !== null) return refuse('address', `${host} is ${fault}, not a public address.`);
  } else {
    const fault = assessHostName(host);
    if (fault !== null) return refuse('host-name', `'${host}' ${fault}.`);
  }
  if (url.protocol !== 'wss:') return refuse('insecure', 'A relay address must begin with wss://.');
  return permitted;
}

/**
 * Returns the kind of non-public network that an IP address belongs to, such as 'loopback' or 'private'; null
 * for global unicast. IPv4 inside IPv6 is checked as the IPv4 address.
 */
export function assessAddress(address: string): string | null {
  requireInput(address, isText, 'address');
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

/** Returns true for an address of 127.0.0.0/8 or ::1, also when mapped into IPv6. */
export function isLoopback(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === 'loopback';
}

/** Returns true for `localhost` and its subdomains. */
export function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/**
 * Returns true if the host of a parsed URL is an IP address. The URL standard writes every IPv4 address with
 * decimal digits and rejects other names that end in a number, so this is sufficient and cheaper than a
 * general pattern.
 */
function mayBeAddress(host: string): boolean {
  return host.includes(':') || /^[\d.]+$/.test(host);
}

function embeddedIPv4(address: ipaddr.IPv6): string {
  const [high = 0, low = 0] = address.parts.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function assessHostName(host: string): string | null {
  if (!host.includes('.')) return 'has one label, so only a local network can resolve it';
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
      message: 'A relay address must not contain spaces, backslashes or invisible characters.',
    };
  }
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `wss://${trimmed}`;
  const url = URL.parse(withScheme);
  if (url === null) return { fault: 'malformed', message: 'The relay address is malformed.' };
  if (url.protocol !== 'wss:' && url.protocol !== 'ws:') {
    return { fault: 'scheme', message: `A relay address must begin with wss://, not ${url.protocol}//.` };
  }
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === '' || host.split('.').some((label) => label === '' && !host.includes(':'))) {
    return { fault: 'malformed', message: 'A relay address must name a host.' };
  }
  // Setting what is so already would parse it all again.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  if (url.href.includes('#')) url.hash = '';
  const normalized = url.search === '' ? url.href.replace(/\/+$/, '') : url.href;
  return { url, host, normalized };
}

/**
 * Returns the hosts of relay addresses, for `allowHosts`: the operator's own relays are permitted wherever they are, unlike those that
 * others name. Malformed addresses are left out.
 */
export function relayHosts(relays: readonly string[]): string[] {
  requireInput(relays, isRelayList, 'relays');
  return relays.flatMap((relay) => {
    const parsed = parseRelayUrl(relay);
    return 'fault' in parsed ? [] : [parsed.host];
  });
}

function refuse(fault: RelayUrlFault, message: string): RelayUrlAssessment {
  return { ok: false, fault, message };
}
