import { api, callApi, take } from '../../api/client.ts';
import { overLostLines } from './lost-lines.ts';
import { sendParts } from './send-parts.ts';
import type { Sending } from './sending.ts';

/** In bytes. Larger files are sent to signed URLs, because the gateway accepts no larger body. */
const MAX_DIRECT = 4_000_000;

/** The service no longer has an upload that has just started. */
export class UploadAbandoned extends Error {}

/**
 * Sends one file to `path` of the workspace, and waits until it's stored. Throws any failure, including an AbortError.
 */
export async function sendFile(sending: Sending): Promise<void> {
  const { file, uploadId, onProgress } = sending;
  onProgress({ sent: 0, total: file.size });
  if (file.size <= MAX_DIRECT) await overLostLines(sending, () => sendWhole(sending));
  else if (uploadId === undefined || !(await sendParts(uploadId, sending))) await sendAnew(sending);
  onProgress({ sent: file.size, total: file.size });
}

/** Sends a whole file. Sending the same bytes to the same path twice is harmless. */
async function sendWhole({ workspaceId, path, file, signal }: Sending): Promise<void> {
  const body = new FormData();
  body.set('workspaceId', workspaceId);
  body.set('path', path);
  body.set('file', file);
  await callApi('/api/files/upload', { method: 'POST', body, signal });
}

async function sendAnew(sending: Sending): Promise<void> {
  const { workspaceId, path, file, signal, onBegun } = sending;
  const body = { workspaceId, path, size: file.size };
  const begin = () => take(api.POST('/api/files/uploads', { body, signal }));
  const { uploadId } = await overLostLines(sending, begin);
  onBegun(uploadId);
  if (!(await sendParts(uploadId, sending))) throw new UploadAbandoned();
}
