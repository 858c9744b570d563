import { stat } from 'node:fs/promises';
import { newId } from '../identifiers.ts';
import type { IndexMessage, SeenFile } from './messages.ts';
import type { IndexPorts } from './ports.ts';
import { sendCommit } from './requests.ts';
import { filesPartition, type IndexedFile, indexedFiles, isRunning, syncs } from './schema.ts';
import { spaceOf } from './space.ts';
import { failSync } from './sync.ts';
import { type WalkedFile, walk } from './walk.ts';

/** What goes into one message: enough to fill the embedder's batches, little enough to spread and to repeat. */
const FILES_AT_ONCE = 128;
const BYTES_AT_ONCE = 4 * 1024 * 1024;
const REMOVALS_AT_ONCE = 1000;
/** How many indexed files of the same size a new file is compared with. */
const MAX_TWINS = 3;
/** A file changed so shortly before it was read may have changed again within the clock's grain. */
const RACY_MS = 20;

type FilesMessage = Extract<IndexMessage, { kind: 'files' }>;

/** Compares the workspace's files with what is indexed and sends what differs to be read, largest first. */
export async function scanWorkspace(
  ports: IndexPorts,
  { id: workspaceId, rootPath }: { id: string; rootPath: string },
  syncId: string,
): Promise<void> {
  const sync = await syncs.get(ports.records, { workspaceId });
  if (sync?.syncId !== syncId || !isRunning(sync.status)) return;
  if (!(await isFolder(rootPath)))
    return failSync(ports, sync, 'the directory of the workspace is not there');
  const [walked, known] = await Promise.all([walk(rootPath), readKnown(ports, workspaceId)]);
  const plan = planWork(walked, known, spaceOf(ports.embedder));
  const planId = newId();
  const messages = toMessages(workspaceId, { syncId, planId }, plan);
  const unchanged = walked.length - plan.seen.length;
  const total = walked.length + plan.removed.length;
  await sendCommit(ports.commitQueue, {
    kind: 'plan',
    workspaceId,
    syncId,
    planId,
    batches: messages.length,
    total,
    unchanged,
  });
  await ports.indexQueue.send(messages.map((body) => ({ body })));
}

/** A root that went missing must not look like a workspace whose files were all removed. */
async function isFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isDirectory() ?? false;
}

async function readKnown({ records }: IndexPorts, workspaceId: string): Promise<Map<string, IndexedFile>> {
  const known = new Map<string, IndexedFile>();
  const all = indexedFiles.all(records, { partition: filesPartition(workspaceId), limit: 1000 });
  for await (const file of all) known.set(file.path, file);
  return known;
}

interface Plan {
  seen: (WalkedFile & SeenFile)[];
  removed: string[];
}

function planWork(walked: WalkedFile[], known: Map<string, IndexedFile>, space: string): Plan {
  const paths = new Set(walked.map(({ path }) => path));
  const bySize = Map.groupBy(known.values(), ({ size }) => size);
  const seen = walked
    .filter((file) => !isCurrent(file, known.get(file.path), space))
    .map((file) => ({ ...file, twins: twinsOf(file, bySize) }))
    .sort((a, b) => b.size - a.size);
  return { seen, removed: [...known.keys()].filter((path) => !paths.has(path)) };
}

/** A stat tells: nothing of it changed since it was read well, into this space. */
function isCurrent(file: WalkedFile, known: IndexedFile | undefined, space: string): boolean {
  if (known === undefined || known.error !== undefined || !known.embedded || known.space !== space)
    return false;
  if (known.mtimeMs >= known.readAt - RACY_MS) return false;
  return file.size === known.size && file.mtimeMs === known.mtimeMs && file.ctimeMs === known.ctimeMs;
}

function twinsOf({ path, size }: WalkedFile, bySize: Map<number, IndexedFile[]>): string[] {
  const candidates = (bySize.get(size) ?? []).filter((file) => file.path !== path && file.hash !== '');
  return candidates.slice(0, MAX_TWINS).map((file) => file.path);
}

/** A removed file that a new one may be a copy of is removed by the same message, after it. */
function toMessages(
  workspaceId: string,
  plan: { syncId: string; planId: string },
  { seen, removed }: Plan,
): FilesMessage[] {
  const left = new Set(removed);
  const groups: { files: SeenFile[]; removed: string[] }[] = batchesOf(seen).map((batch) => {
    const twins = [...new Set(batch.flatMap((file) => file.twins))].filter((path) => left.delete(path));
    return { files: batch.map(({ path, twins: of }) => ({ path, twins: of })), removed: twins };
  });
  const rest = [...left];
  for (let start = 0; start < rest.length; start += REMOVALS_AT_ONCE) {
    groups.push({ files: [], removed: rest.slice(start, start + REMOVALS_AT_ONCE) });
  }
  return groups.map((group, index) => ({
    kind: 'files',
    workspaceId,
    batch: { ...plan, number: String(index) },
    ...group,
  }));
}

function batchesOf(files: (WalkedFile & SeenFile)[]): (WalkedFile & SeenFile)[][] {
  const batches: (WalkedFile & SeenFile)[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const file of files) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= FILES_AT_ONCE || bytes + file.size > BYTES_AT_ONCE) {
      batches.push([file]);
      bytes = file.size;
    } else {
      last.push(file);
      bytes += file.size;
    }
  }
  return batches;
}
