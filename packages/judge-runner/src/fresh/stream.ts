import { createHash } from 'node:crypto';
import { canonicalJson } from '@bonafide/internal';

/** Random numbers that come out alike wherever the same key is used. */
export interface Stream {
  /** A whole number in [0, `count`), each as likely as any other to within 2⁻⁶⁴. */
  below(count: bigint): bigint;
  /** A number in [0, 1) with 53 bits. */
  unit(): number;
}

/**
 * Creates the random stream of one drawn case: block i = SHA-256(key ‖ i as 4 bytes), key = SHA-256(canonical
 * JSON of `[seed, generator, index]`). Each case has a separate stream, so that one can be drawn again
 * without the others. Pure.
 * @param seed - The run's seed, drawn or given.
 * @param generator - The generator's id.
 * @param index - Number of the case within its generator, from 0.
 */
export function createStream(seed: string, generator: string, index: number): Stream {
  const key = createHash('sha256')
    .update(canonicalJson([seed, generator, index]))
    .digest();
  let rest = Buffer.alloc(0);
  let block = 0;
  const take = (count: number): Buffer => {
    while (rest.length < count) {
      const counter = Buffer.alloc(4);
      counter.writeUInt32BE(block);
      block += 1;
      rest = Buffer.concat([rest, createHash('sha256').update(key).update(counter).digest()]);
    }
    const taken = rest.subarray(0, count);
    rest = rest.subarray(count);
    return taken;
  };
  const below = (count: bigint): bigint => {
    const bytes = Math.ceil(count.toString(2).length / 8) + 8;
    return BigInt(`0x${take(bytes).toString('hex')}`) % count;
  };
  return { below, unit: () => Number(below(2n ** 53n)) / 2 ** 53 };
}
