import type { Filter } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { readInput } from '../option-schemas.ts';
import { hex64 } from './answer-schema.ts';
import { DELETION_KIND, FEEDBACK_KIND, isRequestKind, RECEIPT_KIND, resultKindOf } from './kinds.ts';

/** Ids per filter; relays accept a few hundred. */
const idsPerFilter = 200;

const kind = z.int().refine(isRequestKind, 'must be between 5000 and 5999');
const answeredSchema = z.array(z.object({ id: hex64, kind, provider: hex64.nullable() }));
const optionsSchema = z.strictObject({
  kinds: z.array(kind).min(1),
  provider: hex64,
  broadcast: z.boolean(),
  receipts: z.boolean(),
});

/**
 * Creates filters for the answers to requests, by the request id that every answer names. For a request with
 * a provider the filter names that author and no kind, so that an answer of a wrong kind is received as well.
 */
export function answerFilters(
  requests: readonly { readonly id: string; readonly kind: number; readonly provider: string | null }[],
): Filter[] {
  readInput(answeredSchema, requests, 'requests');
  const filters: Filter[] = [];
  for (let at = 0; at < requests.length; at += idsPerFilter) {
    const some = requests.slice(at, at + idsPerFilter);
    const addressed = some.filter((request) => request.provider !== null);
    const open = some.filter((request) => request.provider === null);
    if (addressed.length > 0) {
      filters.push({
        '#e': addressed.map((request) => request.id),
        authors: unique(addressed.flatMap((request) => request.provider ?? [])),
      });
    }
    if (open.length > 0) {
      filters.push({
        '#e': open.map((request) => request.id),
        kinds: unique([FEEDBACK_KIND, ...open.map((request) => resultKindOf(request.kind))]),
      });
    }
  }
  return filters;
}

/**
 * Creates a provider's filters: requests and cancellations addressed to it, and with `broadcast` requests
 * without an addressee.
 */
export function requestFilters(options: {
  readonly kinds: readonly number[];
  readonly provider: string;
  readonly broadcast: boolean;
  /** Asks for receipts of customers too. */
  readonly receipts: boolean;
}): Filter[] {
  readInput(optionsSchema, options, 'options');
  const also = options.receipts ? [DELETION_KIND, RECEIPT_KIND] : [DELETION_KIND];
  const addressed: Filter = { kinds: [...options.kinds, ...also], '#p': [options.provider] };
  return options.broadcast ? [addressed, { kinds: options.kinds }] : [addressed];
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
