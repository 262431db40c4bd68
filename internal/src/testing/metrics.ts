import { metrics } from '@opentelemetry/api';
import { DataPointType, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';

/** Reads when it is asked to. */
class AskedReader extends MetricReader {
  protected async onForceFlush(): Promise<void> {}
  protected async onShutdown(): Promise<void> {}
}

/**
 * Sets up OpenTelemetry as a host would, runs `work`, and returns what was measured meanwhile: by `name value value …`, the
 * name of an instrument and the values of its attributes, the sum of a counter or how many values a histogram took.
 */
export async function measured(work: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  const reader = new AskedReader();
  const provider = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(provider);
  try {
    await work();
    const { resourceMetrics, errors } = await reader.collect();
    if (errors.length > 0) throw new AggregateError(errors, 'Metrics could not be collected');
    const totals: Record<string, number> = {};
    for (const { descriptor, dataPointType, dataPoints } of resourceMetrics.scopeMetrics.flatMap(
      (scope) => scope.metrics,
    )) {
      for (const { attributes, value } of dataPoints) {
        const key = [descriptor.name, ...Object.values(attributes)].join(' ');
        totals[key] = typeof value === 'number' ? value : value.count;
      }
      if (dataPointType === DataPointType.GAUGE) throw new Error(`${descriptor.name}: gauges have no total`);
    }
    return totals;
  } finally {
    metrics.disable();
    await provider.shutdown();
  }
}
