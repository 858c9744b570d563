import { describe, expect, it, jest } from '@jest/globals';
import { listActivities } from '../../../lib/activity/list.ts';
import { recordActivity } from '../../../lib/activity/record.ts';
import { activities } from '../../../lib/activity/schema.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { setLogLevel } from '../../../lib/log.ts';
import { systemClock } from '../../../lib/ports/clock.ts';
import type { Records } from '../../../lib/ports/records.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const records = sqliteRecords(openDatabase(await tempFolder()));
const ports = { records, clock: systemClock };
const EVER = { from: 0, to: Date.parse('2999-01-01') };
const chat = (workspaceId: string, summary: string) =>
  ({ workspaceId, kind: 'chat', actor: 'a', summary }) as const;

describe('recordActivity', () => {
  it('writes each activity once', async () => {
    const put = jest.fn(async () => {});
    await recordActivity({ records: { put } as unknown as Records, clock: systemClock }, chat('one', 'x'));
    expect(put).toHaveBeenCalledTimes(1);
  });

  it('never throws', async () => {
    setLogLevel('error');
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    const put = async () => {
      throw new Error('the store is down');
    };
    await recordActivity({ records: { put } as unknown as Records, clock: systemClock }, chat('one', 'x'));
    expect(String(write.mock.calls[0]?.[0])).toContain('the store is down');
    write.mockRestore();
  });

  it('limits a summary to one line of at most 300 complete characters', async () => {
    await recordActivity(ports, chat('long', ` a\n\tb ${'😀'.repeat(200)}`));
    const { activities: found } = await listActivities(records, 'long', EVER);
    const summary = found[0]?.summary ?? '';
    expect(summary).toMatch(/^a b 😀/u);
    expect(summary.length).toBeLessThanOrEqual(300);
    expect(summary.isWellFormed()).toBe(true);
  });
});

describe('listActivities', () => {
  it('returns the activities between two times, oldest first, including the first time and excluding the last', async () => {
    const at = (time: string, last: string) => {
      const hex = Date.parse(time).toString(16).padStart(12, '0');
      const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7fff-bfff-fffffffffff${last}`;
      return { ...chat('when', time), id, details: {}, createdAt: new Date(time).toISOString() };
    };
    const times = [
      '2026-03-01T23:59:59.999Z',
      '2026-03-02T00:00:00.000Z',
      '2026-03-02T23:59:59.999Z',
      '2026-03-03T00:00:00.000Z',
    ];
    await activities.putMany(
      records,
      times.map((time, index) => at(time, String(index))),
    );
    const day = { from: Date.parse('2026-03-02'), to: Date.parse('2026-03-03') };
    const { activities: found, complete } = await listActivities(records, 'when', day);
    expect(found.map(({ summary }) => summary)).toEqual(times.slice(1, 3));
    expect(complete).toBe(true);
  });
});
