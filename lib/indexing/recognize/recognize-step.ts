import { locate } from '../../datasets/links/mounts.ts';
import { InvalidInput, NotConfigured, noneIfRefused } from '../../errors.ts';
import { readingFormat } from '../../formats/all-formats.ts';
import { MAX_FILE_BYTES } from '../../formats/max-file-bytes.ts';
import { readRecognized, recognizedAs, storeRecognized } from '../../formats/recognized.ts';
import { log } from '../../log.ts';
import { openInside } from '../../paths/confine.ts';
import { sha256 } from '../../paths/hash.ts';
import { readAtMost } from '../../paths/read-at-most.ts';
import type { PictureOfPage, Recognizer } from '../../ports/recognizer.ts';
import { wasExpected } from '../../ports/records.ts';
import { touchIndex } from '../enqueue.ts';
import type { IndexedWorkspace, IndexPorts } from '../ports.ts';
import { storeStep } from '../steps.ts';
import { resumeRecognition, sendStep } from './request-recognition.ts';
import {
  firstPending,
  type PendingRecognition,
  pendingRecognitions,
  type RecognitionRun,
  recognitionRuns,
} from './schema.ts';

/**
 * In milliseconds. After this time, a step hands off to the next one, behind the queue's messages for other
 * files and workspaces.
 */
const STEP_MS = 15_000;
/**
 * The number of the delivery at which the page where the step stopped is skipped, because it ended its worker
 * in each earlier delivery.
 */
const LEAVE_PAGE_AT = 3;

/** Does one step of OCR for a workspace's waiting pages. */
export async function recognizeStep(
  ports: IndexPorts,
  workspace: IndexedWorkspace,
  { step }: { step: number },
  receiveCount: number,
): Promise<void> {
  const workspaceId = workspace.id;
  const before = await recognitionRuns.get(ports.records, { workspaceId });
  if (isTaken(before, step)) return;
  const came = await readPending(ports, workspace, receiveCount);
  const isKept = await keepStep(ports, { workspaceId, step, came, isNew: before === undefined });
  // Requests that arrived in between considered it active.
  if (came === 'done' && isKept) await resumeRecognition(ports, workspaceId);
}

function isTaken(run: RecognitionRun | undefined, step: number): boolean {
  return run !== undefined && (run.step > step || (run.step === step && !run.active));
}

type Place = Pick<RecognitionRun, 'path' | 'pages' | 'pagesRead'>;

interface Step {
  workspaceId: string;
  step: number;
  came: Place | 'done' | 'away';
  /** True if the sender of the message had not stored the step yet. */
  isNew: boolean;
}

/**
 * Hands off to the next step, unless another delivery of this one was faster, or the workspace was deleted.
 * The sender may store this step only now; the result then replaces it.
 */
async function keepStep(ports: IndexPorts, { workspaceId, step, came, isNew }: Step): Promise<boolean> {
  const active = typeof came === 'object';
  const place = active ? came : { pages: 0, pagesRead: 0 };
  for (;;) {
    const stored = await recognitionRuns.get(ports.records, { workspaceId });
    if (isTaken(stored, step) || (stored === undefined && !isNew)) return false;
    const send = active ? () => sendStep(ports.indexQueue, workspaceId, step + 1) : undefined;
    const next = { workspaceId, step: step + 1, active, ...place };
    if (await storeStep(ports, recognitionRuns, stored, next, { send })) return true;
  }
}

/**
 * Returns the position if the time is over; otherwise, that no page waits, or that there is no OCR engine.
 */
async function readPending(
  ports: IndexPorts,
  workspace: IndexedWorkspace,
  receiveCount: number,
): Promise<Place | 'done' | 'away'> {
  if (ports.recognizer === undefined) return 'away';
  try {
    return await readFiles(ports, ports.recognizer, workspace, receiveCount);
  } catch (error) {
    if (!(error instanceof NotConfigured)) throw error;
    log.warn('pages wait to be recognized', { workspaceId: workspace.id, reason: error.message });
    return 'away';
  }
}

async function readFiles(
  ports: IndexPorts,
  recognizer: Recognizer,
  workspace: IndexedWorkspace,
  receiveCount: number,
): Promise<Place | 'done'> {
  const until = ports.clock.now() + STEP_MS;
  let leaves = receiveCount >= LEAVE_PAGE_AT;
  for (;;) {
    const pending = await firstPending(ports.records, workspace.id);
    if (pending === undefined) return 'done';
    const pagesRead = await readFilePages(ports, recognizer, workspace, { pending, until, leaves });
    if (ports.clock.now() >= until) return { path: pending.path, pages: pending.pages.length, pagesRead };
    leaves = false;
  }
}

interface FileWork {
  pending: PendingRecognition;
  /** Milliseconds since the epoch. One page is always read, even after this. */
  until: number;
  /** True if the first unread page is skipped. */
  leaves: boolean;
}

/**
 * Stores each page as soon as it's read, unless it's no longer wanted, because no data of a deleted workspace
 * may reappear. After the last page, the file is indexed again with its text.
 */
async function readFilePages(
  { records, objects, indexQueue, clock }: IndexPorts,
  recognizer: Recognizer,
  workspace: IndexedWorkspace,
  { pending, until, leaves }: FileWork,
): Promise<number> {
  const { path, hash, by, pages } = pending;
  const version = { workspaceId: workspace.id, hash };
  const bytes = by === recognizer.id ? await readVersion({ records }, workspace, pending) : undefined;
  const read = bytes === undefined ? {} : await readRecognized(objects, version, by);
  const left = bytes === undefined ? [] : pages.filter((page) => read[page] === undefined);
  for (const [index, page] of left.entries()) {
    const pagesRead = pages.length - left.length + index;
    if (index > 0 && clock.now() >= until) return pagesRead;
    const isLeft = leaves && index === 0;
    read[page] = isLeft
      ? passOver(path, page)
      : await readPage(recognizer, path, { bytes: bytes as Buffer, page });
    const isWanted = await pendingRecognitions.put(
      records,
      { ...pending, pagesRead: pagesRead + 1 },
      { hash, by },
    );
    if (!isWanted) return pagesRead;
    await storeRecognized(objects, version, { by, pages: read });
  }
  await touchIndex(indexQueue, workspace.id, [path]);
  await wasExpected(pendingRecognitions.delete(records, { workspaceId: workspace.id, path }, { hash, by }));
  return pages.length;
}

function passOver(path: string, page: number): string {
  log.warn('a page ended its worker, and is passed over', { path, page });
  return '';
}

/** Returns no text for an unreadable page, so that the other pages keep theirs. */
async function readPage(
  recognizer: Recognizer,
  path: string,
  page: Omit<PictureOfPage, 'format'>,
): Promise<string> {
  try {
    const format = recognizedAs(readingFormat(path));
    return format === undefined ? '' : await recognizer.readPage({ ...page, format });
  } catch (error) {
    if (error instanceof NotConfigured || !(error instanceof InvalidInput)) throw error;
    log.warn('a page was not recognized', { path, page: page.page, reason: error.message });
    return '';
  }
}

/** Returns the requested bytes; undefined if the file was deleted or replaced. */
async function readVersion(
  { records }: Pick<IndexPorts, 'records'>,
  workspace: IndexedWorkspace,
  { path, hash }: PendingRecognition,
): Promise<Buffer | undefined> {
  const location = await locate(records, workspace, path);
  await using handle = await openInside(location.root, location.path).catch(noneIfRefused);
  if (handle === undefined) return undefined;
  const { size } = await handle.stat();
  const bytes = size > MAX_FILE_BYTES ? undefined : await readAtMost(handle, size);
  return bytes !== undefined && (await sha256(bytes)) === hash ? bytes : undefined;
}
