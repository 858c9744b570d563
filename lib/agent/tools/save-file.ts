import { requireWritable } from '../../datasets/links/mounts.ts';
import type { WrittenFile } from '../../files/schema.ts';
import { confineFile, touchedPaths } from '../../files/write.ts';
import { writeText } from '../../files/write-text.ts';
import { filesChangedIn } from '../../indexing/enqueue.ts';
import { systemClock } from '../../ports/clock.ts';
import type { Queue } from '../../ports/queue.ts';
import { shownPath } from './path.ts';
import type { ToolContext } from './tool.ts';

/** Writes a file of the workspace like the files API, and notifies the index. */
export async function saveFile(
  touchQueue: Queue,
  context: ToolContext,
  path: string,
  text: string,
  expectedHash?: string,
): Promise<Pick<WrittenFile, 'path' | 'size' | 'hash'>> {
  const { id, rootPath } = context.workspace;
  await requireWritable(context.records, context.workspace.id, path);
  const write = () => writeText(rootPath, path, text, expectedHash);
  const written = await (context.keeper?.change(await realPathOf(rootPath, path), write) ?? write());
  const changed = filesChangedIn({ records: context.records, queue: touchQueue, clock: systemClock });
  await changed(id, await touchedPaths(rootPath, written.path));
  return { path: shownPath(context, written.path), size: written.size, hash: written.hash };
}

/** Returns the path that a write reaches if `path` leads through a link. */
async function realPathOf(root: string, path: string): Promise<string> {
  return (await confineFile(root, path)).slice(root.length + 1);
}
