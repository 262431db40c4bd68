import { mostSimilar, readPublicKey, sanitizeRemoteText } from '@bonafide/internal';
import type { MatrixEntry, PlatformRef, RoutingMatrix } from '@bonafide/routing-matrix';
import { CliError } from '../../errors.ts';
import { npubOf, platformName } from '../../format.ts';

/** Returns the id of a platform as a command takes it: `npub…:d`. */
const fullId = ({ pubkey, d }: PlatformRef) =>
  `${npubOf(pubkey) ?? sanitizeRemoteText(pubkey, 100)}:${sanitizeRemoteText(d, 100)}`;

/** Returns what people may call a platform by: what tables show of it, and its parts. */
function namesOf({ name, platform }: MatrixEntry): readonly string[] {
  const shortName = platformName({ name: null, platform });
  const [shortKey = ''] = shortName.split(':');
  const shownName = sanitizeRemoteText(name ?? '', 40);
  return [shownName, shortName, shortKey, platformName({ name, platform }), fullId(platform)];
}

/** Names the platforms that are called nearly so, with ids that a command takes. */
function suggestion(who: string, entries: readonly MatrixEntry[]): string {
  const similar = mostSimilar(who, entries, namesOf).map(
    ({ name, platform }) => `${fullId(platform)}${name === null ? '' : ` (${sanitizeRemoteText(name, 40)})`}`,
  );
  return similar.length === 0
    ? 'List them: bonafide routes --json'
    : `Did you mean ${[...new Set(similar)].join(', or ')}?`;
}

/**
 * Finds a platform by `<key>:<identifier>`, or by a key with one service. The key may be an npub. A name does not work, since platforms
 * choose theirs.
 *
 * @throws `USAGE` for an unknown or ambiguous one, with what was probably meant
 */
export async function requirePlatform(matrix: RoutingMatrix, who: string): Promise<PlatformRef> {
  const colon = who.indexOf(':');
  const key = colon === -1 ? who : who.slice(0, colon);
  const d = colon === -1 ? null : who.slice(colon + 1);
  const pubkey = readPublicKey(key) ?? key;
  const entries = await matrix.entries();
  const known = new Map(
    entries
      .filter(({ platform }) => platform.pubkey === pubkey && (d === null || platform.d === d))
      .map(({ platformId, platform }) => [platformId, platform]),
  );
  const [platform] = known.values();
  if (platform !== undefined && known.size === 1) return platform;
  const shown = sanitizeRemoteText(who, 100);
  throw new CliError(
    'USAGE',
    known.size === 0
      ? `The matrix has no platform '${shown}'. ${suggestion(who, entries)}`
      : `'${shown}' has several services: ${[...known.values()].map(fullId).join(', ')}`,
  );
}
