import * as z from 'zod';
import { entryPath } from '../../paths/path-schema.ts';
import { timestampSchema } from '../../ports/clock.ts';
import { collection } from '../../records/collection.ts';

const changedFileSchema = z
  .strictObject({
    path: z.string().describe('Path relative to the workspace.'),
    type: z.enum(['file', 'directory', 'link']).describe('Type of the entry.'),
    change: z.enum(['created', 'changed', 'deleted', 'moved']).describe('Change that the run made.'),
    undo: z
      .enum(['possible', 'conflict', 'done', 'not_kept'])
      .describe(
        'What an undo would do. `conflict`: the path was changed after the run, and only `force` overwrites it. `not_kept`: its earlier contents cannot be put back. They were too large or unreadable, newer runs needed their space, or their copy is missing or damaged.',
      ),
    from: z.string().optional().describe('Former path, if the file was moved.'),
  })
  .meta({ id: 'ChangedFile' });
export type ChangedFile = z.infer<typeof changedFileSchema>;

export const runChangesSchema = z
  .strictObject({
    files: z.array(changedFileSchema).describe('Changed paths, sorted. At most 5,000.'),
    counts: z
      .strictObject({
        created: z.int().describe('Number of created files and links.'),
        changed: z.int().describe('Number of changed files and links.'),
        deleted: z.int().describe('Number of deleted files and links.'),
        moved: z.int().describe('Number of moved files.'),
      })
      .describe('Number of changes of each kind, without directories.'),
    complete: z
      .boolean()
      .describe(
        'Whether all changes of the run are known. False if there were too many, or the disk was full.',
      ),
    keptUntil: timestampSchema
      .nullable()
      .describe('Time until which the run can be undone. Null if nothing is kept.'),
    undoneAt: timestampSchema.nullable().describe('Time of the latest undo. Null if nothing was undone.'),
  })
  .meta({ id: 'RunChanges' });

export const undoBody = z.strictObject({
  paths: z.array(entryPath).min(1).max(5000).optional().describe('Changed paths to undo. Defaults to all.'),
  force: z.boolean().default(false).describe('Whether to overwrite paths that were changed after the run.'),
});
export type UndoBody = z.infer<typeof undoBody>;

/**
 * A folder of copies: those of a run, or of a workspace before its latest command. The scheduler reads the
 * folders that are due each minute.
 */
const keptFolderSchema = z.object({
  workspaceId: z.string(),
  /** A run's ID, or `workspace`. */
  name: z.string(),
  until: timestampSchema,
});

export const UNDO_DUE = 'AGENT_UNDO_DUE';
export const keptFolders = collection({
  kind: 'agent-undo',
  schema: keptFolderSchema,
  key: ({ workspaceId, name }: { workspaceId: string; name: string }) => ({
    partition: keptPartition(workspaceId),
    sort: name,
  }),
  index: ({ workspaceId, name, until }) => ({
    partition: UNDO_DUE,
    sort: `${until}#${workspaceId}#${name}`,
  }),
});

export function keptPartition(workspaceId: string): string {
  return `AGENT_UNDO#${workspaceId}`;
}
