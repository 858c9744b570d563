import { knownError } from '../../known-error.ts';
import { hasCode } from '../../paths/file-errors.ts';
import { HubBusy } from '../../ports/hub.ts';
import { ExpectationFailed } from '../../ports/records.ts';
import { finishDataset } from '../manifest/finish.ts';
import { type Dataset, type DatasetMessage, datasets } from '../schema.ts';
import { sendMessages } from '../steps/send-messages.ts';
import { Postponed } from './ask-hub.ts';
import { TimeUp } from './copy-stream.ts';
import type { PieceWork } from './fetch-file.ts';
import { nextParts, Reopened, workPart } from './part.ts';
import { failedDownload, planDownload, plannedParts } from './plan.ts';
import type { DownloadPorts } from './ports.ts';
import { changeWhile, requireRunning, trackProgress, watchOn } from './progress.ts';
import { FINISH, parts, plans, type Watch, watches, works } from './records.ts';
import { type LeaseClaim, Superseded, type WriteLease, withWriteLease } from './write-lease.ts';

export type DownloadMessage = Extract<DatasetMessage, { kind: 'plan' | 'part' }>;

const MAX_DELAY_SECONDS = 900;

/** Does a message's work within `timeMs`, and sends the rest on. Idempotent, and harmless if late. */
export async function handleDownloadMessage(
  ports: DownloadPorts,
  message: DownloadMessage,
  timeMs: number,
): Promise<void> {
  const deadline = ports.clock.now() + timeMs;
  const dataset = await datasets.get(ports.records, { id: message.datasetId });
  if (dataset?.generation !== message.generation || dataset.deleted || dataset.source === 'local') return;
  try {
    if (message.kind === 'plan') await handlePlan(ports, dataset, deadline);
    else await handlePart(ports, dataset, message.part, deadline);
  } catch (error) {
    await settle(ports, dataset, message, error);
  }
}

/** Applies the outcome to the dataset. Throws errors that the queue should retry. */
async function settle(
  ports: DownloadPorts,
  dataset: Dataset,
  message: DownloadMessage,
  error: unknown,
): Promise<void> {
  if (error instanceof Superseded || error instanceof ExpectationFailed) return;
  if (error instanceof TimeUp) return sendMessages(ports, [message]);
  if (error instanceof Postponed) {
    const seconds = Math.ceil((error.until - ports.clock.now()) / 1000);
    const delaySeconds = Math.min(Math.max(seconds, 0), MAX_DELAY_SECONDS);
    return sendMessages(ports, [message], delaySeconds);
  }
  const reason = reasonOf(error);
  if (reason === undefined) throw error;
  await changeWhile(ports, dataset, failedDownload(reason)).catch((lost: unknown) => {
    if (!(lost instanceof ExpectationFailed)) throw lost;
  });
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof HubBusy) return error.message;
  if (hasCode(error, 'EFBIG')) return 'A file is too large for the file system.';
  return knownError(error)?.message;
}

async function handlePlan(ports: DownloadPorts, dataset: Dataset, deadline: number): Promise<void> {
  const { records } = ports;
  const [plan, watch] = await Promise.all([
    plans.get(records, { datasetId: dataset.id }),
    watches.get(records, { datasetId: dataset.id }),
  ]);
  const sent = plan?.sentGeneration === dataset.generation;
  if (sent && watch !== undefined && isAlive(watch, ports.clock.now())) return; // all parts are in progress
  await begin(ports, dataset);
  const check = async () => {
    await requireRunning(ports, dataset);
    await watchOn(ports, dataset.id);
  };
  await withPieceWork(ports, dataset, { name: 'plan', check, deadline }, planDownload);
}

/**
 * Returns whether a worker has been active since the scheduler tick last found none. The tick's own record of
 * its next check doesn't count.
 */
function isAlive({ until, silences }: Watch, now: number): boolean {
  return silences === 0 && until > now;
}

/** Changes pending to downloading, once per generation. */
async function begin(ports: DownloadPorts, { id, generation, status }: Dataset): Promise<void> {
  if (status !== 'pending') return;
  const set = { status: 'downloading', phase: 'listing' } as const;
  await datasets.update(ports.records, { id }, { set }, { generation, status });
}

async function withPieceWork<Result>(
  ports: DownloadPorts,
  dataset: Dataset,
  { name, check, deadline }: Pick<LeaseClaim, 'name' | 'check'> & { deadline: number },
  work: (piece: PieceWork) => Promise<Result>,
): Promise<Result | undefined> {
  const { id: datasetId, generation, repoType: type, repoId: id, commit } = dataset;
  const source = dataset.source === 'hub_b' ? 'hub_b' : 'hub_a';
  const repo = { type, id, commit: commit ?? '' };
  return withWriteLease(ports, { datasetId, generation, name, check }, async (lease: WriteLease) => {
    try {
      return await work({ ports, dataset, repo, source, lease, deadline });
    } catch (error) {
      lease.signal.throwIfAborted(); // rather than the aborted stream's error
      throw error;
    }
  });
}

async function handlePart(
  ports: DownloadPorts,
  dataset: Dataset,
  number: number,
  deadline: number,
): Promise<void> {
  const { records } = ports;
  const key = { datasetId: dataset.id, part: number };
  if (number === FINISH) return finish(ports, dataset, deadline);
  const part = await parts.get(records, key);
  if (part === undefined) return;
  const progress = trackProgress(ports, dataset);
  const name = String(number);
  let reopened = false;
  const worked = await withPieceWork(
    ports,
    dataset,
    { name, check: progress.check, deadline },
    async (piece) => {
      // Read under the lease, because another worker may have continued.
      const open = await works.get(records, key);
      if (open === undefined) return true;
      progress.begin(open);
      await workPart({ piece, work: open, part, progress });
      return true;
    },
  ).catch((error: unknown) => {
    if (!(error instanceof Reopened)) throw error;
    reopened = true;
    return true;
  });
  if (worked !== true) return; // another worker has this piece
  const ready = await nextParts(ports, part, reopened);
  const { id: datasetId, generation } = dataset;
  await sendMessages(
    ports,
    ready.map((next) => ({ kind: 'part', datasetId, generation, part: next })),
  );
}

/**
 * Finishes a download whose parts are all done: from here on, its counters are exact, and its manifest gets
 * the hashes.
 */
async function finish(ports: DownloadPorts, dataset: Dataset, deadline: number): Promise<void> {
  const check = async () => {
    await requireRunning(ports, dataset);
    await watchOn(ports, dataset.id);
  };
  await withPieceWork(ports, dataset, { name: 'finish', check, deadline }, async ({ lease }) => {
    const { totalBytes, totalFiles } = await requireRunning(ports, dataset);
    const counters = { downloadedBytes: totalBytes, downloadedFiles: totalFiles };
    await changeWhile(ports, dataset, {
      ...counters,
      phase: 'verifying',
      bytesPerSecond: null,
      etaSeconds: null,
    });
    const hashes = new Map<string, string>();
    for await (const { files, sha256 } of plannedParts(ports, dataset.id)) {
      for (const [index, { path }] of files.entries()) {
        const hash = sha256?.[index];
        if (hash !== undefined) hashes.set(path, hash);
      }
    }
    lease.signal.throwIfAborted();
    await finishDataset(
      ports,
      { datasetId: dataset.id, generation: dataset.generation },
      (path) => hashes.get(path) ?? null,
      { deadline },
    );
  });
}
