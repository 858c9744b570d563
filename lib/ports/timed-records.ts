import type { Clock } from './clock.ts';
import type { Records } from './records.ts';

/** The records, and the time that is written into them. */
export interface TimedRecords {
  records: Records;
  clock: Clock;
}
