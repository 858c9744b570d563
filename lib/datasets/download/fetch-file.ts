import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UpstreamFailed } from '../../errors.ts';
import type { PinnedRepo } from '../../ports/hub.ts';
import { folderOf } from '../folders.ts';
import type { Dataset } from '../schema.ts';
import { askHub } from './ask-hub.ts';
import { copyStream, Spoiled, TimeUp } from './copy-stream.ts';
import { addFromDisk, type FileHash, hashFile } from './digest.ts';
import type { DownloadPorts } from './ports.ts';
import type { PlannedFile } from './records.ts';
import type { WriteLease } from './write-lease.ts';

/** One worker's work on one piece of a dataset, under its lease. */
export interface PieceWork {
  ports: DownloadPorts;
  dataset: Dataset;
  repo: PinnedRepo;
  source: 'hub_a' | 'hub_b';
  lease: WriteLease;
  /** Milliseconds since the epoch: the end of the function's time. */
  deadline: number;
}

/** Returns the path of an incomplete file, which is next to the files, never among them. */
export function unfinishedPlace({ ports, dataset }: PieceWork, name: string): string {
  return join(folderOf(ports.datasetsDir, dataset.id), 'parts', name);
}

function filePlace({ dataset }: Pick<PieceWork, 'dataset'>, path: string): string {
  return join(dataset.localPath, path);
}

/**
 * Returns the SHA-256 of a file that is already in place, because a worker may have died before recording it; undefined
 * if it's missing, or differs from what the hub promised. Only verified files are ever moved there.
 */
export async function findWhole(piece: PieceWork, file: PlannedFile): Promise<string | undefined> {
  const place = filePlace(piece, file.path);
  const found = await lstat(place).catch(() => undefined);
  if (found === undefined || !found.isFile() || found.size !== file.size) return undefined;
  return withFile(place, constants.O_RDONLY | constants.O_NOFOLLOW, (handle) =>
    verifyOnDisk(piece, handle, file),
  ).catch((error: unknown) => {
    if (error instanceof Spoiled) return undefined;
    throw error;
  });
}

export async function verifyOnDisk(piece: PieceWork, handle: FileHandle, file: PlannedFile): Promise<string> {
  const hash = hashFile(file);
  await addFromDisk(handle, hash, file.size, () => throwIfStopped(piece));
  return verifyAndSync(handle, hash);
}

/** Verifies the bytes and makes them durable, even if the host loses power. */
async function verifyAndSync(handle: FileHandle, hash: FileHash): Promise<string> {
  const sha256 = hash.verify();
  await handle.sync();
  return sha256;
}

/** Throws the reason to stop: Superseded or TimeUp. */
export function throwIfStopped({ ports, lease, deadline }: PieceWork): void {
  lease.signal.throwIfAborted();
  if (ports.clock.now() > deadline) throw new TimeUp('time is up');
}

/** Fetches a whole file into place, from `position` on; returns its SHA-256. Throws Spoiled. */
export async function fetchWhole(
  piece: PieceWork,
  file: PlannedFile,
  { name, position, reached }: { name: string; position: number; reached: (place: number) => void },
): Promise<string> {
  const unfinished = unfinishedPlace(piece, name);
  await piece.lease.mayWrite(); // opening the file may truncate it
  const flags = position === 0 ? WRITING | constants.O_TRUNC : WRITING;
  const sha256 = await withFile(unfinished, flags, async (handle) => {
    const hash = hashFile(file);
    const kept = position === 0 ? 0 : Math.min(position, (await handle.stat()).size, file.size);
    await addFromDisk(handle, hash, kept, () => throwIfStopped(piece));
    const span = { from: kept, to: file.size };
    await fetchSpan(piece, file, span, { handle, hash: (bytes) => hash.update(bytes), reached });
    return verifyAndSync(handle, hash);
  });
  await putInPlace(piece, unfinished, file.path);
  return sha256;
}

export const WRITING = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;

/** Opens a file, creating its directory if needed, and always closes it. */
export async function withFile<Result>(
  place: string,
  flags: number,
  work: (handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  await using handle = await open(place, flags, 0o666).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || !(flags & constants.O_CREAT)) throw error;
    await mkdir(dirname(place), { recursive: true });
    return open(place, flags, 0o666);
  });
  return await work(handle);
}

/**
 * Fetches the bytes from `from` to `to` of a file to the same position of the handle, with as many requests
 * as needed.
 */
export async function fetchSpan(
  piece: PieceWork,
  file: PlannedFile,
  { from, to }: { from: number; to: number },
  into: { handle: FileHandle; hash?: (bytes: Buffer) => void; reached: (place: number) => void },
): Promise<void> {
  const { ports, lease, repo, source, deadline } = piece;
  const sink = { ...into, lease, isTimeUp: () => ports.clock.now() > deadline };
  let [at, before]: [number, number] = [from, from];
  let etag: string | undefined;
  const reached = (place: number) => {
    at = place;
    into.reached(place);
  };
  const ask = async () => {
    before = at;
    const end = to === file.size ? undefined : to;
    const options = { offset: at, end, etag, signal: lease.signal };
    const answer = await ports.hubs[source].openFile(repo, file.path, options);
    if (answer.offset > at)
      throw new UpstreamFailed(
        'hub_answer_unusable',
        'The hub returned another part of the file than requested. Retry the download.',
      );
    etag = answer.etag;
    await copyStream(answer, { ...sink, reached }, { at, to, last: to === file.size });
    if (at === before) throw new Spoiled('is shorter than the hub says');
  };
  while (at < to) await askHub(ports, source, lease.signal, ask, () => at > before);
}

/** Moves a finished file into place. It appears there atomically. */
export async function putInPlace(piece: PieceWork, unfinished: string, path: string): Promise<void> {
  const place = filePlace(piece, path);
  await piece.lease.mayWrite();
  await rename(unfinished, place).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await mkdir(dirname(place), { recursive: true });
    await rename(unfinished, place);
  });
}

/** Makes file names durable, and those of their directories, which may be new. */
export async function syncFolders({ dataset }: Pick<PieceWork, 'dataset'>, paths: string[]): Promise<void> {
  const folders = new Set(paths.flatMap(foldersOf));
  for (const folder of folders) {
    await withFile(join(dataset.localPath, folder), constants.O_RDONLY | constants.O_DIRECTORY, (handle) =>
      handle.sync(),
    );
  }
}

/** Returns the folders of a file: for `a/b/c`, `a/b`, `a`, and the dataset's own folder. */
function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, depth) => parts.slice(0, depth).join('/'));
}

/** Deletes an unfinished file with wrong bytes. */
export async function dropUnfinished(piece: PieceWork, name: string): Promise<void> {
  await piece.lease.mayWrite();
  await rm(unfinishedPlace(piece, name), { force: true });
}
