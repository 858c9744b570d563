import type { Config } from '../config.ts';
import type { Records } from '../ports/records.ts';
import { openDatabase } from './sqlite/database.ts';
import { sqliteRecords } from './sqlite/records.ts';

/** The records store that the configuration names. */
export function openRecords(config: Config): Records {
  return sqliteRecords(openDatabase(config.dataDir));
}
