import type { Connection, Table } from '@lancedb/lancedb';
import { LRUCache } from 'lru-cache';
import {
  type FileTrim,
  KEEP_VERSIONS_MS,
  type Passage,
  type PassageRow,
  type PassageTable,
  type ScoredPassage,
  type SearchScope,
  type Vectors,
} from '../../ports/vectors.ts';
import { folderStore } from './folder-store.ts';
import { findRows, readFound } from './found-passages.ts';
import { loadLance } from './load.ts';
import { findNearest, type NearestOptions } from './nearest-rows.ts';
import { readInLatest } from './read-in-latest.ts';
import { scopeFilter, sqlText } from './scope-filter.ts';
import { searchableQuery } from './search-words.ts';
import { currentSession, type Session } from './session.ts';
import { rowId, type StoredPassage, toPassage } from './stored-passage.ts';
import { shapeOf } from './table-shape.ts';
import { INDEX_FROM_BYTES, indexVectors } from './vector-index.ts';
import type { TablePlace, VectorStore } from './vector-store.ts';

const INDEX_CACHE_BYTES = 256 * 1024 * 1024;
/** Milliseconds between two checks for removed files that a session holds open. */
const CHECK_SESSION_MS = 10 * 60_000;
/** Maximum open tables; each holds file handles and caches. */
const MAX_OPEN = 50;
/** Number of paths per filter when removing rows. */
const TRIMS_AT_ONCE = 200;

/**
 * Passages in LanceDB, with one table per workspace and space, in a folder or another store. Tests use a
 * smaller threshold for the index, and clean up sooner.
 */
export function lancedbVectors(
  folder: string | VectorStore,
  {
    indexFromBytes = INDEX_FROM_BYTES,
    cacheBytes = INDEX_CACHE_BYTES,
    keepVersionsMs = KEEP_VERSIONS_MS,
    checkSessionMs = CHECK_SESSION_MS,
  } = {},
): Vectors {
  const home = typeof folder === 'string' ? folderStore(folder) : folder;
  const tables = new LRUCache<string, OpenTable>({ max: MAX_OPEN });
  const lance: Access = {
    openSession: () => currentSession(cacheBytes, checkSessionMs),
    connect: ({ address }, session) => connectTo(address, home.storeOptions, session),
  };
  return {
    keepVersionsMs,
    async open(workspaceId, space) {
      const key = `${workspaceId}/${space}`;
      const table = tables.get(key) ?? openTable(home, lance, workspaceId, space);
      tables.set(key, table);
      return passageTable(table, { indexFromBytes, keepVersionsMs });
    },
    async drop(workspaceId, { keepSpace } = {}) {
      for (const key of tables.keys()) if (key.startsWith(`${workspaceId}/`)) tables.delete(key);
      await home.drop(workspaceId, keepSpace);
    },
    has: (workspaceId, space) => home.has(workspaceId, space),
    clear: (workspaceId, space) => home.clear(workspaceId, space),
  };
}

/** Opens tables in the current session of the process. */
interface Access {
  openSession(): Promise<Session>;
  connect(place: TablePlace, session: Session): Promise<Connection>;
}

/** Connects with interval 0, so that a reader sees every commit. */
async function connectTo(
  address: string,
  storageOptions: Record<string, string>,
  session: Session,
): Promise<Connection> {
  const { connect } = await loadLance();
  // The session must be in the options: version 0.39 ignores it as a third argument, although its types allow
  // that.
  return connect(address, { readConsistencyInterval: 0, session, storageOptions });
}

interface OpenTable {
  /** Returns the table; undefined if nothing has been written yet. */
  find(): Promise<Table | undefined>;
  /** Returns the table, created if it's missing, with a vector column if dimensions are given. */
  make(dimensions: number | undefined): Promise<Table>;
}

/** Opens a table. Reading never creates a table, and one that another thread dropped is forgotten. */
function openTable(
  home: VectorStore,
  { openSession, connect }: Access,
  workspaceId: string,
  space: string,
): OpenTable {
  let cached: { table: Table; identity: string; session: Session; indexed: boolean } | undefined;
  const find = async () => {
    const found = await home.find(workspaceId, space);
    const session = await openSession();
    if (found === undefined) cached = undefined;
    else if (cached?.identity !== found.identity || cached.session !== session) {
      const indexed = cached?.identity === found.identity && cached.indexed;
      const table = await openIfThere(await connect(found, session), found.name);
      cached = table && { table, identity: found.identity, session, indexed };
    }
    return cached?.table;
  };
  const create = async () => {
    const place = await home.place(workspaceId, space);
    return createTable(await connect(place, await openSession()), place.name);
  };
  return {
    find,
    async make(dimensions) {
      const table = (await find()) ?? (await create());
      if (!cached?.indexed) await indexText(table);
      if (cached !== undefined) cached.indexed = true;
      if (dimensions !== undefined && (await shapeOf(table)).dimensions === undefined) {
        await table.addColumns([
          { name: 'vector', valueSql: `arrow_cast(NULL, 'FixedSizeList(${dimensions}, Float32)')` },
        ]);
      }
      return table;
    },
  };
}

/**
 * Opens a table if it exists. A table's place is created first, and remains if its creator dies in between.
 */
async function openIfThere(connection: Connection, name: string): Promise<Table | undefined> {
  try {
    return await connection.openTable(name);
  } catch (error) {
    if (/^Table '.*' was not found/.test((error as Error).message)) return undefined;
    throw error;
  }
}

/**
 * The unenforced key keeps merges free of duplicates, unless it has a scalar index. When four processes
 * merged the same 201 IDs, 201 rows were left in each of five runs; with an index on the key, 231 to 351;
 * without the key, 241 to 361.
 */
async function createTable(connection: Connection, name: string): Promise<Table> {
  return connection.createEmptyTable(name, (await import('./passage-rows.ts')).passageSchema, {
    mode: 'create',
    existOk: true,
  });
}

/**
 * Creates the text index before the first row is written. Search needs it, and it also finds rows added
 * later. Also creates it if the table's creator died too early.
 */
async function indexText(table: Table): Promise<void> {
  const indices = await table.listIndices();
  if (indices.some(({ columns }) => columns.includes('search_text'))) return;
  const { Index } = await loadLance();
  await table.createIndex('search_text', {
    config: Index.fts({
      baseTokenizer: 'icu/split',
      stem: true,
      // Text is folded earlier: this would run after stemming, and `résumé` has another stem.
      asciiFolding: false,
      lowercase: true,
      removeStopWords: false,
      withPosition: false,
    }),
  });
}

interface Upkeep {
  indexFromBytes: number;
  keepVersionsMs: number;
}

function passageTable(open: OpenTable, upkeep: Upkeep): PassageTable {
  return {
    write: (rows, trims) => writeRows(open, rows, trims),
    rowsOf: (path) => readInLatest(() => readRows(open, path)),
    passages: () => readPassages(open),
    searchText: (query, limit, scope) => readInLatest(() => searchText(open, query, limit, scope)),
    searchVector(vector, limit, scope) {
      const nearest = { limit, filter: scopeFilter(scope), indexFromBytes: upkeep.indexFromBytes };
      return readInLatest(() => searchVector(open, vector, nearest));
    },
    count: async () => (await open.find())?.countRows() ?? 0,
    async dimensions() {
      const table = await open.find();
      return table && (await shapeOf(table)).dimensions;
    },
    maintain: () => maintain(open, upkeep),
  };
}

async function writeRows(open: OpenTable, rows: PassageRow[], trims: FileTrim[]): Promise<void> {
  const dimensions = rows.find(({ vector }) => vector !== null)?.vector?.length;
  const table = rows.length > 0 ? await open.make(dimensions) : await open.find();
  if (table === undefined) return;
  const first = trims.slice(0, TRIMS_AT_ONCE);
  if (rows.length > 0) await merge(table, latestById(rows), first);
  const left = rows.length > 0 ? trims.slice(TRIMS_AT_ONCE) : trims;
  for (let start = 0; start < left.length; start += TRIMS_AT_ONCE) {
    await table.delete(trimFilter(left.slice(start, start + TRIMS_AT_ONCE)));
  }
}

/** Returns the latest row per ID. LanceDB would write two rows with the same ID, despite the key. */
function latestById(rows: PassageRow[]): PassageRow[] {
  return [...new Map(rows.map((row) => [rowId(row), row])).values()];
}

/**
 * Writes rows. Files without any rows get theirs appended, because a merge costs ten times as much, and with
 * a single writer nothing can come between.
 */
async function merge(table: Table, rows: PassageRow[], trims: FileTrim[]): Promise<void> {
  const { toArrow } = await import('./passage-rows.ts');
  const data = toArrow(rows, {
    names: (await table.schema()).names as string[],
    dimensions: (await shapeOf(table)).dimensions,
  });
  const isHeld = await holdsAnyOf(table, rows);
  if (trims.length === 0 && !isHeld) {
    await table.add(data);
    return;
  }
  const known = isHeld ? await removeDoubled(table, rows) : new Set<string>();
  // A merge by the key would store a filter of 37 KB in two files, as protection from concurrent inserts.
  // Updates of one row conflict anyway.
  const isUpdate = rows.every((row) => known.has(rowId(row)));
  const merging = table
    .mergeInsert(isUpdate ? ['path', 'chunk'] : 'id')
    .whenMatchedUpdateAll()
    .whenNotMatchedInsertAll();
  const trimming =
    trims.length === 0 ? merging : merging.whenNotMatchedBySourceDelete({ where: trimFilter(trims) });
  await trimming.execute(data);
}

async function holdsAnyOf(table: Table, rows: PassageRow[]): Promise<boolean> {
  return (await table.countRows(ofFiles(rows))) > 0;
}

function ofFiles(rows: PassageRow[]): string {
  return `path IN (${[...new Set(rows.map(({ path }) => sqlText(path)))].join(', ')})`;
}

/**
 * Returns the IDs of the files' rows. Removes duplicates, because a merge would update both. A writer that
 * was paused past its lease may have left them. Removing the rows is safe, because their files are being
 * written again.
 */
async function removeDoubled(table: Table, rows: PassageRow[]): Promise<Set<string>> {
  const held: { id: string }[] = await table.query().where(ofFiles(rows)).select(['id']).toArray();
  const seen = new Set<string>();
  const doubled = new Set(held.flatMap(({ id }) => (seen.size === seen.add(id).size ? [id] : [])));
  const written = [...new Set(rows.map(rowId))].filter((id) => doubled.has(id));
  for (let start = 0; start < written.length; start += TRIMS_AT_ONCE) {
    const ids = written.slice(start, start + TRIMS_AT_ONCE).map(sqlText);
    await table.delete(`id IN (${ids.join(', ')})`);
  }
  return new Set(held.map(({ id }) => id).filter((id) => !doubled.has(id)));
}

function trimFilter(trims: FileTrim[]): string {
  const gone = trims.filter(({ keepBelow }) => keepBelow === 0).map(({ path }) => sqlText(path));
  const shorter = trims.filter(({ keepBelow }) => keepBelow > 0);
  const clauses = shorter.map(
    ({ path, keepBelow }) => `(path = ${sqlText(path)} AND chunk >= ${Math.trunc(keepBelow)})`,
  );
  if (gone.length > 0) clauses.push(`path IN (${gone.join(', ')})`);
  return clauses.join(' OR ');
}

async function readRows(open: OpenTable, path: string): Promise<PassageRow[]> {
  const table = await open.find();
  if (table === undefined) return [];
  const found = (await table
    .query()
    .where(`path = ${sqlText(path)}`)
    .toArray()) as StoredRow[];
  return found.map(toRow).sort((a, b) => a.chunk - b.chunk);
}

async function* readPassages(open: OpenTable): AsyncGenerator<Passage[]> {
  const table = await open.find();
  if (table === undefined) return;
  const query = table.query().select((await shapeOf(table)).columns);
  for await (const batch of query) yield (batch.toArray() as unknown as StoredPassage[]).map(toPassage);
}

type StoredRow = StoredPassage & { vector?: Iterable<number> | null };

function toRow(stored: StoredRow): PassageRow {
  return { ...toPassage(stored), vector: stored.vector ? Float32Array.from(stored.vector) : null };
}

async function searchText(
  open: OpenTable,
  query: string,
  limit: number,
  scope?: SearchScope,
): Promise<ScoredPassage[]> {
  const table = await open.find();
  const words = searchableQuery(query);
  if (table === undefined || !/[\p{L}\p{N}]/u.test(words)) return [];
  const filter = scopeFilter(scope);
  const search = () => {
    const query = table.query().fullTextSearch(words, { columns: ['search_text'] });
    return filter === undefined ? query : query.where(filter);
  };
  return readFound(table, () => findRows(search(), limit, '_score'));
}

/** Searches by a vector. One with another number of dimensions finds nothing. */
async function searchVector(
  open: OpenTable,
  vector: Float32Array,
  options: NearestOptions,
): Promise<ScoredPassage[]> {
  const table = await open.find();
  if (table === undefined || (await shapeOf(table)).dimensions !== vector.length) return [];
  return readFound(table, () => findNearest(table, vector, options));
}

async function maintain(open: OpenTable, { indexFromBytes, keepVersionsMs }: Upkeep): Promise<boolean> {
  const table = await open.find();
  if (table === undefined) return false;
  await indexVectors(table, (await shapeOf(table)).dimensions, indexFromBytes);
  await table.optimize({ cleanupOlderThan: new Date(Date.now() - keepVersionsMs) });
  return (await table.listVersions()).length > 1;
}
