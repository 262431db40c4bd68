import type { Ledger } from '@bonafide/ledger-core';
import type { Discovery } from '@bonafide/nip89-discovery';
import type { JobClient } from '@bonafide/nip90-jobs';
import type { RoutingMatrix } from '@bonafide/routing-matrix';
import { expectTypeOf, it } from 'vitest';
import type { Jobs, Journal, Matrix, PlatformSource } from '../src/index.ts';

it('has ports that the other packages satisfy as they are (DLG-1)', () => {
  expectTypeOf<Discovery>().toExtend<PlatformSource>();
  expectTypeOf<JobClient>().toExtend<Jobs>();
  expectTypeOf<RoutingMatrix>().toExtend<Matrix>();
  expectTypeOf<Ledger>().toExtend<Journal>();
});
