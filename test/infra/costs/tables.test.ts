import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { idleItems, totalOf, unknownTypes, useItems } from '../../../infra/costs/costs.ts';
import load from '../../../infra/costs/load.json' with { type: 'json' };
import { computedPages, pageWith } from '../../../infra/costs/pages.ts';
import prices from '../../../infra/costs/prices.json' with { type: 'json' };
import { readResources } from '../../../infra/costs/read-resources.ts';
import { workOf } from '../../../infra/costs/work.ts';
import { readServiceFile } from '../../../infra/local/service-file.ts';

const root = resolve(import.meta.dirname, '../../..');
const resources = readResources(root);
const cost = (name: string, of = load, stage = resources) =>
  useItems(stage, 200, of).find((item) => item.name === name)?.usd ?? Number.NaN;

const pages = computedPages(root).map(({ file, tables }) => [basename(file), file, tables] as const);
it.each(pages)(
  'cost tables of %s are up to date (otherwise, run `npm run costs -- --write`)',
  (_, file, tables) => {
    expect(readFileSync(file, 'utf8')).toBe(pageWith(file, tables));
  },
);

describe('computed costs', () => {
  it('include every type of resource in the stack', () => {
    expect(unknownTypes(resources)).toEqual([]);
  });

  it('use the numbers of the stack', () => {
    const { resources: all, queues } = readServiceFile(join(root, 'serverless.yml'));
    const alarms = Object.values(all).filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm');
    const names = idleItems(resources).map(({ name }) => name);
    expect(names).toContainEqual(expect.stringContaining(`${alarms.length} alarms`));
    expect(resources.fifoMappings).toBe(queues.filter(({ fifo, worker }) => fifo && worker).length);
  });

  it('use the memory of each function', () => {
    const gigabytes = resources.functions.get('chat')?.gigabytes ?? 0;
    const chats = 200 * load.perPersonAndDay.chats * load.workdays;
    const seconds = chats * load.chatSeconds * gigabytes;
    expect(cost('Chats: Lambda')).toBeCloseTo(seconds * 0.0000166667 + chats * 0.0000002, 2);
  });

  it('include the fee of each new tenant environment', () => {
    const gigabytes = resources.functions.get('commands')?.gigabytes ?? 0;
    const fee = workOf(200).newEnvironments * load.workdays * gigabytes * 0.000167;
    expect(cost('Commands: fee for new tenant environments')).toBeCloseTo(fee, 6);
  });

  it('include no NAT gateway if a network is given', () => {
    const given = readResources(root, 'prod.example');
    expect(totalOf(idleItems(resources)) - totalOf(idleItems(given))).toBeCloseTo(730 * 0.053, 6);
    expect(cost('NAT: vectors, texts, prompts, answers', load, given)).toBe(0);
  });

  it('include fewer writes to EFS for fewer changes', () => {
    const fewer = { ...load, changedShareOfFilesPerDay: 0.02 };
    expect(cost('EFS: index written', fewer)).toBeLessThan(cost('EFS: index written'));
  });
});

it('prices each have a source', () => {
  for (const [name, { source }] of Object.entries(prices.prices)) {
    expect([name, Object.keys(prices.sources)]).toEqual([name, expect.arrayContaining([source])]);
  }
});
