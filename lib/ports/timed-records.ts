import type { Clock } from './clock.ts';
import type { Records } from './records.ts';

/** The records, and the clock for their timestamps. */
export interface TimedRecords {
  records: Records;
  clock: Clock;
}
