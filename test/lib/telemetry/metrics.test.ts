import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { readServiceFile } from '../../../infra/local/service-file.ts';
import { providerFailure } from '../../../lib/adapters/outbound/provider-failure.ts';
import { readConfig } from '../../../lib/config.ts';
import { setLogLevel } from '../../../lib/log.ts';
import { COUNTERS, count, countFor, NAMESPACE } from '../../../lib/telemetry/metrics.ts';
import { PROVIDER_NAMES } from '../../../lib/text/vendor-names.ts';
import { printedLines } from '../../support/printed-lines.ts';

afterEach(() => {
  countFor(undefined);
  setLogLevel('info');
});

describe('count', () => {
  it('writes the format of a CloudWatch metric', () => {
    countFor('dev');
    expect(printedLines(() => count('RunFailures'))).toEqual([
      {
        _aws: {
          Timestamp: expect.any(Number),
          CloudWatchMetrics: [
            {
              Namespace: NAMESPACE,
              Dimensions: [['stage']],
              Metrics: [{ Name: 'RunFailures', Unit: 'Count' }],
            },
          ],
        },
        stage: 'dev',
        RunFailures: 1,
      },
    ]);
  });

  it('works only in functions, and prints nothing on a single host', () => {
    readConfig({ STAGE: 'local' });
    expect(printedLines(() => count('RunFailures'))).toEqual([]);
    readConfig({ STAGE: 'dev', AWS_LAMBDA_FUNCTION_NAME: 'chat', HOST: '127.0.0.1', AUTH_MODE: 'token' });
    expect(printedLines(() => count('RunFailures'))).toMatchObject([{ stage: 'dev' }]);
  });

  it('counts a failure of a provider, but not a rejected request', () => {
    countFor('dev');
    const fail = (status: number) => printedLines(() => providerFailure(PROVIDER_NAMES.a, { status }));
    expect(fail(500)).toMatchObject([
      { level: 'warn', event: 'provider_failed', code: 'model_failed' },
      { ProviderFailures: 1, provider: PROVIDER_NAMES.a },
    ]);
    expect(fail(401)).toMatchObject([{ level: 'error', event: 'provider_refused' }, { ProviderFailures: 1 }]);
    expect(fail(429)).toHaveLength(2);
    expect(fail(400)).toEqual([]);
  });
});

describe('alarms on counters', () => {
  it('use the names of the counters', () => {
    const { resources } = readServiceFile(
      join(resolve(import.meta.dirname, '../../..'), 'serverless.yml'),
      'dev',
    );
    const own = Object.values(resources).filter(({ Properties }) => Properties?.Namespace === NAMESPACE);
    expect(own.map(({ Properties }) => Properties.MetricName).toSorted()).toEqual([...COUNTERS].toSorted());
    for (const { Properties } of own)
      expect(Properties.Dimensions).toEqual([{ Name: 'stage', Value: 'dev' }]);
  });
});
