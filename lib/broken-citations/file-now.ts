import { readingFormat } from '../formats/all-formats.ts';
import { filesPartition, indexedFiles } from '../indexing/schema.ts';
import type { Records } from '../ports/records.ts';
import { type QuotableFile, readQuotable, type SourcePorts } from '../retrieval/cite/sources.ts';
import type { Workspace } from '../workspaces/schema.ts';

/**
 * A quoted file as it is now. `unknown`: it was changed and isn't indexed yet, or can't be read at the moment. Its commit has the
 * quotes checked again.
 */
export type FileNow =
  | { state: 'gone' }
  | { state: 'unknown' }
  | { state: 'unreadable' }
  | { state: 'read'; source: QuotableFile };

export async function readFileNow(ports: SourcePorts, workspace: Workspace, path: string): Promise<FileNow> {
  const known = await indexedFiles.get(ports.records, { workspaceId: workspace.id, path });
  const source = await readQuotable(ports, workspace, path);
  if (source === undefined && known === undefined) return { state: 'gone' };
  const isRead = source !== undefined && source.text !== '';
  if (isRead && (isItsText(path) || source.hash === known?.hash)) return { state: 'read', source };
  const isReadable = known === undefined || known.reason === undefined;
  return { state: isReadable ? 'unknown' : 'unreadable' };
}

/** Whether the text is in the file itself. Others have the text that was extracted when they were indexed. */
function isItsText(path: string): boolean {
  return readingFormat(path).content !== 'encoded';
}

/** Files with the same bytes that are read, and those that are returned. */
const MAX_SAME = 100;
const COPIES = 5;

/**
 * Returns the paths of files with exactly these bytes that were read in a time, the one with the same name first: the file was
 * moved there. A copy that the index had before is another file, and so is one that appears long afterwards.
 */
export async function findCopies(
  records: Records,
  workspaceId: string,
  { path, hash, since, until }: { path: string; hash: string; since: number; until: number },
): Promise<string[]> {
  const query = { partition: filesPartition(workspaceId), byIndex: true, sortPrefix: `${hash}#` };
  const { items } = await indexedFiles.list(records, { ...query, limit: MAX_SAME });
  const inTime = items.filter(({ readAt }) => readAt >= since && readAt <= until);
  const others = inTime.filter((item) => item.path !== path).map((item) => item.path);
  const isNamesake = (other: string) => nameOf(other) === nameOf(path);
  return [...others.filter(isNamesake), ...others.filter((other) => !isNamesake(other))].slice(0, COPIES);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
