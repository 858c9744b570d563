import { ServiceError } from '../../errors.ts';
import { HubBusy } from '../../ports/hub.ts';
import { datasetPartition } from '../schema.ts';
import { showPath } from './check-names.ts';
import { Spoiled, TimeUp } from './copy-stream.ts';
import {
  dropUnfinished,
  fetchSpan,
  fetchWhole,
  findWhole,
  type PieceWork,
  putInPlace,
  syncFolders,
  unfinishedPlace,
  verifyOnDisk,
  WRITING,
  withFile,
} from './fetch-file.ts';
import type { DownloadPorts } from './ports.ts';
import type { DownloadProgress } from './progress.ts';
import { type DownloadPart, FINISH, type PlannedFile, parts, type Work, workSort, works } from './records.ts';
import { weightOf } from './split.ts';

/** Number of small files of one part that are fetched concurrently. */
const BATCH_STREAMS = 4;
/** Maximum times that a file with wrong bytes is fetched again. */
const MAX_SPOILED = 3;

/** A file that is unavailable, which fails the dataset. The message names the file. */
class FileFailed extends ServiceError {
  constructor(path: string, why: string, options?: ErrorOptions) {
    super('dataset_file_failed', `${showPath(path)}: ${why}`, options);
  }
}

interface PartWork {
  piece: PieceWork;
  work: Work;
  part: DownloadPart;
  progress: DownloadProgress;
}

/** Does one part's work and records it. */
export async function workPart(partWork: PartWork): Promise<void> {
  const { piece, work, part } = partWork;
  const sha256 = await FETCH[part.kind](partWork);
  if (part.kind !== 'range')
    await syncFolders(
      piece,
      part.files.map(({ path }) => path),
    );
  await piece.lease.renew();
  await parts.update(piece.ports.records, part, { set: { sha256 } });
  await works.delete(piece.ports.records, work);
}

const FETCH: Record<DownloadPart['kind'], (work: PartWork) => Promise<string[]>> = {
  batch: fetchBatch,
  whole: fetchOne,
  range: fetchRange,
  join: joinRanges,
};

async function fetchBatch({ piece, work, part, progress }: PartWork): Promise<string[]> {
  const sha256: string[] = [];
  let [bytes, files] = [0, 0];
  const rest = part.files.entries();
  // A part that hasn't counted any file has hardly any bytes on disk.
  const find = (file: PlannedFile) => (work.countedFiles > 0 ? findWhole(piece, file) : undefined);
  const stream = async () => {
    for (const [index, file] of rest) {
      const name = `${part.part}-${index}`;
      sha256[index] = await untilGood(
        { piece, work },
        file,
        () => dropUnfinished(piece, name),
        async () => (await find(file)) ?? fetchWhole(piece, file, { name, position: 0, reached: () => {} }),
      );
      bytes += file.size;
      files += 1;
      progress.reach(0, bytes, files);
    }
  };
  await allOrNone(Array.from({ length: Math.min(BATCH_STREAMS, part.files.length) }, stream));
  return sha256;
}

/**
 * If one stream fails, the others must end first, because nothing may be written after the lease has ended.
 */
async function allOrNone(streams: Promise<void>[]): Promise<void> {
  const ended = await Promise.allSettled(streams);
  const failed = ended.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function fetchOne({ piece, work, part, progress }: PartWork): Promise<string[]> {
  const [file] = part.files as [PlannedFile];
  const name = String(part.part);
  let position = work.position;
  const reached = (place: number) => progress.reach(place, place, 0);
  const drop = () => dropUnfinished(piece, name);
  const sha256 = await untilGood({ piece, work }, file, drop, async () => {
    const from = position;
    position = 0; // the next attempt starts from zero
    return (await findWhole(piece, file)) ?? fetchWhole(piece, file, { name, position: from, reached });
  });
  progress.reach(0, file.size, 1);
  return [sha256];
}

/** Retries, discarding wrong bytes. Throws FileFailed. */
async function untilGood<Result>(
  { piece, work }: Pick<PartWork, 'piece' | 'work'>,
  file: PlannedFile,
  drop: () => Promise<void>,
  fetch: () => Promise<Result>,
): Promise<Result> {
  for (let spoiled = work.spoiled; ; ) {
    try {
      return await withName(file, fetch());
    } catch (error) {
      if (!(error instanceof Spoiled)) throw error;
      await drop();
      spoiled += 1;
      await noteSpoiled(piece, work, file, spoiled);
    }
  }
}

async function noteSpoiled(
  { ports }: PieceWork,
  work: Work,
  file: PlannedFile,
  spoiled: number,
): Promise<void> {
  const failed = spoiled >= MAX_SPOILED;
  // A user's retry resets the count.
  await works.update(ports.records, work, { set: { position: 0, spoiled: failed ? 0 : spoiled } });
  if (failed)
    throw new FileFailed(file.path, 'The hub sent other bytes than this file has. Retry the download.');
}

/** Adds the file's name to its failures. */
async function withName<Result>(file: PlannedFile, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const told = error instanceof HubBusy || error instanceof ServiceError;
    if (told && !(error instanceof FileFailed))
      throw new FileFailed(file.path, error.message, { cause: error });
    throw error;
  }
}

async function fetchRange({ piece, work, part, progress }: PartWork): Promise<string[]> {
  const [file] = part.files as [PlannedFile];
  const { from, to, group } = part;
  const unfinished = unfinishedPlace(piece, String(group[1]));
  const reached = (place: number) => progress.reach(place - from, place - from, 0);
  let start = from + work.position;
  // The file contains other ranges, so nothing is deleted. This range is overwritten completely.
  const drop = async () => {
    start = from;
    reached(from);
  };
  await untilGood({ piece, work }, file, drop, () =>
    withFile(unfinished, WRITING, (handle) =>
      fetchSpan(piece, file, { from: start, to }, { handle, reached }),
    ),
  );
  return [];
}

/** Joins a file's ranges. If its bytes are wrong, all its ranges are fetched again. */
async function joinRanges({ piece, work, part, progress }: PartWork): Promise<string[]> {
  const [file] = part.files as [PlannedFile];
  const sha256 = (await findWhole(piece, file)) ?? (await verifyJoined(piece, work, part, file));
  progress.reach(0, 0, 1);
  return [sha256];
}

async function verifyJoined(
  piece: PieceWork,
  work: Work,
  part: DownloadPart,
  file: PlannedFile,
): Promise<string> {
  const name = String(part.part);
  const unfinished = unfinishedPlace(piece, name);
  const sha256 = await withFile(unfinished, WRITING, async (handle) => {
    if ((await handle.stat()).size !== file.size) throw new Spoiled('has not its size');
    return verifyOnDisk(piece, handle, file);
  }).catch(async (error: unknown) => {
    // Hashing can't be suspended, so the next call would start over, and get no further.
    if (error instanceof TimeUp)
      throw new FileFailed(file.path, 'The file is too large to verify within the time limit of the worker.');
    if (!(error instanceof Spoiled)) throw error;
    await dropUnfinished(piece, name);
    await reopenRanges(piece, part);
    await noteSpoiled(piece, work, file, work.spoiled + 1);
    throw new Reopened();
  });
  await putInPlace(piece, unfinished, file.path);
  return sha256;
}

/** The ranges of a file are being fetched again, so joining them must wait. */
export class Reopened extends Error {}

async function reopenRanges({ ports }: PieceWork, join: DownloadPart): Promise<void> {
  const { datasetId, group } = join;
  for (let part = group[0]; part < group[1]; part++) {
    const range = await parts.get(ports.records, { datasetId, part });
    if (range === undefined) continue;
    const { bytes } = weightOf(range);
    const fresh = { datasetId, part, kind: range.kind, group, position: 0, spoiled: 0 };
    await works.put(ports.records, { ...fresh, countedBytes: bytes, countedFiles: 0 });
  }
}

/**
 * Returns the part of the group to send now: its first open part, if that was waiting or all parts were
 * reopened.
 */
export async function nextParts(
  { records }: Pick<DownloadPorts, 'records'>,
  { datasetId, group }: Pick<DownloadPart, 'datasetId' | 'group'>,
  reopened: boolean,
): Promise<number[]> {
  const partition = datasetPartition(datasetId);
  const of = { partition, from: workSort(group[0]), to: workSort(group[1]) };
  if (reopened) {
    const { items } = await works.list(records, of);
    return items.filter(({ kind }) => kind === 'range').map(({ part }) => part);
  }
  const { items } = await works.list(records, { ...of, limit: 1 });
  const [first] = items;
  if (first !== undefined) return first.kind === 'join' ? [first.part] : [];
  const rest = await works.list(records, { partition, from: workSort(0), to: workSort(FINISH), limit: 1 });
  return rest.items.filter(({ kind }) => kind === 'finish').map(({ part }) => part);
}
