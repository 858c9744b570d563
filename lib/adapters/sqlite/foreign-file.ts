import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { currentFormat, formatVersion, MIGRATIONS } from './database.ts';

/** The tables of statistics that ANALYZE creates for SQLite's planner. */
const STATISTICS = [
  'table sqlite_stat1 sqlite_stat1 CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'table sqlite_stat4 sqlite_stat4 CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
];

/**
 * Checks an untrusted database before anything writes to it, because triggers, views, checks, and computed
 * columns would run with each change. Throws an Error with a short reason.
 */
export function checkForeignFile(file: string): void {
  const place = pathToFileURL(file);
  place.searchParams.set('immutable', '1'); // neither reads nor creates a log
  const connection = new DatabaseSync(place, { readOnly: true });
  try {
    connection.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;');
    const version = formatVersion(connection);
    if (version > currentFormat()) throw new Error('it was written by a newer release');
    if (!hasSchemaOf(connection, version)) throw new Error('its tables are not those of this service');
    const [check] = connection.prepare('PRAGMA quick_check(1)').all();
    if (check?.quick_check !== 'ok') throw new Error(`it is damaged: ${check?.quick_check}`);
  } finally {
    connection.close();
  }
}

function hasSchemaOf(connection: DatabaseSync, version: number): boolean {
  if (version < 1) return false;
  const found = schemaOf(connection).filter((line) => !STATISTICS.includes(line));
  const wanted = schemaAt(version);
  return found.length === wanted.length && found.every((line, index) => line === wanted[index]);
}

function schemaAt(version: number): string[] {
  const connection = new DatabaseSync(':memory:');
  try {
    for (const step of MIGRATIONS.slice(0, version)) connection.exec(step);
    return schemaOf(connection);
  } finally {
    connection.close();
  }
}

function schemaOf(connection: DatabaseSync): string[] {
  const rows = connection.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all();
  return rows.map(({ type, name, tbl_name, sql }) => `${type} ${name} ${tbl_name} ${sql}`).sort();
}
