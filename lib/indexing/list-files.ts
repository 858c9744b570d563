import * as z from 'zod';
import { formatOf } from '../formats/all-formats.ts';
import type { RecordPage, Records } from '../ports/records.ts';
import { type PageQuery, pageQuery } from '../records/page.ts';
import { readEach } from '../records/readable.ts';
import {
  type FileState,
  filesPartition,
  type IndexedFile,
  indexedFiles,
  type LeftOut,
  leftOutSchema,
  stateOf,
} from './schema.ts';

export const filesQuery = pageQuery.extend({ state: z.enum(['skipped', 'failed', 'indexed']) });

export const listedFileSchema = z
  .strictObject({
    path: z.string(),
    size: z.number().int().describe('bytes; 0 for a folder'),
    state: filesQuery.shape.state,
    reason: leftOutSchema.optional().describe('why it is not in the index'),
    kind: z
      .string()
      .describe(
        'the format that it is read in; `folder`; or the extension of what no format reads, else `file`',
      ),
  })
  .meta({ id: 'ListedFile' });
export type ListedFile = z.infer<typeof listedFileSchema>;

/** What lies under the index's places of state and name: records of files that were read, and of what the scan left out. */
const leftOutRecord = z.object({
  path: z.string(),
  size: z.number(),
  reason: leftOutSchema.default('broken'),
  folder: z.boolean().default(false),
});

/** A page of the files in one state: those of the index by path, the others by name. It may be shorter than asked for. */
export async function listFiles(
  records: Records,
  workspaceId: string,
  { state, limit, cursor }: PageQuery & { state: FileState },
): Promise<{ items: ListedFile[]; cursor?: string }> {
  if (state === 'indexed') return listIndexed(records, workspaceId, { limit, cursor });
  const query = { partition: filesPartition(workspaceId), byIndex: true, sortPrefix: `${state}#` };
  const page = await records.query({ ...query, limit, cursor });
  return { items: toLeftOut(page, state), cursor: page.cursor };
}

export type LeftOutFile = ListedFile & { reason: LeftOut };

/** Records of files that are not in the index, as they are listed. */
export function toLeftOut({ records }: RecordPage, state: FileState): LeftOutFile[] {
  return readEach('left-out-file', records, ({ value }) => {
    const { folder, ...file } = leftOutRecord.parse(value);
    return { ...file, state, kind: kindOf(file.path, folder) };
  });
}

/** Those that are not are among them by path: a page is read for what it holds, however little that is. */
async function listIndexed(
  records: Records,
  workspaceId: string,
  page: PageQuery,
): Promise<{ items: ListedFile[]; cursor?: string }> {
  const { items, cursor } = await indexedFiles.list(records, {
    partition: filesPartition(workspaceId),
    ...page,
  });
  const indexed = items.filter((file) => stateOf(file) === 'indexed');
  return { items: indexed.map(toListed), cursor };
}

function toListed({ path, size }: IndexedFile): ListedFile {
  return { path, size, state: 'indexed', kind: kindOf(path) };
}

function kindOf(path: string, folder = false): string {
  if (folder) return 'folder';
  const name = path.slice(path.lastIndexOf('/') + 1);
  const extension = /[^.]\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  return formatOf(path)?.name ?? extension ?? 'file';
}

/** In words: what a reader is told of a file that is not in the index. */
export const WHY_LEFT_OUT: Record<LeftOut, string> = {
  kind: 'files of this kind are not read',
  size: 'it is too large',
  encrypted: 'it is protected by a password',
  no_text: 'it holds no text that can be read',
  ignored: 'its name, or an ignore file, leaves it out',
  broken: 'it could not be read',
};
