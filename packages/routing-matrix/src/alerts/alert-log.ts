import type { Logger } from '@bonafide/internal';
import type { RoutingAlert } from '../events.ts';
import type { RoutingLog } from '../log/routing-log.ts';
import { recordId } from '../record-id.ts';
import type { AlertRecord } from '../records.ts';
import type { MatrixState } from '../state/state.ts';
import type { JsonValue } from '../store.ts';
import type { Condition } from './conditions.ts';

/** Raises each alert once among all processes that share a log. */
export interface AlertLog {
  /** Remembers the state of a condition until the next {@link AlertLog.flush}. */
  note(condition: Condition): void;
  /**
   * Appends what changed. The process whose record is the first one emits the alert. Never throws: after a failure of the
   * store it is tried again at the next call.
   */
  flush(current: MatrixState): Promise<void>;
}

/** Creates the alerts of a log. */
export function createAlertLog(
  log: RoutingLog,
  options: {
    readonly clock: () => number;
    readonly logger: Logger;
    readonly emit: (alert: RoutingAlert) => void;
  },
): AlertLog {
  const { clock, logger, emit } = options;
  const noted = new Map<string, RoutingAlert | null>();

  return {
    note({ key, alert }) {
      noted.set(key, alert);
    },

    async flush(current) {
      for (const [key, alert] of noted) {
        const known = current.alerts.get(key);
        if ((alert !== null) === (known?.raised ?? false)) {
          noted.delete(key);
          continue;
        }
        const record: AlertRecord = {
          kind: 'alert',
          id: recordId('alert', `${key}#${(known?.changes ?? 0) + 1}`),
          at: clock(),
          taskType: alert !== null && 'taskType' in alert ? alert.taskType : null,
          key,
          raised: alert !== null,
          alert: (alert ?? {}) as unknown as { readonly [name: string]: JsonValue },
        };
        try {
          const [result] = await log.append(current, [record]);
          noted.delete(key);
          if (result?.appended !== true || alert === null) continue;
          logger.warn({ ...alert }, 'Routing alert');
          emit(alert);
        } catch (error) {
          logger.error({ err: error, key }, 'An alert could not be recorded');
          return;
        }
      }
    },
  };
}
