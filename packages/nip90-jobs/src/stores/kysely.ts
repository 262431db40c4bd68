/**
 * Job, payment and provider stores in SQLite or Postgres through Kysely.
 * @packageDocumentation
 */
export { createKyselyJobStore } from './kysely-job-store.ts';
export { createKyselyPaymentStore } from './kysely-payment-store.ts';
export { createKyselyProviderStore } from './kysely-provider-store.ts';
export { jobMigrations, migrateJobs } from './migrations.ts';
export type { KyselyJobsOptions } from './tables.ts';
