import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { statAll } from '../../paths/stat-all.ts';
import type { Records } from '../../ports/records.ts';
import { sendWhenSpace } from '../../queue/send-when-space.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { type TouchPorts, touchGroups } from '../enqueue.ts';
import { knownBelow } from '../scan/known-below.ts';
import { isUntouched, RACY_MS } from '../scan/scan.ts';
import {
  filesPartition,
  type IndexedFile,
  indexedFiles,
  isRecordable,
  readKnownFiles,
  skippedFiles,
  skippedPartition,
} from '../schema.ts';
import { markWaiting, waitingFiles } from '../waiting-files.ts';

/** Maximum paths per message. The number is even, because a moved file has two. */
const PATHS_AT_ONCE = 100;

interface Changed {
  path: string;
  stats: Stats | undefined;
  known: IndexedFile | undefined;
}

/**
 * Sends a *touch* for a workspace's changed paths, except those that the service wrote itself and that are
 * indexed, or being indexed.
 */
export async function reportChanges(
  ports: TouchPorts,
  workspace: Pick<Workspace, 'id' | 'rootPath'>,
  { paths, since }: { paths: string[]; since: number },
): Promise<void> {
  const news = await withoutKnown(ports.records, workspace, paths.filter(isRecordable));
  if (news.length === 0) return;
  const ordered = besideOrigins(news);
  const groups: string[][] = [];
  for (let start = 0; start < ordered.length; start += PATHS_AT_ONCE)
    groups.push(ordered.slice(start, start + PATHS_AT_ONCE));
  await sendWhenSpace(async () => {
    await markWaiting(ports, workspace.id, ordered, { since });
    await touchGroups(ports.touchQueue, workspace.id, groups);
  });
}

async function withoutKnown(
  records: Records,
  { id, rootPath }: Pick<Workspace, 'id' | 'rootPath'>,
  paths: string[],
): Promise<Changed[]> {
  const ids = paths.map((path) => ({ workspaceId: id, path }));
  const [stats, known, asked, skipped] = await Promise.all([
    statAll(paths.map((path) => join(rootPath, path))),
    readKnownFiles(records, id, paths),
    waitingFiles.getMany(records, ids),
    skippedFiles.getMany(records, ids),
  ]);
  const askedAt = new Map(asked.map((mark) => [mark.path, mark.askedAt]));
  const skippedSize = new Map(skipped.map(({ path, size }) => [path, size]));
  const changed = paths.map((path, index) => ({ path, stats: stats[index], known: known.get(path) }));
  const news: Changed[] = [];
  for (const each of changed) {
    const { path, stats: own } = each;
    const isKnown =
      own === undefined
        ? each.known === undefined && !skippedSize.has(path) && !(await isKnownFolder(records, id, path))
        : isInIndex(each) || isAskedFor(own, askedAt.get(path)) || isLeftOut(own, skippedSize.get(path));
    if (!isKnown) news.push(each);
  }
  return news;
}

function isInIndex({ stats, known }: Changed): boolean {
  return stats?.isFile() === true && known !== undefined && isUntouched(stats, known);
}

/** The service requested the reading after its own change, so the file's current state is read anyway. */
function isAskedFor(stats: Stats, askedAt: number | undefined): boolean {
  return stats.isFile() && askedAt !== undefined && askedAt > stats.ctimeMs + RACY_MS;
}

function isLeftOut(stats: Stats, size: number | undefined): boolean {
  return stats.isFile() && size === stats.size;
}

/** Returns true if the index knows files below a path. */
async function isKnownFolder(records: Records, workspaceId: string, path: string): Promise<boolean> {
  const indexed = { workspaceId, path, partition: filesPartition(workspaceId) };
  for await (const _ of knownBelow(records, indexedFiles, indexed)) return true;
  const skipped = { workspaceId, path, partition: skippedPartition(workspaceId) };
  for await (const _ of knownBelow(records, skippedFiles, skipped)) return true;
  return false;
}

/**
 * A new file comes next to the deleted file of the same size and time, so that its passages are copied within
 * one message.
 */
function besideOrigins(changed: Changed[]): string[] {
  const gone = Map.groupBy(
    changed.filter(({ stats, known }) => stats === undefined && known !== undefined),
    ({ known }) => `${known?.size} ${known?.mtimeMs}`,
  );
  const pairs: string[] = [];
  const others = new Set(changed.map(({ path }) => path));
  for (const { path, stats, known } of changed) {
    if (stats?.isFile() !== true || known !== undefined) continue;
    const origin = gone.get(`${stats.size} ${stats.mtimeMs}`)?.shift();
    if (origin === undefined) continue;
    pairs.push(origin.path, path);
    others.delete(origin.path);
    others.delete(path);
  }
  return [...pairs, ...others];
}
