import { describedAt, describedFiles } from '../documents/described-files.ts';
import type { FactSources } from '../documents/fact-sources.ts';
import {
  bibliographyPaths,
  type DocumentReference,
  documentReferences,
  keepBibliographies,
} from '../documents/references.ts';
import type { DescribedFile } from '../documents/schema.ts';
import type { Records } from '../ports/records.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { entryId } from './list-entries.ts';
import { type FindReference, type Reference, referenceFinder } from './match-entry.ts';
import { readLibrary } from './workspace-library.ts';

/** The maximum number of files that a changed bibliography is compared with. */
const MAX_COMPARED = 50_000;
const MAX_AUTHORS = 100;

/** Files that a commit has indexed or removed. */
interface ChangedFiles {
  bibliographies: string[];
  others: string[];
  removed: string[];
}

/**
 * Links documents to the entries of the workspace's bibliographies: the changed files, or all of them if a bibliography
 * changed. Idempotent. Without a bibliography, it only lists them.
 */
export async function linkDocuments(
  records: Records,
  workspace: FactSources & Pick<Workspace, 'rootPath'>,
  { bibliographies, others, removed }: ChangedFiles,
): Promise<void> {
  const { id } = workspace;
  const before = new Set(await bibliographyPaths(records, id));
  const ended = [...removed, ...others].filter((path) => before.has(path));
  if (before.size === 0 && bibliographies.length === 0) return;
  await keepBibliographies(records, workspace, { added: bibliographies, removed: ended });
  const find = await referenceFinder(await readLibrary(records, workspace));
  await unlink(records, id, removed);
  if (bibliographies.length + ended.length === 0)
    return link(records, id, await describedAt(records, id, others), find);
  let left = MAX_COMPARED;
  for await (const files of describedFiles(records, id)) {
    await link(records, id, files, find);
    left -= files.length;
    if (left <= 0) return;
  }
}

/** Stores only links that differ, because most files have no entry. */
async function link(
  records: Records,
  workspaceId: string,
  files: DescribedFile[],
  find: FindReference,
): Promise<void> {
  const ids = files.map(({ path }) => ({ workspaceId, path }));
  const known = new Map((await documentReferences.getMany(records, ids)).map((one) => [one.path, one]));
  const found = files.flatMap((file) => linkOf(workspaceId, file, find) ?? []);
  const linked = new Set(found.map(({ path }) => path));
  const changed = found.filter((one) => JSON.stringify(known.get(one.path)) !== JSON.stringify(one));
  await documentReferences.putMany(records, changed);
  await unlink(
    records,
    workspaceId,
    [...known.keys()].filter((path) => !linked.has(path)),
  );
}

async function unlink(records: Records, workspaceId: string, paths: string[]): Promise<void> {
  await documentReferences.deleteMany(
    records,
    paths.map((path) => ({ workspaceId, path })),
  );
}

function linkOf(
  workspaceId: string,
  { path, document = {} }: DescribedFile,
  find: FindReference,
): DocumentReference | undefined {
  const { doi, arxivId, title } = document;
  const entry = find({ path, doi, arxivId, title });
  return entry === undefined ? undefined : { workspaceId, path, ...factsOf(entry) };
}

function factsOf({
  key,
  title,
  authors,
  year,
  doi,
}: Reference): Omit<DocumentReference, 'workspaceId' | 'path'> {
  return {
    entry: entryId({ key, title }),
    ...(key !== '' && { key }),
    ...(title !== '' && { title }),
    ...(authors.length > 0 && { authors: authors.slice(0, MAX_AUTHORS).map(inReadingOrder) }),
    ...(year !== undefined && { year }),
    ...(doi !== undefined && { doi }),
  };
}

/** Returns `Jane Smith` for `Smith, Jane`. */
function inReadingOrder(name: string): string {
  const [family = '', given, ...others] = name.split(/,\s*/);
  return given === undefined || others.length > 0 ? name : `${given} ${family}`;
}
