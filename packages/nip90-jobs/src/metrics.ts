import type { Emitter } from '@bonafide/internal';
import { metrics } from '@opentelemetry/api';
import type { JobClientEvents } from './client/client-events.ts';
import { isFinal } from './job.ts';
import type { ProviderEvents } from './provider/provider-events.ts';

// No-ops unless the host set up OpenTelemetry before it created the client or the provider. Providers, customers and jobs
// are not attributes, because their number is unbounded.
const meter = () => metrics.getMeter('@bonafide/nip90-jobs');

/** Records durations, payments and ignored events of a client. */
export function measureJobs(events: Pick<Emitter<JobClientEvents>, 'on'>): void {
  const durations = meter().createHistogram('bonafide.jobs.duration', {
    description: 'Duration from building a request to the end of its job, by result',
    unit: 's',
  });
  const paid = meter().createCounter('bonafide.jobs.paid', {
    description: 'What providers were paid, without fees',
    unit: 'msat',
  });
  const ignored = meter().createCounter('bonafide.jobs.ignored_events', {
    description: 'Events that were not taken for answers',
    unit: '{event}',
  });

  events.on('transition', ({ job, transition: { to, at } }) => {
    if (!isFinal(to)) return;
    durations.record((at - job.builtAt) / 1_000, { 'bonafide.job.kind': job.kind, 'bonafide.job.state': to });
  });
  events.on('paid', ({ job, payment }) => paid.add(payment.amountMsat, { 'bonafide.job.kind': job.kind }));
  events.on('ignored', ({ reason }) => ignored.add(1, { 'bonafide.reason': reason }));
}

/** Counts requests, answers and earnings of a provider. */
export function measureProvider(events: Pick<Emitter<ProviderEvents>, 'on'>): void {
  const requests = meter().createCounter('bonafide.provider.requests', {
    description: 'Requests that were taken',
    unit: '{request}',
  });
  const answers = meter().createCounter('bonafide.provider.answers', {
    description: 'Requests that were answered, by the kind of the answer: 7000 says error',
    unit: '{answer}',
  });
  const earned = meter().createCounter('bonafide.provider.earned', {
    description: 'What customers paid',
    unit: 'msat',
  });

  const cuts = meter().createCounter('bonafide.provider.cuts', {
    description: 'Readings of stored requests at one relay that left something out',
    unit: '{reading}',
  });

  events.on('cut', () => cuts.add(1));
  events.on('request', ({ request }) => requests.add(1, { 'bonafide.job.kind': request.kind }));
  events.on('answered', ({ answer }) => answers.add(1, { 'bonafide.answer.kind': answer.kind }));
  events.on('paid', ({ amountMsat }) => earned.add(amountMsat));
}
