import type { Caller } from '../access/caller.ts';
import { locate } from '../datasets/links/mounts.ts';
import { InvalidInput, NotFound } from '../errors.ts';
import { readWhole } from '../files/read.ts';
import { mediaTypeOf } from '../formats/all-formats.ts';
import { listFiles } from '../indexing/list-files.ts';
import type { McpContents, McpPage, McpResource, McpTemplate } from '../ports/mcp.ts';
import type { Records } from '../ports/records.ts';
import { findWorkspace, rolesIn } from '../workspaces/access.ts';
import { listWorkspaces } from '../workspaces/registry.ts';
import { makeListCursor, readListCursor } from './cursor.ts';

const SCHEME = 'workspace:';
const FILES_A_PAGE = 200;
/** Maximum workspaces to read for a page. A workspace without indexed files adds nothing to the page. */
const WORKSPACES_A_PAGE = 20;

export const TEMPLATES: McpTemplate[] = [
  {
    uriTemplate: `${SCHEME}//{workspaceId}/{+path}`,
    name: 'Workspace file',
    description:
      'File of a workspace by its path, at most 5 MB: text as text, other files as bytes. The tool read_file reads the text of documents, and longer files in parts.',
  },
];

/**
 * Lists the indexed files of all workspaces that the caller can access, page by page. Throws InvalidInput for a cursor
 * from another list.
 */
export async function listResources(
  records: Records,
  caller: Caller,
  cursor: string | undefined,
): Promise<McpPage<McpResource>> {
  let [before, files] = readListCursor(cursor);
  const indexedIn = readerFor(records, caller);
  for (let looked = 0; looked < WORKSPACES_A_PAGE; looked++) {
    const { id, after } = await workspaceAfter(records, caller, before);
    if (id === undefined) return { items: [] };
    const page = await indexedIn(id, files);
    if (page.cursor === undefined) before = after;
    files = page.cursor;
    const isLast = files === undefined && before === undefined;
    const next = isLast ? undefined : makeListCursor([before, files]);
    const items = page.items.map(({ path, size }) => toResource(id, path, size));
    if (items.length > 0 || isLast) return { items, cursor: next };
  }
  return { items: [], cursor: makeListCursor([before, files]) };
}

/**
 * Returns a reader of files. It skips those of a whole root if a workspace inside excludes the caller,
 * because the root's list would contain its files.
 */
function readerFor(records: Records, caller: Caller) {
  const roleIn = rolesIn(records, caller);
  return async (id: string, cursor: string | undefined): ReturnType<typeof listFiles> => {
    if ((await roleIn(id)) === undefined) return { items: [] };
    return listFiles(records, id, { state: 'indexed', limit: FILES_A_PAGE, cursor });
  };
}

/** Returns the first workspace after a cursor, and the cursor after that workspace; undefined if it's the last. */
async function workspaceAfter(
  records: Records,
  caller: Caller,
  cursor: string | undefined,
): Promise<{ id?: string; after?: string }> {
  if (caller.workspaceIds === null) {
    const { items, cursor: after } = await listWorkspaces(records, caller, { limit: 1, cursor });
    return { id: items[0]?.id, after };
  }
  // A workspace-scoped caller gets all workspaces, newest first, so an ID works as the cursor of both lists.
  const { items } = await listWorkspaces(records, caller, { limit: 1 });
  const left = items.filter(({ id }) => cursor === undefined || id < cursor);
  return { id: left[0]?.id, after: left.length > 1 ? left[0]?.id : undefined };
}

function toResource(workspaceId: string, path: string, size: number): McpResource {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return {
    uri: `${SCHEME}//${workspaceId}/${encoded}`,
    name: path,
    mediaType: mediaTypeOf(path),
    size,
  };
}

/** Returns a whole file. Throws NotFound, InvalidInput, Forbidden, TooLarge. */
export async function findResource(records: Records, caller: Caller, uri: string): Promise<McpContents> {
  const { workspaceId, path } = parseUri(uri);
  const workspace = await findWorkspace(records, caller, workspaceId);
  const location = await locate(records, workspace, path);
  const { content, encoding } = await readWhole(location.root, location.path);
  const place = { uri, mediaType: mediaTypeOf(path) };
  return encoding === 'base64' ? { ...place, base64: content } : { ...place, text: content };
}

function parseUri(uri: string): { workspaceId: string; path: string } {
  const [, workspaceId = '', encoded = ''] = /^workspace:\/\/([\w-]{1,64})\/(.{1,8192})$/s.exec(uri) ?? [];
  if (workspaceId === '')
    throw new NotFound(
      'path_not_found',
      'This resource does not exist. Resource URIs have the form workspace://ID/PATH.',
    );
  try {
    return { workspaceId, path: decodeURIComponent(encoded) };
  } catch {
    throw new InvalidInput('invalid_value', 'uri must have valid percent-encoding.', { field: 'uri' });
  }
}
