import * as z from 'zod';
import { withoutClosed } from '../datasets/links/mounts.ts';
import { formatOf } from '../formats/all-formats.ts';
import type { RecordPage, Records } from '../ports/records.ts';
import { type PageQuery, pageQuery } from '../records/page.ts';
import { readEach } from '../records/readable.ts';
import { pendingRecognitions } from './recognize/schema.ts';
import {
  filesPartition,
  type IndexedFile,
  indexedFileSchema,
  indexedFiles,
  type LeftOut,
  leftOutSchema,
  type StoredState,
  stateOf,
} from './schema.ts';

export const filesQuery = pageQuery.extend({
  state: z
    .enum(['skipped', 'failed', 'indexed', 'partial'])
    .meta({ title: 'FileState' })
    .describe(
      'State of the files to list. `indexed` has every file that can be found; `partial` has those of them of which something was not read.',
    ),
});

export const listedFileSchema = z
  .strictObject({
    path: z.string(),
    size: z.number().int().describe('Size in bytes. 0 for a folder.'),
    state: filesQuery.shape.state,
    reason: leftOutSchema.optional().describe("Reason why the file isn't in the index."),
    found: z
      .string()
      .optional()
      .describe(
        'Actual content of a file that does not match its name: `empty`, `incomplete`, or a format such as `HTML`.',
      ),
    kind: z
      .string()
      .describe(
        'Format of the file, or `folder`. For an unsupported file, its extension, or `file` if it has none.',
      ),
    title: z.string().optional().describe('First heading of an indexed file.'),
    left: z
      .array(
        z
          .strictObject({
            kind: z.string().describe('Stable name of a kind of content, such as `charts` or `macros`.'),
            count: z.number().int().describe('Number of them in the file.'),
          })
          .meta({ title: 'LeftContent' }),
      )
      .optional()
      .describe('Contents of the file that were not read. Absent if none are known.'),
    encoding: z
      .strictObject({
        name: z.string().describe('Name of the encoding, as in the WHATWG standard.'),
        certain: z.boolean().describe('False if the encoding was guessed and may be another.'),
      })
      .optional()
      .describe("Encoding of the file's text. Absent for UTF-8."),
    recognition: z
      .strictObject({
        pages: z.number().int().describe('Number of pages that need OCR.'),
        pagesRead: z.number().int().describe('Number of pages that OCR has read.'),
        waiting: z.boolean().describe('Whether pages still wait for OCR.'),
      })
      .optional()
      .describe(
        'OCR progress of the pages without text. Pages of a very long file beyond the limit are left out.',
      ),
  })
  .meta({ id: 'ListedFile' });
export type ListedFile = z.infer<typeof listedFileSchema>;

/** The index records of read and skipped files, by state and name. */
const leftOutRecord = z.object({
  path: z.string(),
  size: z.number(),
  reason: leftOutSchema.default('broken'),
  found: z.string().optional(),
  recognition: indexedFileSchema.shape.recognition,
  folder: z.boolean().default(false),
});

/** Returns a page of the files in one state: indexed ones by path, others by name. It may be shorter than requested. */
export async function listFiles(
  records: Records,
  workspaceId: string,
  { state, limit, cursor }: PageQuery & { state: ListedFile['state'] },
): Promise<{ items: ListedFile[]; cursor?: string }> {
  if (state === 'indexed') return listIndexed(records, workspaceId, { limit, cursor });
  if (state === 'partial') return listPartial(records, workspaceId, { limit, cursor });
  const query = { partition: filesPartition(workspaceId), byIndex: true, sortPrefix: `${state}#` };
  const page = await records.query({ ...query, limit, cursor });
  const items = await withoutClosed(records, workspaceId, toLeftOut(page, state));
  return { items: await withProgress(records, workspaceId, items), cursor: page.cursor };
}

export type LeftOutFile = ListedFile & { reason: LeftOut };

/** Returns records of files that aren't in the index, as listed. */
export function toLeftOut({ records }: RecordPage, state: StoredState): LeftOutFile[] {
  return readEach('left-out-file', records, ({ value }) => {
    const { folder, recognition, ...file } = leftOutRecord.parse(value);
    return { ...file, ...describeRecognition(recognition), state, kind: kindOf(file.path, folder) };
  });
}

/**
 * In the order of paths, other files come between indexed ones, so a page has the matching files, however
 * few.
 */
async function listIndexed(
  records: Records,
  workspaceId: string,
  page: PageQuery,
): Promise<{ items: ListedFile[]; cursor?: string }> {
  const { items, cursor } = await indexedFiles.list(records, {
    partition: filesPartition(workspaceId),
    ...page,
  });
  const open = await withoutClosed(records, workspaceId, items);
  const indexed = open.filter((file) => stateOf(file) === 'indexed');
  return { items: await withProgress(records, workspaceId, indexed.map(toListed)), cursor };
}

/** The maximum number of queries for one page, because partly read files are few and far apart. */
const MAX_QUERIES = 20;

/** Returns a page of the indexed files that were only partly read. */
async function listPartial(
  records: Records,
  workspaceId: string,
  { limit, cursor }: PageQuery,
): Promise<{ items: ListedFile[]; cursor?: string }> {
  const items: ListedFile[] = [];
  let next = cursor;
  for (let query = 0; query < MAX_QUERIES; query++) {
    const page = await listIndexed(records, workspaceId, { limit: limit - items.length, cursor: next });
    items.push(
      ...page.items.filter(({ left }) => left).map((file) => ({ ...file, state: 'partial' as const })),
    );
    next = page.cursor;
    if (next === undefined || items.length === limit) break;
  }
  return { items, ...(next !== undefined && { cursor: next }) };
}

function toListed({ path, size, recognition, title, left, encoding }: IndexedFile): ListedFile {
  const known = {
    ...(title !== undefined && { title }),
    ...(left && { left }),
    ...(encoding && { encoding }),
  };
  return { path, size, ...describeRecognition(recognition), ...known, state: 'indexed', kind: kindOf(path) };
}

function describeRecognition(recognition: IndexedFile['recognition']): Pick<ListedFile, 'recognition'> {
  if (recognition === undefined || recognition.pages === 0) return {};
  const { pages, left, done } = recognition;
  return { recognition: { pages, pagesRead: done ? pages - left : 0, waiting: !done } };
}

/** Waiting files show their progress. */
async function withProgress<File extends ListedFile>(
  records: Records,
  workspaceId: string,
  files: File[],
): Promise<File[]> {
  const waiting = files.filter(({ recognition }) => recognition?.waiting);
  if (waiting.length === 0) return files;
  const ids = waiting.map(({ path }) => ({ workspaceId, path }));
  const pending = await pendingRecognitions.getMany(records, ids);
  const read = new Map(pending.map(({ path, pagesRead }) => [path, pagesRead]));
  return files.map((file) =>
    file.recognition?.waiting
      ? { ...file, recognition: { ...file.recognition, pagesRead: read.get(file.path) ?? 0 } }
      : file,
  );
}

function kindOf(path: string, folder = false): string {
  if (folder) return 'folder';
  const name = path.slice(path.lastIndexOf('/') + 1);
  const extension = /[^.]\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  return formatOf(path)?.name ?? extension ?? 'file';
}

/** Returns the reason why a file isn't in the index, for readers and models. */
export function whyLeftOut({ reason, found }: Pick<LeftOutFile, 'reason' | 'found'>): string {
  if (found === undefined) return WHY_LEFT_OUT[reason];
  return ['empty', 'incomplete'].includes(found)
    ? `it is ${found}`
    : `it is ${found}, not what its name says`;
}

const WHY_LEFT_OUT: Record<LeftOut, string> = {
  kind: 'this file format is not supported',
  size: 'it is too large',
  encrypted: 'it is protected by a password',
  no_text: 'it contains no readable text',
  ignored: 'its name or an ignore file excludes it',
  broken: "it can't be read",
  link: 'it is a link, whose target is indexed in its own place',
  link_outside: 'it is a link to a place outside the workspace',
  link_broken: 'it is a link that leads nowhere',
  special: 'it is no regular file',
  name: 'its name is not UTF-8, or has a backslash or a control character',
  depth: 'it is in too many folders',
  unreadable: 'the service may not read it',
  lfs_pointer: 'it is a Git LFS pointer, and its content was not fetched',
  submodule: 'it is a git submodule that was not fetched',
  bibliography: 'it is a bibliography, whose entries describe other files',
};
