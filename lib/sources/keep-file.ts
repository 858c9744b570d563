import { createHash } from 'node:crypto';
import { readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readPieces } from '../async/join-pieces.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { FactSources } from '../documents/fact-sources.ts';
import { storeOrigin } from '../documents/provenance.ts';
import { Conflict, NotFound, ServiceError, TooLarge, UpstreamFailed } from '../errors.ts';
import { hashNow, move, remove, writeWhole } from '../files/write.ts';
import { MAX_FILE_BYTES } from '../formats/max-file-bytes.ts';
import { confine, withParent } from '../paths/confine.ts';
import { sha256 } from '../paths/hash.ts';
import { timestamp } from '../ports/clock.ts';
import type { RemoteSource } from '../ports/file-source.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { besideOf, type FileStep, type PlacedFile, type SyncStep, trashPathOf } from './plan.ts';
import { type SourceFileChange, type StoredSource, type StoredSourceFile, sourceFiles } from './schema.ts';

/** The work on the files of one source by the process that has its lease. */
export interface FileWork extends TimedRecords {
  source: StoredSource;
  rootPath: string;
  workspace: FactSources;
  folder: string;
  remote: RemoteSource;
  signal: AbortSignal;
  /** Called right before each change of a file or a record. Throws once another process may have the lease. */
  requireHeld(): void;
  /** Receives paths that the index has to read. */
  changed(paths: string[]): void;
  /** Bytes that may still be added. */
  room: number;
  /** Milliseconds that the list of the source, and each of its files, may take. */
  patience: { listMs: number; fileMs: number };
}

/**
 * Carries out a step, and returns what happened. It can be repeated after a crash at any point: each write and move is
 * recorded before it is made, and found by the hash of the file.
 */
export async function carryOut(work: FileWork, step: SyncStep): Promise<SourceFileChange | undefined> {
  // An earlier step may have changed the record since the plan was made.
  const known = 'known' in step && step.known ? await sourceFiles.get(work.records, step.known) : undefined;
  if (step.action === 'skip') return { path: step.file.path, action: 'skip', reason: step.reason };
  if (step.action === 'add' || step.action === 'update') return fetchFile(work, { ...step, known });
  if (known === undefined) return undefined;
  if (step.action === 'move') return moveFile(work, step.file, known);
  if (step.action === 'facts') return keepFacts(work, step.file, known);
  if (step.action === 'trash') return trash(work, known);
  return step.action === 'purge' ? purge(work, known) : settle(work, known);
}

/** Returns the hash of a file; null if there is none. A folder or link in its place has no hash that fits. */
async function hashAt({ rootPath }: FileWork, path: string): Promise<string | null> {
  try {
    return await hashNow(rootPath, path);
  } catch (error) {
    if (error instanceof ServiceError) return 'other';
    throw error;
  }
}

async function fetchFile(work: FileWork, { file, known }: FileStep): Promise<SourceFileChange | undefined> {
  if (known?.state === 'trashed' && known.version === file.version && (await restore(work, file, known)))
    return { path: file.path, action: 'add' };
  const limit = Math.min(MAX_FILE_BYTES, work.room + (known?.size ?? 0));
  if (limit <= 0) return { path: file.path, action: 'skip', reason: 'quota' };
  const bytes = await readBytes(work, file, limit);
  if (typeof bytes === 'string') {
    const action = bytes === 'checksum' ? 'fail' : 'skip';
    return { path: file.path, action, reason: bytes === 'size' && limit < MAX_FILE_BYTES ? 'quota' : bytes };
  }
  const added = bytes.length - (known?.size ?? 0);
  if (added > work.room) return { path: file.path, action: 'skip', reason: 'quota' };
  work.room -= added; // before the next wait, because other files are fetched at the same time
  return storeBytes(work, { file, known, bytes, hash: await sha256(bytes) });
}

/** Returns the bytes, or the reason why they can't be used. */
async function readBytes(
  work: FileWork,
  file: PlacedFile,
  limit: number,
): Promise<Buffer | 'size' | 'checksum'> {
  try {
    const bytes = file.text === undefined ? await download(work, file, limit) : Buffer.from(file.text);
    if (bytes.length > limit) throw tooLarge();
    const md5 = file.md5 === undefined ? undefined : createHash('md5').update(bytes).digest('hex');
    return md5 === file.md5 ? bytes : 'checksum';
  } catch (error) {
    if (error instanceof TooLarge) return 'size';
    throw error;
  }
}

function tooLarge(): TooLarge {
  return new TooLarge('file_too_large', 'The file is too large.');
}

/** Fetches a file, for a limited time: a source may send a byte now and then forever. */
async function download(
  { remote, signal, patience }: FileWork,
  file: PlacedFile,
  limit: number,
): Promise<Buffer> {
  const bytes = await withTimeout(patience.fileMs, async (late) => {
    const pieces = await remote.open(file, { signal: AbortSignal.any([signal, late]) });
    return readPieces(pieces, limit, tooLarge);
  });
  if (bytes !== undefined) return bytes;
  throw new UpstreamFailed('source_unreachable', 'The source took too long to send a file.');
}

interface Fetched {
  file: PlacedFile;
  known: StoredSourceFile | undefined;
  bytes: Buffer;
  hash: string;
}

/** Returns whether a file has contents that this source has written, or was writing when its process died. */
function isOwn(known: StoredSourceFile | undefined, hash: string | null): boolean {
  return known !== undefined && hash !== null && (hash === known.hash || hash === known.writing);
}

function isLive(known: StoredSourceFile | undefined): known is StoredSourceFile {
  return known?.state === 'present' || known?.state === 'conflict';
}

/** Writes contents, unless a person changed the file. Their file stays, and the contents are stored next to it. */
async function storeBytes(work: FileWork, fetched: Fetched): Promise<SourceFileChange> {
  const { file, known, hash, bytes } = fetched;
  const path = isLive(known) ? known.path : file.path;
  const there = await hashAt(work, path);
  await keepOrigin(work, file, hash);
  const isFree = there === null || there === hash || (isLive(known) && isOwn(known, there));
  if (!isFree) return storeBeside(work, fetched, path);
  // Without a version, so that a sync after a crash fetches the file again, even if the source has an earlier one then.
  const before = { version: '', hash: isLive(known) ? known.hash : '', writing: hash };
  await record(work, fetched, { ...before, path, state: 'present', beside: known?.beside ?? null });
  if (there !== hash && !(await write(work, path, bytes, there))) return storeBeside(work, fetched, path);
  if (known?.beside) await dropIfOwn(work, known.beside);
  await record(work, fetched, { path, state: 'present', beside: null });
  return { path, action: isLive(known) ? 'update' : 'add' };
}

/** Returns false if the file has changed since its hash was read. */
async function write(work: FileWork, path: string, bytes: Buffer, expected: string | null): Promise<boolean> {
  work.requireHeld();
  work.changed([path]);
  try {
    await writeWhole(work.rootPath, path, bytes, expected);
    return true;
  } catch (error) {
    if (error instanceof Conflict) return false;
    throw error;
  }
}

async function storeBeside(work: FileWork, fetched: Fetched, path: string): Promise<SourceFileChange> {
  const { known, bytes, hash } = fetched;
  const beside = besideOf(path);
  const own = await hashAt(work, beside);
  if (own !== null && own !== hash && own !== known?.beside?.hash && !isOwn(known, own))
    return { path, action: 'fail', reason: 'path_taken' };
  // A file of a person in the place of a new one isn't the source's, so the new one belongs next to it.
  const state = isLive(known)
    ? { path, hash: known.hash, state: 'conflict' as const, beside: { path: beside, hash } }
    : { path: beside, state: 'present' as const, beside: null };
  await record(work, fetched, { ...state, version: '', writing: hash });
  if (own !== hash && !(await write(work, beside, bytes, own)))
    return { path, action: 'fail', reason: 'path_taken' };
  await record(work, fetched, state);
  return { path, action: 'conflict', reason: isLive(known) ? 'changed_here' : 'path_taken', beside };
}

async function record(
  work: FileWork,
  { file, bytes, hash }: Pick<Fetched, 'file' | 'hash'> & { bytes: { length: number } },
  state: Pick<StoredSourceFile, 'path' | 'state' | 'beside'> & Partial<StoredSourceFile>,
): Promise<void> {
  work.requireHeld();
  const { id, version, factsHash } = file;
  const stored = { sourceId: work.source.id, id, version, factsHash, hash, size: bytes.length };
  const done = { writing: null, movingTo: null, trashedAt: null };
  await sourceFiles.put(work.records, { ...stored, ...done, ...state });
}

async function patch(
  work: FileWork,
  known: StoredSourceFile,
  fields: Partial<StoredSourceFile>,
): Promise<void> {
  work.requireHeld();
  await sourceFiles.put(work.records, { ...known, ...fields });
}

/** Stored before the file, so that the index and citations never see the file without it. */
async function keepOrigin(
  { records, clock, source, workspace }: FileWork,
  file: PlacedFile,
  hash: string,
): Promise<void> {
  const { url, ...facts } = file.facts;
  const origin = { url, fetchedAt: timestamp(clock) };
  const of = { sourceId: source.id, kind: source.kind, etag: file.version };
  await storeOrigin(records, workspace, hash, origin, { ...of, ...facts });
}

async function keepFacts(work: FileWork, file: PlacedFile, known: StoredSourceFile): Promise<undefined> {
  const hash = known.beside?.hash ?? known.hash;
  // A process may have died before it wrote the first contents. They get their origin when they are written.
  if (hash !== '') await keepOrigin(work, file, hash);
  await patch(work, known, { factsHash: file.factsHash });
}

/** Moves a file to its new place at the source, also with a person's changes. Nothing is overwritten. */
async function moveFile(
  work: FileWork,
  file: PlacedFile,
  known: StoredSourceFile,
): Promise<SourceFileChange | undefined> {
  await keepFacts(work, file, known);
  const now = { ...known, factsHash: file.factsHash };
  const { path } = known;
  if ((await hashAt(work, path)) === null) {
    await patch(work, now, { state: 'gone' });
    return { path, action: 'conflict', reason: 'deleted_here' };
  }
  const isMoved = await moveKnown(work, now, path, file.path, { path: file.path });
  return isMoved ? { path: file.path, action: 'move' } : { path, action: 'conflict', reason: 'path_taken' };
}

/** Moves a file. Returns false if its new place is taken. */
async function moveKnown(
  work: FileWork,
  known: StoredSourceFile,
  from: string,
  to: string,
  after: Partial<StoredSourceFile>,
): Promise<boolean> {
  await patch(work, known, { movingTo: to });
  const isMoved = await tryMove(work, from, to);
  await patch(work, known, { ...(isMoved && after), movingTo: null });
  return isMoved;
}

/** Records a move that a process made before it died. The system may also have left the file in both places. */
export async function recover(work: FileWork, known: StoredSourceFile): Promise<void> {
  const { movingTo, path, state } = known;
  if (movingTo === null) return;
  const trashed = trashPathOf(work.folder, known);
  const from = state === 'trashed' ? trashed : path;
  const [old, moved] = await Promise.all([hashAt(work, from), hashAt(work, movingTo)]);
  if (moved === null || (old !== null && old !== moved)) return patch(work, known, { movingTo: null });
  if (old !== null) await drop(work, from);
  work.changed([from, movingTo]);
  const after: Partial<StoredSourceFile> =
    movingTo === trashed
      ? { state: 'trashed', trashedAt: timestamp(work.clock), beside: null }
      : { path: movingTo, state: state === 'trashed' ? 'present' : state, trashedAt: null };
  await patch(work, known, { ...after, movingTo: null });
}

async function tryMove(work: FileWork, from: string, to: string): Promise<boolean> {
  work.requireHeld();
  work.changed([from, to]);
  try {
    await move(work.rootPath, from, to, false);
    return true;
  } catch (error) {
    if (error instanceof Conflict) return false;
    throw error;
  }
}

/** A file that no longer exists at the source is moved to the trash. A file that a person changed stays, as theirs. */
async function trash(work: FileWork, known: StoredSourceFile): Promise<SourceFileChange | undefined> {
  const { path, state, beside } = known;
  if (beside !== null) await dropIfOwn(work, beside);
  const there = await hashAt(work, path);
  if (state === 'present' && isOwn(known, there)) {
    const after = {
      state: 'trashed' as const,
      hash: there ?? '',
      trashedAt: timestamp(work.clock),
      beside: null,
    };
    const place = trashPathOf(work.folder, known);
    if ((await hashAt(work, place)) !== null) await drop(work, place); // left from an earlier time
    if (await moveKnown(work, known, path, place, after)) return { path, action: 'trash' };
  }
  work.requireHeld();
  await sourceFiles.delete(work.records, known);
  return there === null || state === 'gone'
    ? undefined
    : { path, action: 'conflict', reason: 'changed_here' };
}

async function restore(work: FileWork, file: PlacedFile, known: StoredSourceFile): Promise<boolean> {
  const place = trashPathOf(work.folder, known);
  if ((await hashAt(work, place)) !== known.hash) return false;
  const after = { path: file.path, state: 'present' as const, trashedAt: null, factsHash: file.factsHash };
  await keepOrigin(work, file, known.hash);
  return moveKnown(work, known, place, file.path, after);
}

async function purge(work: FileWork, known: StoredSourceFile): Promise<undefined> {
  await drop(work, `${work.folder}/.trash/${known.id}`);
  work.requireHeld();
  await sourceFiles.delete(work.records, known);
}

async function dropIfOwn(work: FileWork, { path, hash }: { path: string; hash: string }): Promise<void> {
  if ((await hashAt(work, path)) === hash) await drop(work, path);
}

/** Removes a file or folder that this source made. */
async function drop(work: FileWork, path: string): Promise<void> {
  work.requireHeld();
  work.changed([path]);
  await remove(work.rootPath, path).catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error;
  });
}

/** Ends a conflict if a person has removed either version, or made them the same. */
async function settle(work: FileWork, known: StoredSourceFile): Promise<SourceFileChange | undefined> {
  const { path, beside } = known;
  if (beside === null) return;
  const [own, other] = await Promise.all([hashAt(work, path), hashAt(work, beside.path)]);
  const isOver = own === null || other === null || own === beside.hash;
  if (!isOver) return { path, action: 'conflict', reason: 'changed_here', beside: beside.path };
  const isReplaced = own === null && other === beside.hash && (await tryMove(work, beside.path, path));
  const isSame = isReplaced || own === beside.hash;
  if (isSame && !isReplaced) await dropIfOwn(work, beside);
  const state = own === null && !isReplaced ? 'gone' : 'present';
  await patch(work, known, { state, beside: null, ...(isSame && { hash: beside.hash }) });
}

/** Deletes a file when its source is deleted, unless a person changed it. */
export async function dropFile(work: FileWork, stored: StoredSourceFile): Promise<void> {
  await recover(work, stored);
  const known = (await sourceFiles.get(work.records, stored)) ?? stored;
  const { path, beside, state } = known;
  if (state === 'trashed') return purge(work, known);
  if (beside !== null) await dropIfOwn(work, beside);
  if (state === 'present' && isOwn(known, await hashAt(work, path))) await drop(work, path);
  work.requireHeld();
  await sourceFiles.delete(work.records, known);
}

/** Removes folders that moves have left empty, the innermost first. */
export async function removeEmptyFolders({ rootPath, folder }: FileWork): Promise<void> {
  const top = join(rootPath, folder);
  // A link could lead to a person's folders.
  if ((await confine(rootPath, folder).catch(() => undefined)) !== top) return;
  const entries = await readdir(top, { recursive: true, withFileTypes: true }).catch(() => []);
  const inner = entries
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const place of [top, ...inner].sort((one, other) => other.length - one.length))
    await withParent(rootPath, place, (entry) => rmdir(entry)).catch(() => undefined);
}
