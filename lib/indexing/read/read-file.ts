import { lstat } from 'node:fs/promises';
import { isBibliography } from '../../bibliography/read-bibliography.ts';
import type { Location } from '../../datasets/links/mounts.ts';
import { InvalidInput, NotFound, predicateOf, ServiceError, Unreadable } from '../../errors.ts';
import { readingFormat } from '../../formats/all-formats.ts';
import { documentFacts } from '../../formats/document-facts.ts';
import { type Extracted, extract } from '../../formats/extract.ts';
import { withoutFrontMatter } from '../../formats/front-matter.ts';
import { MAX_FILE_BYTES } from '../../formats/max-file-bytes.ts';
import { isRecognizable, readRecognized, textlessPages, withRecognized } from '../../formats/recognized.ts';
import { storeSource } from '../../formats/stored-source.ts';
import { isDiskFull } from '../../known-error.ts';
import { NO_ID } from '../../passages/tables.ts';
import { openInside } from '../../paths/confine.ts';
import { sha256 } from '../../paths/hash.ts';
import { readAtMost } from '../../paths/read-at-most.ts';
import { type ReadFile, readQuickly } from '../../paths/read-quickly.ts';
import type { IndexPorts } from '../ports.ts';
import { requestRecognition } from '../recognize/request-recognition.ts';
import {
  type IndexedFile,
  isAsked,
  isDone,
  isRecordable,
  type LeftOut,
  MAX_INDEXED_PATH_BYTES,
} from '../schema.ts';
import { type Chunk, chunkText } from './chunk.ts';
import { firstHeading } from './contexts.ts';
import { readingOf } from './how-read.ts';

export type Reading =
  | { outcome: 'missing'; path: string; readAt: number }
  | { outcome: 'failed'; path: string; readAt: number; file: IndexedFile }
  | { outcome: 'unchanged' | 'copied'; path: string; readAt: number; file: IndexedFile; from?: string }
  | { outcome: 'chunked'; path: string; readAt: number; file: IndexedFile; chunks: Chunk[] };

export interface ReadingContext {
  workspaceId: string;
  /** The file's location: in the workspace, or in a linked dataset. */
  location: Location;
  space: string;
  /** The existing table with the file's passages. */
  table: string | undefined;
  /** The index records of the file itself, and of others that may have the same bytes. */
  known: IndexedFile | undefined;
  possibleCopies(hash: string): Promise<IndexedFile[]>;
}

/** The reader failed unexpectedly on one file, which says nothing about the other files of the batch. */
export class ReaderFailed extends Error {}

/** Determines what must be done for a file. Never throws because of the file itself. */
export async function readForIndex(
  ports: IndexPorts,
  context: ReadingContext,
  path: string,
): Promise<Reading> {
  const readAt = ports.clock.now();
  const file: IndexedFile = { ...blank(context, path), readAt };
  try {
    return await readChanged(ports, context, file);
  } catch (error) {
    if (error instanceof NotFound) return { outcome: 'missing', path, readAt };
    if (isDiskFull(error) || !(error instanceof ServiceError)) throw error;
    const stats = await lstat(`${context.location.root}/${context.location.path}`).catch(() => undefined);
    const seen = stats && { size: stats.size, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs };
    return {
      outcome: 'failed',
      path,
      readAt,
      file: {
        ...file,
        ...seen,
        error: error.field === undefined ? error.message : predicateOf(error),
        reason: reasonOf(error),
        ...(error instanceof Unreadable && error.found !== undefined && { found: error.found }),
      },
    };
  }
}

function reasonOf(error: ServiceError): LeftOut {
  if (error instanceof Unreadable) return error.reason;
  return error.code === 'file_system_denied' ? 'unreadable' : 'broken';
}

function blank({ workspaceId, space }: ReadingContext, path: string): Omit<IndexedFile, 'readAt'> {
  const unseen = { size: 0, mtimeMs: 0, ctimeMs: 0, hash: '', chunks: 0 };
  const read = { ...readingOf(path), embedded: true, givenUp: false };
  return { workspaceId, path, ...unseen, space, table: NO_ID, ...read };
}

async function readChanged(
  ports: IndexPorts,
  context: ReadingContext,
  blankFile: IndexedFile,
): Promise<Reading> {
  const { path, readAt } = blankFile;
  const { bytes, ...stats } = await readBytes(context.location, path);
  const file: IndexedFile = { ...blankFile, ...stats, hash: await sha256(bytes) };
  const { known, workspaceId } = context;
  const format = readingFormat(path);
  const isIndexed = (other: IndexedFile) => isDone(other, { ...file, table: context.table });
  const isSame = (other: IndexedFile) => isIndexed(other) && isRecognized(ports, other);
  if (known !== undefined && isSame(known))
    return { outcome: 'unchanged', path, readAt, file: carry(file, known) };
  const copy = (await context.possibleCopies(file.hash)).find(
    (other) => other.path !== path && readingFormat(other.path) === format && isSame(other),
  );
  if (copy !== undefined)
    return { outcome: 'copied', path, readAt, file: carry(file, copy), from: copy.path };
  if (isLfsPointer(bytes))
    return { outcome: 'chunked', path, readAt, file: { ...file, reason: 'lfs_pointer' }, chunks: [] };
  const { extracted, recognition } = await recognizedIn(ports, file, await extractFrom(format, bytes));
  const { chunks, ...lack } = passagesOf(path, extracted);
  // If only the OCR engine that has seen its pages is new, the rows stay, even an earlier engine's, until this one is
  // done.
  const addsNothing = extracted.recognized === undefined && chunks.length === known?.chunks;
  const isAsBefore = recognition !== undefined && (!recognition.done || addsNothing);
  if (known !== undefined && isIndexed(known) && isAsBefore)
    return { outcome: 'unchanged', path, readAt, file: { ...carry(file, known), recognition } };
  await storeSource(ports.objects, { workspaceId, hash: file.hash }, extracted);
  const title = firstHeading(withoutFront(extracted));
  const document = documentFacts(extracted, { path, heading: title });
  const read = {
    ...file,
    chunks: chunks.length,
    ...lack,
    ...partlyRead(extracted),
    ...(title !== undefined && { title }),
    document,
    ...(recognition && { recognition }),
  };
  return { outcome: 'chunked', path, readAt, file: read, chunks };
}

/** A bibliography describes other files, so it has no passages. */
function passagesOf(path: string, extracted: Extracted) {
  if (isBibliography(path, extracted.text)) return { chunks: [], reason: 'bibliography' as const };
  return { chunks: chunkText(extracted), ...lackOfText(extracted) };
}

function withoutFront(extracted: Extracted): Extracted {
  if (extracted.format.name !== 'markdown') return extracted;
  return { ...extracted, text: withoutFrontMatter(extracted.text) };
}

async function extractFrom(...given: Parameters<typeof extract>): Promise<Extracted> {
  try {
    return await extract(...given);
  } catch (error) {
    if (isDiskFull(error) || error instanceof ServiceError) throw error;
    throw new ReaderFailed((error as Error).message, { cause: error });
  }
}

/** The maximum size of a Git LFS pointer, however large its target is. */
const MAX_POINTER_BYTES = 1024;
/** The keys after the version are in alphabetical order. LFS extensions may come before the hash. */
const POINTER =
  /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\/v1\r?\n(?:[a-z0-9.-]{1,100} [^\r\n]{1,500}\r?\n)*size \d+\r?\n?$/;

/**
 * Returns whether a file is a Git LFS pointer whose content wasn't fetched
 * (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md).
 */
function isLfsPointer(bytes: Buffer): boolean {
  return bytes.length <= MAX_POINTER_BYTES && POINTER.test(bytes.toString('latin1'));
}

/** The maximum number of pages per file. A book has a few hundred. */
const MAX_PAGES = 1000;

/** Returns true if OCR has processed the file, or has nothing to do in it. */
function isRecognized({ recognizer }: IndexPorts, file: IndexedFile): boolean {
  return isAsked(file, file.path, recognizer?.id) && file.recognition?.done !== false;
}

/** Returns the file with the OCR text of its pages. Requests OCR if pages are missing. */
async function recognizedIn(
  ports: IndexPorts,
  { workspaceId, path, hash }: IndexedFile,
  extracted: Extracted,
) {
  const { recognizer, objects } = ports;
  if (recognizer === undefined || !isRecognizable(extracted.format)) return { extracted };
  const textless = textlessPages(extracted);
  const pages = textless.slice(0, MAX_PAGES);
  const by = recognizer.id;
  const counts = { by, pages: textless.length, left: textless.length - pages.length };
  const read = pages.length === 0 ? {} : await readRecognized(objects, { workspaceId, hash }, by);
  const waiting = pages.filter((page) => read[page] === undefined);
  if (waiting.length === 0)
    return { extracted: withRecognized(extracted, read), recognition: { ...counts, done: true } };
  const pagesRead = pages.length - waiting.length;
  await requestRecognition(ports, { workspaceId, path, hash, by, pages, pagesRead });
  return { extracted, recognition: { ...counts, done: false } };
}

/** Returns why there is no text. A text file without text is empty; other files without text contain images. */
function lackOfText({ format, text }: Extracted): Pick<IndexedFile, 'reason' | 'found'> {
  if (text.trim() !== '') return {};
  return { reason: 'no_text', ...(format.content === 'text' && { found: 'empty' }) };
}

function partlyRead({
  left = [],
  encoding,
  encodingCertain,
}: Extracted): Pick<IndexedFile, 'left' | 'encoding'> {
  const counted = left.filter(({ count }) => count > 0);
  return {
    ...(counted.length > 0 && { left: counted }),
    ...(encoding !== undefined && { encoding: { name: encoding, certain: encodingCertain !== false } }),
  };
}

/** Copies what another record says about the same bytes. */
function carry(file: IndexedFile, before: IndexedFile): IndexedFile {
  const { chunks, title, document, reason, found, recognition, left, encoding } = before;
  const said = { title, document, reason, found, recognition, left, encoding };
  const known = Object.entries(said).filter(([, value]) => value !== undefined && value !== '');
  return { ...file, chunks, ...Object.fromEntries(known) };
}

async function readBytes(location: Location, path: string): Promise<ReadFile> {
  if (!isRecordable(path))
    throw new InvalidInput(
      'invalid_path',
      `The path is longer than ${MAX_INDEXED_PATH_BYTES} bytes. Use a shorter one.`,
    );
  const read = readQuickly(location.root, location.path);
  if (read !== undefined) return read;
  await using handle = await openInside(location.root, location.path);
  const { size, mtimeMs, ctimeMs } = await handle.stat();
  if (size > MAX_FILE_BYTES)
    throw new Unreadable('size', 'The file is over 50 MB, which is too large to index.');
  return { bytes: await readAtMost(handle, size), size, mtimeMs, ctimeMs };
}
