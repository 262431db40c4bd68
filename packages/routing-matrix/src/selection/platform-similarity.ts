import * as z from 'zod';
import { type PlatformRef, platformId } from '../platform.ts';
import { checked, listOf, parseInput, platformSchema } from '../schemas.ts';

/** What is known of a platform, as far as it shows whose answers will be alike. */
export interface PlatformTraits {
  readonly platform: PlatformRef;
  /** URLs of the relays that it uses, by its own word. @default none */
  readonly relays?: readonly string[];
  /**
   * Its answers that were judged wrong, each named by job and content, for example `jobId:sha256`. The same name at two
   * platforms is the same wrong answer. @default none
   */
  readonly wrongAnswers?: Iterable<string>;
}

/** Most similarity that the platforms' own word gives: relays can be copied, and chosen to differ. */
const mostDeclared = 0.5;

const traitsSchema = z.array(
  z.object({
    platform: platformSchema,
    relays: z.array(z.string()).default([]),
    wrongAnswers: listOf(z.string()).optional(),
  }),
);

/**
 * Returns how alike the answers of two platforms will be, 0..1, for the option `similarity` of `select`: 1 − (1 − d)(1 − w). `d` is
 * half the share of relays that they have in common, where a relay counts the less, the more platforms use it, and not at all
 * when all do. `w` is n / (n + 1) for n equal wrong answers to the same jobs, which platforms that work independently hardly
 * give. Platforms that are not listed are like none.
 *
 * @throws RoutingError `INVALID_INPUT`
 */
export function platformSimilarity(
  platforms: readonly PlatformTraits[],
): (a: PlatformRef, b: PlatformRef) => number {
  const parsed = parseInput(traitsSchema, platforms, 'platforms');
  const traits = new Map(
    parsed.map(({ platform, relays, wrongAnswers }) => [
      platformId(platform),
      { relays: new Set(relays.map(relayName)), wrong: new Set(wrongAnswers) },
    ]),
  );
  const users = new Map<string, number>();
  for (const { relays } of traits.values())
    for (const relay of relays) users.set(relay, (users.get(relay) ?? 0) + 1);
  const weightOf = (relay: string) => Math.log(traits.size / (users.get(relay) ?? traits.size));

  return checked(alike, 'similarity', { a: platformSchema, b: platformSchema });

  function alike(a: PlatformRef, b: PlatformRef): number {
    // In one order, so that rounding makes no difference between a and b.
    const [one, other] = [platformId(a), platformId(b)].sort().map((id) => traits.get(id));
    if (one === undefined || other === undefined) return 0;
    let [common, all] = [0, 0];
    for (const relay of new Set([...one.relays, ...other.relays])) {
      const weight = weightOf(relay);
      all += weight;
      if (one.relays.has(relay) && other.relays.has(relay)) common += weight;
    }
    const declared = all === 0 ? 0 : (mostDeclared * common) / all;
    let same = 0;
    for (const answer of one.wrong) if (other.wrong.has(answer)) same += 1;
    return 1 - (1 - declared) * (1 - same / (same + 1));
  }
}

/** Returns a relay's URL without what does not name it: case of the host, trailing slashes. */
const relayName = (url: string): string => (URL.canParse(url) ? new URL(url).href : url).replace(/\/+$/u, '');
