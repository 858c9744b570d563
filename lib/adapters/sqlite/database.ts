import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { writeIntoReserve } from './reserve.ts';

/** The embedded adapters' only SQLite file, opened once per thread and path. */
export interface Database {
  /** Returns a prepared statement, cached for later use. */
  prepare(sql: string): StatementSync;
  /**
   * Runs `work` in a write transaction, which is rolled back if it throws. Not nestable. If the disk is full,
   * releases a part of the reserve and calls `work` again.
   */
  transaction<Result>(work: () => Result): Result;
  /**
   * Runs statements outside any transaction, as VACUUM requires. Gives up soon if another connection has the
   * lock.
   */
  runSoon(sql: string): void;
  close(): void;
}

/** Each entry upgrades a file from the previous format. Once released, an entry never changes. */
export const MIGRATIONS = [
  `
  CREATE TABLE records (
    partition TEXT NOT NULL,
    sort TEXT NOT NULL,
    index_partition TEXT,
    index_sort TEXT,
    expires_at INTEGER,
    value TEXT NOT NULL,
    PRIMARY KEY (partition, sort)
  ) WITHOUT ROWID;
  CREATE INDEX records_by_index ON records (index_partition, index_sort, partition, sort) WHERE index_partition IS NOT NULL;
  CREATE INDEX records_by_expiry ON records (expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE queues (
    name TEXT PRIMARY KEY,
    fifo INTEGER NOT NULL,
    visibility_ms INTEGER NOT NULL,
    max_receive_count INTEGER,
    dead_letter_queue TEXT
  );
  CREATE TABLE messages (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL,
    message_id TEXT NOT NULL,
    group_id TEXT,
    body TEXT NOT NULL,
    sent_at INTEGER NOT NULL,
    visible_at INTEGER NOT NULL,
    receive_count INTEGER NOT NULL DEFAULT 0,
    crash_count INTEGER NOT NULL DEFAULT 0,
    receipt TEXT,
    owner TEXT
  );
  CREATE INDEX messages_by_visibility ON messages (queue, visible_at, sequence);
  CREATE INDEX messages_by_group ON messages (queue, group_id, sequence) WHERE group_id IS NOT NULL;
  CREATE INDEX messages_by_owner ON messages (owner) WHERE owner IS NOT NULL;
  CREATE TABLE deduplications (
    queue TEXT NOT NULL,
    deduplication_id TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (queue, deduplication_id)
  ) WITHOUT ROWID;
  -- Every receipt is looked up alone, exhausted messages among the few that were received, a group by its latest.
  CREATE UNIQUE INDEX messages_by_receipt ON messages (receipt) WHERE receipt IS NOT NULL;
  CREATE INDEX messages_by_receives ON messages (queue, receive_count) WHERE receive_count > 0;
  CREATE INDEX messages_by_latest ON messages (queue, group_id, visible_at) WHERE group_id IS NOT NULL;
  CREATE INDEX deduplications_by_expiry ON deduplications (expires_at);
  -- Messages of a standard queue may have groups, which have their turns: those without are one more.
  CREATE INDEX messages_without_group ON messages (queue, visible_at, sequence) WHERE group_id IS NULL;
  `,
];

/** Bytes to which a longer log is truncated when it starts over. */
const MAX_IDLE_LOG_BYTES = 16 * 1024 * 1024;

/** Milliseconds for which a connection waits for others. */
const BUSY_MS = 10_000;
/** The same for work that blocks others while it waits. */
const SOON_MS = 100;

const PRIVATE = 0o600;

const open = new Map<string, Database>();

export function databaseFile(dataDir: string): string {
  return join(dataDir, 'service.sqlite');
}

/** SQLite's error code if another connection holds a lock. */
export const SQLITE_BUSY = 5;

/** Returns the format that this release writes. */
export function currentFormat(): number {
  return MIGRATIONS.length;
}

/**
 * What to do with a file in an earlier format. `refuse` throws; `upgrade` is for callers that have made a
 * backup; `keep` is for callers that need nothing from the new format.
 */
type EarlierFormat = 'refuse' | 'upgrade' | 'keep';

/** Returns the format of the records in a data folder; undefined if there are none. */
export function dataFormatOf(dataDir: string): number | undefined {
  const file = databaseFile(dataDir);
  if (!existsSync(file)) return undefined;
  const connection = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
  try {
    return formatVersion(connection) || undefined;
  } finally {
    connection.close();
  }
}

/**
 * Returns whether any process, even of an earlier release, has the records of a data folder open. Each
 * connection holds a shared lock on the file. `dataDir` must contain records.
 */
export function isOpenElsewhere(dataDir: string): boolean {
  const connection = new DatabaseSync(databaseFile(dataDir), { timeout: 0 });
  try {
    connection.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    return true;
  } finally {
    connection.close();
  }
}

/** Opens the database of a data folder; creates it if it's missing. */
export function openDatabase(dataDir: string, earlier: EarlierFormat = 'refuse'): Database {
  const known = open.get(dataDir);
  if (known !== undefined) return known;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  makePrivate(databaseFile(dataDir));
  const database = connect(databaseFile(dataDir), earlier, () => open.delete(dataDir));
  open.set(dataDir, database);
  return database;
}

/**
 * Creates a missing file before SQLite does, because SQLite's file would be readable for every user of the
 * host. The logs get the same mode. Never opens an existing file: closing it would drop all locks that this
 * process holds on it, as POSIX requires, and another process that closes the file would then remove the log
 * that this process writes to.
 */
export function makePrivate(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: PRIVATE });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Opens a connection. With WAL, readers continue next to the only writer. `synchronous = NORMAL` survives the
 * death of the process, because the kernel has the WAL by then. Only a power failure may lose the last
 * commits, but it never corrupts the file.
 */
function connect(file: string, earlier: EarlierFormat, onClose: () => void): Database {
  const connection = openConnection(file, earlier);
  const statements = new Map<string, StatementSync>();
  return {
    prepare(sql) {
      const statement = statements.get(sql) ?? connection.prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
    transaction: (work) => writeIntoReserve(dirname(file), () => transact(connection, work)),
    runSoon: (sql) => runSoon(connection, sql),
    close() {
      onClose();
      connection.close();
    },
  };
}

function openConnection(file: string, earlier: EarlierFormat): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    connection.exec(
      `PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
       PRAGMA journal_size_limit = ${MAX_IDLE_LOG_BYTES}`,
    );
    migrate(connection, earlier);
    return connection;
  } catch (error) {
    connection.close(); // no upgrade is possible while it's open
    throw error;
  }
}

function runSoon(connection: DatabaseSync, sql: string): void {
  connection.exec(`PRAGMA busy_timeout = ${SOON_MS}`);
  try {
    connection.exec(sql);
  } finally {
    connection.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  }
}

/**
 * Runs a transaction. IMMEDIATE takes the write lock at the start; otherwise, a transaction that reads first
 * might fail to get it later.
 */
function transact<Result>(connection: DatabaseSync, work: () => Result): Result {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK'); // a full disk has already ended it
    throw error;
  }
}

/**
 * Migrates a file. Checks the format before taking the write lock, so that it doesn't write to a file of the
 * current format.
 */
function migrate(connection: DatabaseSync, earlier: EarlierFormat): void {
  if (formatVersion(connection) === currentFormat()) return;
  transact(connection, () => {
    const version = formatVersion(connection);
    if (version > currentFormat()) throw new Error(newerFormat(version));
    if (version > 0 && earlier === 'keep') return;
    if (version > 0 && version < currentFormat() && earlier === 'refuse')
      throw new Error(
        `The data folder is from an earlier release (format ${version}). Start the service once: it makes a backup and upgrades the folder.`,
      );
    for (const step of MIGRATIONS.slice(version)) connection.exec(step);
    connection.exec(`PRAGMA user_version = ${currentFormat()}`);
  });
}

export function newerFormat(format: number): string {
  return `The data folder was written by a newer release (format ${format}, this release reads up to ${currentFormat()}). Start that release, or restore a backup from this one.`;
}

export function formatVersion(connection: DatabaseSync): number {
  const row = connection.prepare('PRAGMA user_version').get() as { user_version: number };
  return row.user_version;
}
