import { platformId as idOf } from '../platform.ts';
import { checked, platformSchema, taskType } from '../schemas.ts';
import * as views from '../views/entry.ts';
import { finite, state } from './arguments.ts';

/** Returns `pubkey:d`, the key of every index and log record. @throws RoutingError `INVALID_INPUT` */
export const platformId = checked(idOf, 'platformId', { platform: platformSchema });

/**
 * Returns one entry at `now`, or `null` for a platform that is not registered for the task type.
 *
 * @throws RoutingError `INVALID_INPUT`
 */
export const entryView = checked(views.entryView, 'entryView', {
  state,
  taskType,
  platform: platformSchema,
  now: finite,
});

/** Returns every entry at `now`, by task type and then by trust, highest first. @throws RoutingError `INVALID_INPUT` */
export const entryViews = checked(views.entryViews, 'entryViews', { state, now: finite });
