import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { limitsOf, peopleAt, peopleAtQueue, queuesOf, usedOf } from '../../../infra/costs/capacity.ts';
import { idleItems, totalOf, unknownTypes, useItems } from '../../../infra/costs/costs.ts';
import load from '../../../infra/costs/load.json' with { type: 'json' };
import { computedPages, pageWith } from '../../../infra/costs/pages.ts';
import prices from '../../../infra/costs/prices.json' with { type: 'json' };
import { simulateHour } from '../../../infra/costs/queue-simulation.ts';
import quotas from '../../../infra/costs/quotas.json' with { type: 'json' };
import { readResources } from '../../../infra/costs/read-resources.ts';
import { amplification, workOf } from '../../../infra/costs/work.ts';
import { readServiceFile } from '../../../infra/local/service-file.ts';

const root = resolve(import.meta.dirname, '../../..');
const resources = readResources(root);
const cost = (name: string, of = load, stage = resources) =>
  useItems(stage, 200, of).find((item) => item.name === name)?.usd ?? Number.NaN;

describe('the computed tables of the docs', () => {
  const pages = computedPages(root).map(({ file, tables }) => [basename(file), file, tables] as const);
  it.each(pages)('are what `npm run costs -- --write` would write: %s', (_, file, tables) => {
    expect(readFileSync(file, 'utf8')).toBe(pageWith(file, tables));
  });
});

describe('the costs', () => {
  it('know every type of resource in the stack', () => {
    expect(unknownTypes(resources)).toEqual([]);
  });

  it('count what the stack has', () => {
    const all = Object.values(readServiceFile(join(root, 'serverless.yml')).resources);
    const alarms = all.filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm');
    expect(idleItems(resources).map(({ name }) => name)).toContainEqual(
      expect.stringContaining(`${alarms.length} alarms`),
    );
  });

  it('have the higher price for polls of FIFO queues', () => {
    const fifo = readServiceFile(join(root, 'serverless.yml')).queues.filter(
      (queue) => queue.fifo && queue.worker,
    );
    const polls = (load.assumed.pollersPerMapping * 730 * 3600) / load.assumed.pollSeconds;
    const item = idleItems(resources).find(({ name }) => name.startsWith('Lambda polls'));
    const standard = resources.mappings - fifo.length;
    expect(fifo.length).toBeGreaterThan(0);
    expect(item?.usd).toBeCloseTo(polls * (standard * 0.0000004 + fifo.length * 0.0000005), 4);
  });

  it('are those of the memory of each function', () => {
    const gigabytes = resources.functions.get('chat')?.gigabytes ?? 0;
    const chats = 200 * load.perPersonAndDay.chats * load.workdays;
    const seconds = chats * load.chatSeconds * gigabytes;
    expect(cost('Chats: Lambda')).toBeCloseTo(seconds * 0.0000166667 + chats * 0.0000002, 2);
  });

  it('have the fee of each new tenant environment', () => {
    const { newEnvironments } = workOf(200);
    const gigabytes = resources.functions.get('commands')?.gigabytes ?? 0;
    const fee = newEnvironments * load.workdays * gigabytes * 0.000167;
    expect(cost('Commands: fee for new tenant environments')).toBeCloseTo(fee, 6);
  });

  it('have no NAT gateway where the network is given', () => {
    const given = readResources(root, 'prod.example');
    expect(totalOf(idleItems(resources)) - totalOf(idleItems(given))).toBeCloseTo(730 * 0.053, 6);
    expect(cost('NAT: vectors from the embedder', load, given)).toBe(0);
  });

  it('write less to EFS with fewer dimensions and fewer changes, and nothing with the index in S3', () => {
    const written = cost('EFS: index written');
    expect(cost('EFS: index written', { ...load, dimensions: 512 })).toBeLessThan(written * 0.6);
    expect(cost('EFS: index written', { ...load, changedShareOfFilesPerDay: 0.02 })).toBeLessThan(written);
    expect(cost('EFS: index written', load, { ...resources, indexInBucket: true })).toBeNaN();
  });

  it('back up no index that has a file system without a backup', () => {
    const apart = { ...resources, indexIsBackedUp: false };
    expect(cost('Backups of EFS', load, apart)).toBeLessThan(cost('Backups of EFS') / 4);
  });

  it('back up every version of an index in the bucket', () => {
    const backed = { ...resources, indexInBucket: true, bucketIsBackedUp: true };
    const monthlyGb = cost('EFS: index written') / prices.prices.fileWriteGb.usd;
    const versions = ((monthlyGb * 35) / 30) * prices.prices.backupGb.usd;
    expect(cost('Backups of the bucket', load, backed)).toBeGreaterThan(versions);
    expect(cost('Backups of the bucket', load, { ...backed, indexInBucket: false })).toBe(0);
    expect(cost('Backups of the bucket')).toBe(0);
  });

  it('write more for each save that is maintained on its own', () => {
    expect(amplification({ ...load, savesPerMaintenance: 1 })).toBeGreaterThan(amplification(load));
  });
});

describe('the limits', () => {
  it('are used up where they say', () => {
    for (const limit of limitsOf(resources)) expect(usedOf(limit, peopleAt(limit))).toBeCloseTo(1, 6);
  });

  it('keep people waiting above the number that they name, and not below', () => {
    for (const queue of queuesOf(resources)) {
      const people = peopleAtQueue(queue);
      expect([queue.name, queue.isTooLong(simulateHour(queue.stationOf(people * 1.05)))]).toEqual([
        queue.name,
        true,
      ]);
      expect([queue.name, queue.isTooLong(simulateHour(queue.stationOf(people * 0.8)))]).toEqual([
        queue.name,
        false,
      ]);
    }
  });

  it('have as many workers as the stack', () => {
    const { maximumConcurrency } = resources.queues.get('touch') ?? {};
    expect(queuesOf(resources)[0]?.stationOf(1).workers).toBe(maximumConcurrency);
  });
});

/** One worker that is busy half of the time: P(wait > t) = 0.5 e^(-t/2). */
it('simulates the waits that queueing theory has', () => {
  const { p95, busy } = simulateHour({ perSecond: 0.5, seconds: 1, workers: 1 });
  expect(busy).toBeCloseTo(0.5, 1);
  expect(Math.abs(p95 - Math.log(10) / 0.5)).toBeLessThan(1.2);
});

it.each([
  ['price', prices.prices, prices.sources],
  ['quota', quotas.quotas, quotas.sources],
])('has a source for each %s', (_, entries, sources) => {
  for (const [name, { source }] of Object.entries(entries)) {
    expect([name, Object.keys(sources)]).toEqual([name, expect.arrayContaining([source])]);
  }
});
