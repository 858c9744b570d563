import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { hostWatch } from '../../../lib/system/watch-host.ts';

const HOUR_MS = 3_600_000;
let now = Date.parse('2026-11-29T12:00:00Z');
let lines: { event: string; queue?: string }[] = [];
const state = { waits: 0, disk: 'ok' as 'ok' | 'low' | 'full', backup: now as number | undefined };
const queue = (name: string, isDead = false) => ({
  ...{ name, isDead, waiting: 1, hidden: 0, waitsSeconds: state.waits },
});
const watch = hostWatch({
  clock: { now: () => now },
  measureQueues: () => [queue('index'), queue('touch'), queue('index-dead-letters', true)],
  watchDisk: async () => state.disk,
  lastBackup: async () => state.backup,
  backupDueDays: 2,
});

beforeEach(async () => {
  Object.assign(state, { waits: 0, disk: 'ok', backup: now });
  await watch(); // forgets the reports of the previous test
  lines = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(JSON.parse(String(text))) > 0);
});
afterEach(() => void jest.restoreAllMocks());

describe('hostWatch', () => {
  it('reports nothing while all is well', async () => {
    await watch();
    expect(lines).toEqual([]);
  });

  it('reports a queue whose messages wait too long, each with its own limit, but no dead letters', async () => {
    state.waits = 301;
    await watch();
    expect(lines).toMatchObject([{ event: 'queue_late', queue: 'touch' }]);
    state.waits = 0;
    await watch();
  });

  it('reports a condition once per hour while it lasts, and again when it returns', async () => {
    state.disk = 'full';
    await watch();
    await watch();
    expect(lines).toMatchObject([{ event: 'disk_full' }]);
    now += HOUR_MS;
    await watch();
    expect(lines).toHaveLength(2);
    state.disk = 'ok';
    await watch();
    state.disk = 'full';
    await watch();
    expect(lines).toHaveLength(3);
    state.disk = 'ok';
  });

  it('reports an old or missing backup', async () => {
    now += 49 * HOUR_MS;
    await watch();
    state.backup = undefined;
    now += HOUR_MS;
    await watch();
    expect(lines.map(({ event }) => event)).toEqual(['backup_old', 'backup_old']);
  });
});
