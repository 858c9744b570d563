import type { Caller } from '../access/caller.ts';
import { type NewActivity, recordActivity } from '../activity/record.ts';
import { requireWritable } from '../datasets/links/mounts.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { FilesChanged } from '../workspaces/callbacks.ts';
import type { Workspace } from '../workspaces/schema.ts';
import type { WrittenFile } from './schema.ts';
import { touchedPaths } from './write.ts';
import { writeText } from './write-text.ts';

export interface WritePorts extends TimedRecords {
  /** Notifies the index of these paths. */
  filesChanged: FilesChanged;
}

/** Creates or replaces a text file for a person. Throws the errors of writeText, and Conflict in a linked dataset. */
export async function writeFileFor(
  ports: WritePorts,
  caller: Caller,
  { id, rootPath }: Pick<Workspace, 'id' | 'rootPath'>,
  file: { path: string; content: string; expectedHash?: string | null | undefined },
): Promise<WrittenFile> {
  await requireWritable(ports.records, id, file.path);
  const written = await writeText(rootPath, file.path, file.content, file.expectedHash);
  const { path, size } = written;
  await tellChange(ports, caller, id, await touchedPaths(rootPath, path), {
    kind: 'file_written',
    summary: `Wrote ${path}`,
    details: { path, size },
  });
  return written;
}

/** Notifies the index of changed paths and records the change, concurrently. */
export async function tellChange(
  ports: WritePorts,
  caller: Caller,
  workspaceId: string,
  touched: string[],
  activity: Pick<NewActivity, 'kind' | 'summary' | 'details'>,
): Promise<void> {
  await Promise.all([
    ports.filesChanged(workspaceId, touched),
    recordActivity(ports, { workspaceId, actor: caller.id, ...activity }),
  ]);
}
