import { mkdir, statfs } from 'node:fs/promises';
import { ServiceError, UpstreamFailed } from '../../errors.ts';
import type { HubFile } from '../../ports/hub.ts';
import { MAX_FILES } from '../manifest/walk-files.ts';
import { type Dataset, datasetPartition, datasets } from '../schema.ts';
import { sendMessages } from '../steps/send-messages.ts';
import { askHub } from './ask-hub.ts';
import { nameChecker } from './check-names.ts';
import { type PieceWork, throwIfStopped } from './fetch-file.ts';
import { pathFilter } from './fnmatch.ts';
import { nearMisses } from './near-misses.ts';
import type { DownloadPorts } from './ports.ts';
import { changeWhile } from './progress.ts';
import {
  type DownloadPart,
  type DownloadPlan,
  FINISH,
  PART_PREFIX,
  parts,
  plans,
  WORK_PREFIX,
  type Work,
  works,
} from './records.ts';
import { newWork, partSplitter, weightOf } from './split.ts';

/** Bytes of the disk to keep free, because a full disk stops more than this download. */
const SPARE_BYTES = 64 * 1024 * 1024;
const SEND_AT_ONCE = 500;

/** Lists the repository at one commit, unless that was already done, and sends out all unfinished parts. */
export async function planDownload(piece: PieceWork): Promise<void> {
  const { ports, dataset } = piece;
  const plan = await completePlan(piece);
  await changeWhile(ports, dataset, {
    ...(await countDone(ports, dataset)),
    phase: 'downloading',
    commit: plan.commit,
    totalBytes: plan.totalBytes,
    totalFiles: plan.totalFiles,
  });
  await checkSpace(piece, plan);
  await sendWorks(ports, dataset);
  await plans.update(ports.records, plan, { set: { sentGeneration: dataset.generation } });
}

async function completePlan(piece: PieceWork): Promise<DownloadPlan> {
  const { ports, dataset } = piece;
  const plan = (await plans.get(ports.records, { datasetId: dataset.id })) ?? (await beginPlan(piece));
  return plan.complete ? plan : listAll(piece, plan);
}

async function beginPlan(piece: PieceWork): Promise<DownloadPlan> {
  const { ports, dataset, source, lease } = piece;
  const { repoType: type, repoId: id, revision } = dataset;
  const repo = { type, id, revision: revision ?? 'main' };
  const commit = await askHub(ports, source, lease.signal, () =>
    ports.hubs[source].pin(repo, { signal: lease.signal }),
  );
  const plan: DownloadPlan = {
    datasetId: dataset.id,
    complete: false,
    commit,
    sentGeneration: 0,
    cursor: null,
    nextPart: 0,
    totalBytes: 0,
    totalFiles: 0,
  };
  await plans.put(ports.records, plan);
  return plan;
}

/** Lists page by page and stores the cursor after each page, because a long list may take several calls. */
async function listAll(piece: PieceWork, begun: DownloadPlan): Promise<DownloadPlan> {
  const { ports, dataset } = piece;
  const wanted = pathFilter(dataset.allowPatterns, dataset.ignorePatterns);
  const checkName = nameChecker();
  const near = nearMisses(dataset.allowPatterns);
  let plan = begun;
  await checkKnown(ports, plan, checkName);
  for (;;) {
    throwIfStopped(piece);
    const page = await readPage(piece, plan);
    const files = page.files.filter(({ path }) => wanted(path));
    for (const { path } of files) checkName(path);
    if (plan.totalFiles + files.length === 0) near.see(page.files, page.cursor === undefined);
    plan = await notePage(piece, plan, files, page.cursor);
    requireFew(plan);
    if (plan.complete) return plan;
  }
}

function requireFew({ totalFiles }: DownloadPlan): void {
  if (totalFiles > MAX_FILES)
    throw new UpstreamFailed(
      'dataset_repository_unusable',
      `The repository has more than ${MAX_FILES} files. Narrow it down with allowPatterns.`,
    );
}

/** Checks the names of the pages that an earlier call has recorded. */
async function checkKnown(
  ports: DownloadPorts,
  plan: DownloadPlan,
  checkName: (path: string) => void,
): Promise<void> {
  for await (const { part, kind, files } of plannedParts(ports, plan.datasetId)) {
    if (part >= plan.nextPart || kind === 'range') continue;
    for (const { path } of files) checkName(path);
  }
}

async function readPage(piece: PieceWork, plan: DownloadPlan) {
  const { ports, dataset, source, lease } = piece;
  const repo = { type: dataset.repoType, id: dataset.repoId, commit: plan.commit };
  const options = { signal: lease.signal, cursor: plan.cursor ?? undefined };
  return askHub(ports, source, lease.signal, async () => {
    for await (const page of ports.hubs[source].listFiles(repo, options)) return page;
    return { files: [], cursor: undefined };
  });
}

/** Records a page of the list of files. Recording the same page again writes the same parts. */
async function notePage(
  piece: PieceWork,
  plan: DownloadPlan,
  files: HubFile[],
  cursor: string | undefined,
): Promise<DownloadPlan> {
  const { ports, dataset } = piece;
  const splitter = partSplitter(dataset.id, plan.nextPart);
  const made = [...files.flatMap((file) => splitter.add(file)), ...splitter.flush()];
  await piece.lease.mayWrite();
  await parts.putMany(ports.records, made);
  const todo = made.map(newWork);
  const complete = cursor === undefined;
  if (complete) {
    const group: [number, number] = [FINISH, FINISH];
    todo.push(newWork({ datasetId: dataset.id, part: FINISH, kind: 'finish', group }));
  }
  await works.putMany(ports.records, todo);
  const next = {
    ...plan,
    complete,
    cursor: cursor ?? null,
    nextPart: splitter.next(),
    totalBytes: plan.totalBytes + files.reduce((sum, { size }) => sum + size, 0),
    totalFiles: plan.totalFiles + files.length,
  };
  await plans.put(ports.records, next);
  return next;
}

export function plannedParts(
  { records }: Pick<DownloadPorts, 'records'>,
  datasetId: string,
): AsyncGenerator<DownloadPart> {
  return parts.all(records, { partition: datasetPartition(datasetId), sortPrefix: PART_PREFIX });
}

function openWorks({ records }: Pick<DownloadPorts, 'records'>, datasetId: string): AsyncGenerator<Work> {
  return works.all(records, { partition: datasetPartition(datasetId), sortPrefix: WORK_PREFIX });
}

/** Counts the bytes on disk. Never returns fewer than it has reported before. */
async function countDone(ports: DownloadPorts, { id }: Dataset) {
  const open = new Map<number, Work>();
  for await (const work of openWorks(ports, id)) open.set(work.part, work);
  let [downloadedBytes, downloadedFiles] = [0, 0];
  for await (const part of plannedParts(ports, id)) {
    const work = open.get(part.part);
    const weight = weightOf(part);
    downloadedBytes += work?.countedBytes ?? weight.bytes;
    downloadedFiles += work?.countedFiles ?? weight.files;
  }
  const known = await datasets.get(ports.records, { id });
  downloadedBytes = Math.max(downloadedBytes, known?.downloadedBytes ?? 0);
  downloadedFiles = Math.max(downloadedFiles, known?.downloadedFiles ?? 0);
  return { downloadedBytes, downloadedFiles, sampledAt: ports.clock.now(), sampledBytes: downloadedBytes };
}

async function checkSpace({ ports, dataset }: PieceWork, { totalBytes }: DownloadPlan): Promise<void> {
  await mkdir(dataset.localPath, { recursive: true });
  const { bavail, bsize } = await statfs(dataset.localPath);
  const missing = totalBytes - ((await datasets.get(ports.records, dataset))?.downloadedBytes ?? 0);
  if (bavail * bsize >= missing + SPARE_BYTES) return;
  throw new ServiceError(
    'disk_full',
    `The disk has too little space: ${missing} bytes are still to download. Free some space, then retry.`,
  );
}

/**
 * Sends all parts at once, except those that wait for others. Those are sent when the last part that they
 * wait for is done.
 */
async function sendWorks(ports: DownloadPorts, { id, generation }: Dataset): Promise<void> {
  let ready: number[] = [];
  let [any, openGroup] = [false, -1];
  const flush = async () => {
    await sendMessages(
      ports,
      ready.map((part) => ({ kind: 'part', datasetId: id, generation, part })),
    );
    ready = [];
  };
  for await (const { part, kind, group } of openWorks(ports, id)) {
    const waits = (kind === 'join' && openGroup === group[0]) || (kind === 'finish' && any);
    if (!waits) ready.push(part);
    if (kind === 'range') openGroup = group[0];
    any = true;
    if (ready.length >= SEND_AT_ONCE) await flush();
  }
  await flush();
}

export function failedDownload(error: string): Partial<Dataset> {
  return { status: 'failed', error, bytesPerSecond: null, etaSeconds: null };
}
