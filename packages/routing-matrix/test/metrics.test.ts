import { measured } from '@bonafide/internal/testing';
import { describe, expect, it } from 'vitest';
import { idOf, keysOf, setUp, taskType } from './support/matrix.ts';
import { platform } from './support.ts';

describe('what a host can watch', () => {
  it('X-6 counts decisions, changes of status and alerts for OpenTelemetry', async () => {
    const found = await measured(async () => {
      const { matrix, prove } = setUp();
      await prove(1, 'SUCCESS', 'SECURITY_VIOLATION');
      await matrix.select({ taskType, jobId: 'nobody-left' });
    });
    expect(found).toMatchObject({
      'bonafide.routing.decisions code none': 1,
      'bonafide.routing.status_changes code ACTIVE BLACKLISTED': 1,
      'bonafide.routing.alerts code blacklisted': 1,
      'bonafide.routing.alerts code few-platforms': 1,
    });
    expect(JSON.stringify(found)).not.toContain(platform(1).pubkey);
  });

  it('X-6 does the same work where nobody watches', async () => {
    const { matrix, prove } = setUp();
    await prove(1, 'SUCCESS');
    expect(keysOf(await matrix.select({ taskType }))).toEqual([idOf(1)]);
  });
});
