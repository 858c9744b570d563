import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { type Location, locate } from '../../datasets/links/mounts.ts';
import { ServiceError } from '../../errors.ts';
import { readingFormat } from '../../formats/all-formats.ts';
import type { TextRun } from '../../formats/format.ts';
import { lineStarts } from '../../formats/lines.ts';
import { MAX_FILE_BYTES } from '../../formats/max-file-bytes.ts';
import { countRowLines, partOf } from '../../formats/part-of.ts';
import { quotableRuns } from '../../formats/quotable-runs.ts';
import { readStoredSource } from '../../formats/stored-source.ts';
import { openInside } from '../../paths/confine.ts';
import { sha256 } from '../../paths/hash.ts';
import type { FilePart } from '../../ports/file-part.ts';
import type { Objects } from '../../ports/objects.ts';
import type { Records } from '../../ports/records.ts';
import type { Workspace } from '../../workspaces/schema.ts';

export interface SourcePorts {
  objects: Objects;
  records: Records;
}

/** The current state of a file. */
export interface QuotableFile {
  hash: string;
  /**
   * The text to which positions refer (extracted, if the file isn't text). Empty if the file has no readable
   * text.
   */
  text: string;
  runs: TextRun[];
  lines: number[];
  /** Returns the part of the file that contains a stretch of the text; undefined if that isn't known. */
  partAt: (span: TextRun) => FilePart | undefined;
}

/**
 * After an update, a sync may extract the text of a document again from the same bytes, which moves its
 * passages.
 */
const MADE_TEXT_MS = 60_000;

interface CachedSource {
  /** All that the file system reports about the version that was read. */
  version: string;
  /** Milliseconds since the epoch. */
  until: number;
  source: QuotableFile;
}

/**
 * Cached from answer to answer, because cited files are often cited again. A small document may contain a
 * long text.
 */
const cache = new LRUCache<string, CachedSource>({
  maxSize: 64_000_000, // bytes
  sizeCalculation: ({ source }) => weigh(source),
});

/** Reads a file to quote from it. Undefined if it is deleted, unreadable, or too large to have been indexed. */
export async function readQuotable(
  ports: SourcePorts,
  workspace: Workspace,
  path: string,
): Promise<QuotableFile | undefined> {
  const location = await locate(ports.records, workspace, path);
  const place = `${location.root}/${location.path}`;
  const known = cache.get(place);
  const isFresh = known !== undefined && Date.now() < known.until;
  if (isFresh && known.version === (await stat(place).then(versionOf, () => undefined))) return known.source;
  try {
    return await readOnce(place, () => readAgain(ports.objects, workspace, path, location));
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

const reading = new Map<string, Promise<QuotableFile | undefined>>();

/** Concurrent answers share one read of a file. */
function readOnce(
  place: string,
  read: () => Promise<QuotableFile | undefined>,
): Promise<QuotableFile | undefined> {
  const underway = reading.get(place);
  if (underway !== undefined) return underway;
  const started = read().finally(() => reading.delete(place));
  reading.set(place, started);
  return started;
}

/**
 * Returns a value that two files, or two versions of a file, never share. Equal values therefore mean the
 * same confined file.
 */
function versionOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
}

async function readAgain(
  objects: Objects,
  workspace: Workspace,
  path: string,
  location: Location,
): Promise<QuotableFile | undefined> {
  await using handle = await openInside(location.root, location.path);
  const stats = await handle.stat();
  if (stats.size > MAX_FILE_BYTES) return undefined;
  const source = await makeSource(objects, workspace, path, await readFile(handle));
  // An empty text isn't cached, because a text that is extracted from the bytes may appear later.
  if (source.text !== '' && isSettled(stats)) {
    const isMade = readingFormat(path).content === 'encoded';
    const until = isMade ? Date.now() + MADE_TEXT_MS : Number.POSITIVE_INFINITY;
    cache.set(`${location.root}/${location.path}`, { version: versionOf(stats), until, source });
  }
  return source;
}

/**
 * Returns whether a file is old enough to be cached. A file system's clock ticks every few milliseconds, so
 * two writes within one tick look the same.
 */
function isSettled({ ctimeMs }: Stats): boolean {
  return Date.now() - ctimeMs > 1000;
}

/** The bytes that an entry takes in addition to its text. */
const OF_ENTRY = 1000;
const RUN_BYTES = 48;

function weigh({ text, lines, runs }: QuotableFile): number {
  return OF_ENTRY + 2 * text.length + 8 * lines.length + RUN_BYTES * runs.length;
}

async function makeSource(
  objects: Objects,
  workspace: Workspace,
  path: string,
  bytes: Buffer,
): Promise<QuotableFile> {
  const hash = await sha256(bytes);
  const format = readingFormat(path);
  const stored = await readStoredSource(objects, { workspaceId: workspace.id, hash }, format, bytes);
  const { text, partStarts, sheets, recognized } = stored ?? { text: '' };
  const lines = lineStarts(text);
  const rowLines = countRowLines(format, text, lines);
  const parted = { text, partStarts: partStarts ?? [], sheets, recognized, rowLines };
  const isKnown = partStarts !== undefined || rowLines !== undefined;
  return {
    ...{ hash, text, lines },
    runs: await quotableRuns(format, text, workspace.id),
    partAt: (span) => (isKnown ? partOf(parted, format.unit, span) : undefined),
  };
}
