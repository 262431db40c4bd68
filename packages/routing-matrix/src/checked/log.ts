import * as z from 'zod';
import * as evaluation from '../evaluation/off-policy.ts';
import { applyRecord as apply } from '../fold/apply-record.ts';
import * as codec from '../log/record-codec.ts';
import { replay as fold } from '../recovery/replay.ts';
import { checked } from '../schemas.ts';
import { strategySchema } from '../selection/strategy-runner.ts';
import { config, record, records, state } from './arguments.ts';

/** A record as a store returns it: its columns are read here, the members of `data` by the decoder. */
const stored = z.looseObject({
  id: z.string(),
  kind: z.string(),
  at: z.number(),
  taskType: z.string().nullable(),
  data: z.looseObject({}),
});

/** Splits a record into the columns of the log and its body. @throws RoutingError `INVALID_INPUT` */
export const encodeRecord = checked(codec.encodeRecord, 'encodeRecord', { record });

/**
 * Parses a record of the log.
 *
 * @throws RoutingError `LOG_CORRUPT` for what no version writes, `INVALID_INPUT` for a value that is no record of a log.
 */
export const decodeRecord = checked(codec.decodeRecord, 'decodeRecord', { stored });

/** Applies one record. Mutates `state`, so that a million records fold in seconds. @throws RoutingError `INVALID_INPUT` */
export const applyRecord = checked(apply, 'applyRecord', { state, record });

/**
 * Replays a log: a pure fold over records in order. Log and configuration determine every view.
 *
 * @throws RoutingError `INVALID_INPUT`
 */
export const replay = checked(fold, 'replay', { records, config });

/**
 * Estimates from logged decisions what another strategy would have earned: by inverse propensity scoring, self-normalized,
 * and by the doubly robust estimator (Dudík, Langford and Li, 2011) with a model of success per platform and task type that
 * is learned from earlier outcomes only. The strategy learns from the log as it was, so a strategy that explores
 * differently would have known other things.
 *
 * @throws RoutingError `INVALID_INPUT`, `STRATEGY_FAILED`
 */
export const evaluateStrategy = checked(evaluation.evaluateStrategy, 'evaluateStrategy', {
  records,
  config,
  strategy: strategySchema,
});
