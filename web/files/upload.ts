import { ApiError, api, callApi, take } from '../api/client.ts';

/** Above it a file goes to a signed address: the gateway takes no larger body. */
const MAX_DIRECT = 4_000_000;
const POLL_MS = 500;
/** A line that is lost is tried again, as long as the signed address is good. */
const TRIES = 8;
const PAUSE_MS = 2_000;

export interface Progress {
  sent: number;
  total: number;
}

export interface Sending {
  workspaceId: string;
  path: string;
  file: File;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/** Sends one file to `path` of the workspace, and waits until it lies there. Throws what ended it, an AbortError too. */
export async function uploadFile(sending: Sending): Promise<void> {
  const { file, onProgress } = sending;
  onProgress({ sent: 0, total: file.size });
  if (file.size <= MAX_DIRECT) await overLostLines(sending.signal, () => sendDirectly(sending));
  else await sendSigned(sending);
  onProgress({ sent: file.size, total: file.size });
}

async function sendDirectly({ workspaceId, path, file, signal }: Sending): Promise<void> {
  const body = new FormData();
  body.set('workspaceId', workspaceId);
  body.set('path', path);
  body.set('file', file);
  await callApi('/api/files/upload', { method: 'POST', body, signal });
}

/** Sending the same bytes to the same place twice is harmless. */
async function overLostLines(signal: AbortSignal, send: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await send();
    } catch (error) {
      const isLost = error instanceof ApiError && error.status === 0;
      if (!isLost || tried === TRIES || signal.aborted) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * tried));
  }
}

async function sendSigned({ workspaceId, path, file, signal, onProgress }: Sending): Promise<void> {
  const started = await take(
    api.POST('/api/files/uploads', { body: { workspaceId, path, size: file.size } }),
  );
  await overLostLines(signal, () => put(started.url, started.headers, file, signal, onProgress));
  for (;;) {
    const { status, error } = await take(
      api.GET('/api/files/uploads/{uploadId}', { params: { path: { uploadId: started.uploadId } } }),
    );
    if (status === 'done') return;
    if (status === 'failed') throw new ApiError(400, error ?? '');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** fetch tells nothing of what it has sent. */
function put(
  url: string,
  headers: Record<string, unknown>,
  file: File,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    for (const [name, value] of Object.entries(headers)) {
      if (!/^(content-length|host)$/i.test(name)) request.setRequestHeader(name, String(value));
    }
    request.upload.onprogress = ({ loaded }) => onProgress({ sent: loaded, total: file.size });
    request.onload = () =>
      request.status < 300 ? resolve() : reject(new ApiError(request.status, request.statusText));
    request.onerror = () => reject(new ApiError(0, ''));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    if (signal.aborted) return reject(signal.reason);
    request.send(file);
  });
}
