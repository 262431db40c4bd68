/**
 * Databases for testing stores, and the kit for conformance suites.
 * @packageDocumentation
 */
export { type OpenTestDatabase, type TestDatabase, testDatabases } from './databases.ts';
export {
  type DescribeStoreOptions,
  describeStore,
  type OpenedStore,
  type OpenStore,
  type StoreGroups,
  type StoreTest,
} from './describe-store.ts';
export { hasPostgres, startPostgres, type TestPostgres } from './postgres-server.ts';
