import { canonicalJson } from '@bonafide/internal';
import type { LengthRange, ValueSpec, WholeRange } from '../suite.ts';
import { decodeValue, encodeValue, maxValueNodes, type Value, ValueFormatError } from '../value.ts';
import type { Stream } from './stream.ts';

/** Attempts to draw a distinct element before a shorter collection is accepted. */
const maxRedraws = 100;

/** Code points as Python orders them. */
function comparePoints(left: string, right: string): number {
  const [a, b] = [[...left], [...right]];
  for (const [index, point] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const difference = (point.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function compareValues(left: Value, right: Value): number {
  if (typeof left === 'string' && typeof right === 'string') return comparePoints(left, right);
  const [a, b] = [left as bigint | number, right as bigint | number];
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Draws one value. Pure: the same spec and stream give the same value, here and in the outsider's script.
 * @throws ValueFormatError when a collection of unlike values cannot be as long as it must, or the value is too large.
 */
export function drawValue(spec: ValueSpec, stream: Stream): Value {
  let nodes = 0;

  const whole = ([low, high]: WholeRange): bigint => {
    const [from, to] = [BigInt(low), BigInt(high)];
    return from + stream.below(to - from + 1n);
  };
  const lengthOf = (range: LengthRange): number =>
    typeof range === 'number' ? range : Number(whole([range[0], range[1]]));
  const pick = <Item>(from: readonly Item[]): Item => from[Number(stream.below(BigInt(from.length)))] as Item;
  const times = <Item>(count: number, make: () => Item): Item[] => Array.from({ length: count }, make);

  /** As many items as drawn, no two with the same key; fewer, but never too few, where there are no more. */
  const unlike = <Item>(range: LengthRange, make: () => Item, keyOf: (item: Item) => Value): Item[] => {
    const wanted = lengthOf(range);
    const least = typeof range === 'number' ? range : range[0];
    const seen = new Set<string>();
    const items: Item[] = [];
    for (let redraws = 0; items.length < wanted && redraws <= maxRedraws; ) {
      const item = make();
      const key = canonicalJson(encodeValue(keyOf(item)));
      if (seen.has(key)) redraws += 1;
      else {
        seen.add(key);
        items.push(item);
        redraws = 0;
      }
    }
    if (items.length < least) throw new ValueFormatError(`There are no ${least} unlike values to draw`);
    return items;
  };

  const draw = (part: ValueSpec): Value => {
    nodes += 1;
    if (nodes > maxValueNodes) throw new ValueFormatError(`More than ${maxValueNodes} parts`);
    if ('const' in part) return decodeValue(part.const);
    if ('choice' in part) return decodeValue(pick(part.choice));
    if ('oneOf' in part) return draw(pick(part.oneOf));
    if ('bool' in part) return stream.below(2n) === 1n;
    if ('int' in part) return whole(part.int);
    if ('float' in part) {
      const [low, high] = part.float;
      return Math.min(high, low + (high - low) * stream.unit());
    }
    if ('string' in part) {
      const alphabet = [...part.string];
      return times(lengthOf(part.length), () => pick(alphabet)).join('');
    }
    if ('bytes' in part) {
      const bytes = times(lengthOf(part.bytes), () => Number(stream.below(256n)));
      return { type: 'bytes', hex: Buffer.from(bytes).toString('hex') };
    }
    if ('tuple' in part) return { type: 'tuple', items: part.tuple.map(draw) };
    if ('set' in part)
      return {
        type: 'set',
        items: unlike(
          part.length,
          () => draw(part.set),
          (item) => item,
        ),
      };
    if ('dict' in part) {
      const [key, value] = part.dict;
      const entries = unlike(
        part.length,
        () => [draw(key), draw(value)] as const,
        ([drawn]) => drawn,
      );
      return { type: 'dict', entries };
    }
    const items = part.unique
      ? unlike(
          part.length,
          () => draw(part.list),
          (item) => item,
        )
      : times(lengthOf(part.length), () => draw(part.list));
    return { type: 'list', items: part.sorted ? items.toSorted(compareValues) : items };
  };

  return draw(spec);
}
