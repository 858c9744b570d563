import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** The one SQLite file of the embedded side, opened once per thread and path. */
export interface Database {
  /** A prepared statement, kept for the next use. */
  prepare(sql: string): StatementSync;
  /** Runs `work` in a write transaction; whatever it throws rolls everything back. Not nestable. */
  transaction<Result>(work: () => Result): Result;
  close(): void;
}

/** Each entry brings a file of the version before it up by one; what was released is never changed again. */
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
  `,
  // Every receipt is looked up alone, exhausted messages among the few that were received, a group by its latest.
  `
  CREATE UNIQUE INDEX messages_by_receipt ON messages (receipt) WHERE receipt IS NOT NULL;
  CREATE INDEX messages_by_receives ON messages (queue, receive_count) WHERE receive_count > 0;
  CREATE INDEX messages_by_latest ON messages (queue, group_id, visible_at) WHERE group_id IS NOT NULL;
  CREATE INDEX deduplications_by_expiry ON deduplications (expires_at);
  `,
  // Messages of a standard queue may have groups, which have their turns: those without are one more.
  `
  CREATE INDEX messages_without_group ON messages (queue, visible_at, sequence) WHERE group_id IS NULL;
  `,
];

const open = new Map<string, Database>();

/** The database of a data folder; the folder is made when it is missing. */
export function openDatabase(dataDir: string): Database {
  const known = open.get(dataDir);
  if (known !== undefined) return known;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const database = connect(join(dataDir, 'service.sqlite'), () => open.delete(dataDir));
  open.set(dataDir, database);
  return database;
}

/**
 * WAL lets readers go on beside the one writer. `synchronous = NORMAL` survives the death of the process (the WAL is in
 * the kernel by then); only a power cut may lose the last commits, and never corrupts.
 */
function connect(file: string, onClose: () => void): Database {
  const connection = new DatabaseSync(file, { timeout: 10_000 });
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
  migrate(connection);
  const statements = new Map<string, StatementSync>();
  return {
    prepare(sql) {
      const statement = statements.get(sql) ?? connection.prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
    transaction: (work) => transact(connection, work),
    close() {
      onClose();
      connection.close();
    },
  };
}

/** IMMEDIATE takes the write lock at once: a transaction that reads first could not get it later without failing. */
function transact<Result>(connection: DatabaseSync, work: () => Result): Result {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK'); // a full disk has ended it already
    throw error;
  }
}

/** Looks before it takes the write lock: an open file of the present version is left alone. */
function migrate(connection: DatabaseSync): void {
  if (formatVersion(connection) === MIGRATIONS.length) return;
  transact(connection, () => {
    const version = formatVersion(connection);
    if (version > MIGRATIONS.length)
      throw new Error(`the data folder was written by a newer version (${version})`);
    for (const step of MIGRATIONS.slice(version)) connection.exec(step);
    connection.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

export function formatVersion(connection: DatabaseSync): number {
  const row = connection.prepare('PRAGMA user_version').get() as { user_version: number };
  return row.user_version;
}
