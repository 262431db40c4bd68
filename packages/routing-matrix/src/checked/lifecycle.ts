import * as stage from '../lifecycle/stage.ts';
import { checked } from '../schemas.ts';
import { finite, lifecycle, lifecycleConfig, lifecycleEvent } from './arguments.ts';

/** Returns the life cycle of a platform that nothing is held against. @throws RoutingError `INVALID_INPUT` */
export const normalLifecycle = checked(stage.normalLifecycle, 'normalLifecycle', { at: finite.default(0) });

/** Returns the share of its normal work that a platform gets, 0..1. @throws RoutingError `INVALID_INPUT` */
export const allocationOf = checked(stage.allocationOf, 'allocationOf', { life: lifecycle });

/**
 * Returns the life cycle at `now`: stages also change by time alone.
 *
 * @throws RoutingError `INVALID_INPUT`
 */
export const lifecycleAt = checked(stage.lifecycleAt, 'lifecycleAt', {
  life: lifecycle,
  now: finite,
  config: lifecycleConfig,
});

/** Returns the life cycle after a judged work. @throws RoutingError `INVALID_INPUT` */
export const afterWork = checked(stage.afterWork, 'afterWork', {
  before: lifecycle,
  event: lifecycleEvent,
  config: lifecycleConfig,
});
