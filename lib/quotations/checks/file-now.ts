import { readingFormat } from '../../formats/all-formats.ts';
import { type IndexedFile, readKnownFiles } from '../../indexing/schema.ts';
import type { Records } from '../../ports/records.ts';
import { type QuotableFile, readQuotable, type SourcePorts } from '../../retrieval/cite/sources.ts';
import type { Workspace } from '../../workspaces/schema.ts';

/**
 * The current state of a quoted file. `unknown` if it was changed and isn't indexed yet, or is unreadable at
 * the moment. Its next commit then has the quotes checked again.
 */
export type FileNow =
  | { state: 'gone' }
  | { state: 'unknown' }
  | { state: 'unreadable' }
  | { state: 'read'; source: QuotableFile };

/** Returns the current state of a file. One larger than `maxBytes` is `unknown`. */
export async function readFileNow(
  ports: SourcePorts,
  workspace: Workspace,
  path: string,
  maxBytes?: number,
): Promise<FileNow> {
  const known = await readKnownFile(ports.records, workspace.id, path);
  if (maxBytes !== undefined && isItsText(path) && (known?.size ?? 0) > maxBytes) return { state: 'unknown' };
  const source = await readQuotable(ports, workspace, path);
  if (source === undefined && known === undefined) return { state: 'gone' };
  const isRead = source !== undefined && source.text !== '';
  if (isRead && (isItsText(path) || source.hash === known?.hash)) return { state: 'read', source };
  const isReadable = known === undefined || known.reason === undefined;
  return { state: isReadable ? 'unknown' : 'unreadable' };
}

/** Reads a file whose name may have another Unicode form than the citation. */
async function readKnownFile(
  records: Records,
  workspaceId: string,
  path: string,
): Promise<IndexedFile | undefined> {
  const forms = [path, path.normalize('NFC'), path.normalize('NFD')];
  const known = await readKnownFiles(records, workspaceId, forms);
  return forms.map((form) => known.get(form)).find((file) => file !== undefined);
}

/** Returns whether the file itself contains the text. The text of other files was extracted when they were indexed. */
function isItsText(path: string): boolean {
  return readingFormat(path).content !== 'encoded';
}
