import { quoteMarkers } from '../../quotations/records/schema.ts';
import { sendIndex } from '../enqueue.ts';
import type { FileResult, QuotesMessage } from '../messages.ts';
import type { CommitPorts } from '../ports.ts';

const PATHS_AT_ONCE = 50;

/**
 * Requests checks of the quotes in files that a commit changed: in quoted files, and in files to which a
 * quoted file may have been moved. Reads one small record per file and version, 100 per request, however many
 * documents there are.
 */
export async function askForChecks(
  { records, touchQueue }: Pick<CommitPorts, 'records' | 'touchQueue'>,
  workspaceId: string,
  results: FileResult[],
): Promise<void> {
  const changed = results.filter(({ outcome }) => outcome !== 'unchanged');
  const paths = [...new Set(changed.map(({ path }) => path))];
  const hashes = [...new Set(changed.flatMap((result) => ('file' in result ? result.file.hash : [])))];
  const marks = await quoteMarkers.getMany(records, [
    ...paths.map((value) => ({ workspaceId, of: 'path' as const, value })),
    ...hashes.filter((hash) => hash !== '').map((value) => ({ workspaceId, of: 'hash' as const, value })),
  ]);
  await sendChecks(touchQueue, workspaceId, [
    ...new Set(marks.flatMap((mark) => (mark.of === 'path' ? mark.value : mark.paths))),
  ]);
}

/** Sends the paths whose quotes must be checked. */
export async function sendChecks(
  touchQueue: CommitPorts['touchQueue'],
  workspaceId: string,
  paths: string[],
): Promise<void> {
  const messages: QuotesMessage[] = [];
  for (let start = 0; start < paths.length; start += PATHS_AT_ONCE)
    messages.push({
      kind: 'quotes',
      workspaceId,
      paths: paths.slice(start, start + PATHS_AT_ONCE),
      tries: 0,
    });
  await sendIndex(touchQueue, workspaceId, messages);
}
