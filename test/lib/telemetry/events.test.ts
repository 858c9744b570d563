import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { UpstreamFailed } from '../../../lib/errors.ts';
import { countEvents, eventCounts, report, reportSeldom } from '../../../lib/telemetry/events.ts';
import { toPrometheus } from '../../../lib/telemetry/metric.ts';
import { printedLines } from '../../support/printed-lines.ts';

afterEach(() => void jest.restoreAllMocks());

describe('report', () => {
  it('logs the event with its level', () => {
    expect(printedLines(() => report('task_failed', 'a task failed', { taskId: 't' }))).toMatchObject([
      { level: 'error', message: 'a task failed', event: 'task_failed', taskId: 't' },
    ]);
  });

  it('raises the level only for a bug', () => {
    const pause = new UpstreamFailed('model_timeout', 'OpenAI did not answer in time.');
    const levels = [pause, new TypeError('x is not a function')].map(
      (cause) => printedLines(() => report('stream_failed', 'a stream failed', {}, cause))[0]?.level,
    );
    expect(levels).toEqual(['warn', 'error']);
  });
});

describe('reportSeldom', () => {
  const refuse = (address: string) =>
    reportSeldom('credential_refused', address, 'a credential was refused', { address });
  let at = 1e9;
  beforeEach(() => {
    at += 1e6; // the reports of earlier tests are long ago
    jest.spyOn(performance, 'now').mockImplementation(() => at);
  });

  it('logs once per minute and key, and then the number of the other occurrences', () => {
    const first = printedLines(() => ['a', 'a', 'b', 'a'].forEach(refuse));
    expect(first.map(({ address }) => address)).toEqual(['a', 'b']);
    at += 60_000;
    expect(printedLines(() => refuse('a'))).toMatchObject([{ address: 'a', repeated: 2 }]);
  });

  it('logs at most 1000 keys per minute', () => {
    const addresses = Array.from({ length: 3000 }, (_, at) => `2001:db8::${at}`);
    expect(printedLines(() => addresses.forEach(refuse))).toHaveLength(1000);
    at += 60_000;
    expect(printedLines(() => refuse('2001:db8::2999'))).toHaveLength(1);
  });

  it('counts each occurrence', () => {
    countEvents();
    printedLines(() => ['c', 'c', 'c'].forEach(refuse));
    expect(Object.fromEntries(eventCounts()).credential_refused).toBe(3);
  });
});

describe('toPrometheus', () => {
  it('writes help, type, and escaped labels', () => {
    const points = [{ labels: { folder: 'a"b\\c\nd' }, value: 1.5 }];
    expect(toPrometheus([{ name: 'm', help: 'Help.', type: 'gauge', points }])).toBe(
      '# HELP m Help.\n# TYPE m gauge\nm{folder="a\\"b\\\\c\\nd"} 1.5\n',
    );
  });
});
