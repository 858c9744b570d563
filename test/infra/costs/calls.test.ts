import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import measured from '../../../infra/costs/measured.json' with { type: 'json' };
import type { MeasuredCalls, Operation } from '../../bench/calls.ts';

const PROGRAM = resolve(import.meta.dirname, '../../bench/calls-process.ts');

/** The number of polls depends on the time; work without waiting makes the same calls every time. */
const MAY_DIFFER = { chat: 0.15, run: 0.25 } as Partial<Record<Operation, number>>;
const OPERATIONS = Object.keys(measured.calls) as Operation[];

/** The costs and limits in the docs use these numbers; `npm run bench -- calls` prints them. */
describe('calls in infra/costs/measured.json', () => {
  let calls: MeasuredCalls['calls'];
  let perSecond: MeasuredCalls['perSecond'];
  beforeAll(() => {
    const env = { PATH: process.env.PATH, NODE_NO_WARNINGS: '1' };
    ({ calls, perSecond } = JSON.parse(execFileSync(process.execPath, [PROGRAM], { env, encoding: 'utf8' })));
  }, 120_000);

  it.each(OPERATIONS)('are equal to those of the current code: %s', (operation) => {
    const [then, now] = [measured.calls[operation], calls[operation]];
    const share = MAY_DIFFER[operation] ?? 0;
    for (const name of ['reads', 'writes', 'readUnits', 'writeUnits', 'messages'] as const) {
      expect([name, Math.abs(now[name] - then[name]) <= share * then[name]]).toEqual([name, true]);
    }
  });

  // A busy host polls less often per second of its clock, so a lower number isn't an error.
  it.each(['chat', 'run'] as const)('are not exceeded per second of waiting: %s', (operation) => {
    const { reads } = measured.perSecond[operation];
    expect(perSecond[operation].reads).toBeGreaterThan(0);
    expect(perSecond[operation].reads).toBeLessThan(1.4 * reads);
  });

  it.each(OPERATIONS)('use the same shared partitions: %s', (operation) => {
    const [then, now] = [measured.calls[operation], calls[operation]];
    for (const kind of ['read', 'written'] as const) {
      const shared = Object.keys(now[kind]).filter((partition) => !partition.includes('#id'));
      expect(shared.sort()).toEqual(Object.keys(then[kind]).sort());
    }
  });

  it.each(OPERATIONS)('are made by the same functions: %s', (operation) => {
    expect(Object.keys(calls[operation].functions).sort()).toEqual(
      Object.keys(measured.calls[operation].functions).sort(),
    );
  });
});
