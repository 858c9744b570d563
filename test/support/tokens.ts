import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import type { TimedRecords } from '../../lib/ports/timed-records.ts';
import { tempFolder, whenDone } from './temp-folder.ts';

export interface TokenRig {
  ports: TimedRecords;
  /** The time that the rules see. */
  time: { now: number };
}

/** Empty records, and a clock that stays at the start of June 2026 unless the test moves it. */
export async function startTokenRig(): Promise<TokenRig> {
  const time = { now: Date.parse('2026-06-01T00:00:00.000Z') };
  const clock = { now: () => time.now };
  const database = openDatabase(await tempFolder());
  whenDone(async () => database.close());
  return { ports: { records: sqliteRecords(database, clock), clock }, time };
}
