import { whenForgotten } from '../../access/credential.ts';
import { ApiError } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import { dropUpload, keepUpload, type ResumedUpload } from './interrupted-uploads.ts';
import { setUploads, uploadsNow } from './running-uploads.ts';
import { sendFile } from './send-file.ts';
import type { Progress } from './sending.ts';
import { isUnderWay, type Upload } from './upload.ts';

const AT_ONCE = 3;

const ways = new Map<Upload['file'], AbortController>();

function change(file: File, changed: Partial<Upload>): void {
  setUploads(uploadsNow().map((each) => (each.file === file ? { ...each, ...changed } : each)));
}

/**
 * Sends up to three files concurrently; a failure doesn't affect the others. Files sent through the API are indexed
 * automatically.
 */
export async function sendAll(workspaceId: string, going: readonly ResumedUpload[]): Promise<void> {
  const added = going.map((each) => ({
    ...each,
    workspaceId,
    sent: 0,
    total: each.file.size,
    isDone: false,
    isCut: false,
    error: undefined,
  }));
  const paths = new Set(going.map(({ path }) => path));
  const isReplaced = (each: Upload) => each.workspaceId === workspaceId && paths.has(each.path);
  for (const { file } of uploadsNow().filter(isReplaced)) ways.get(file)?.abort();
  setUploads([...uploadsNow().filter((each) => !isReplaced(each)), ...added]);
  for (const each of going) keepUpload(workspaceId, each);
  const waiting = [...added];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await send(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await queries.invalidateQueries({ queryKey: ['folder', workspaceId] });
  await queries.invalidateQueries({ queryKey: ['sync', workspaceId] });
}

async function send({ workspaceId, path, file, uploadId }: Upload): Promise<void> {
  if (!uploadsNow().some((each) => each.file === file && isUnderWay(each))) return; // canceled, or signed out
  const way = new AbortController();
  ways.set(file, way);
  const onBegun = (begun: string) => {
    change(file, { uploadId: begun });
    keepUpload(workspaceId, { path, file, uploadId: begun });
  };
  const onProgress = (progress: Progress) => change(file, progress);
  const onCut = (isCut: boolean) => change(file, { isCut });
  try {
    const { signal } = way;
    await sendFile({ workspaceId, path, file, signal, uploadId, onProgress, onCut, onBegun });
    change(file, { isDone: true, doneAt: Date.now() });
    dropUpload(workspaceId, path);
  } catch (error) {
    change(file, { error: error as Error });
    if (isRefused(error)) forgetUpload({ workspaceId, path, file });
  }
  ways.delete(file);
}

/** Returns whether a refusal is permanent, unlike a missing network or an expired token. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 429 && error.status !== 401;
}

function forgetUpload({ workspaceId, path, file }: Pick<Upload, 'workspaceId' | 'path' | 'file'>): void {
  change(file, { uploadId: undefined });
  dropUpload(workspaceId, path);
}

export function cancel(upload: Upload): void {
  const { file } = upload;
  const way = ways.get(file);
  const error = new DOMException('', 'AbortError');
  if (way) way.abort(error);
  else change(file, { error });
  dropUpload(upload.workspaceId, upload.path);
}

/** Removes ended uploads from the list; failed ones are no longer retried. */
export function clear(workspaceId: string): void {
  const isOver = (each: Upload) => each.workspaceId === workspaceId && !isUnderWay(each);
  for (const { path } of uploadsNow().filter(isOver)) dropUpload(workspaceId, path);
  setUploads(uploadsNow().filter((each) => !isOver(each)));
}

whenForgotten(() => {
  for (const way of ways.values()) way.abort();
  setUploads([]);
});
