/**
 * Conformance suites of this package's stores, for authors of adapters. They need vitest.
 * @packageDocumentation
 */
export { testJobStore } from './job-store.ts';
export { type PaymentStores, testPaymentStore } from './payment-store.ts';
export { testProviderStore } from './provider-store.ts';
