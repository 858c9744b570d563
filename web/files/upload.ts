import { ApiError, api, callApi, take } from '../api/client.ts';

/** Above it a file goes to a signed address: the gateway takes no larger body. */
const MAX_DIRECT = 4_000_000;
const POLL_MS = 500;

export interface Progress {
  sent: number;
  total: number;
}

/** Sends one file to `path` of the workspace, and waits until it lies there. */
export async function uploadFile(
  workspaceId: string,
  path: string,
  file: File,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  onProgress({ sent: 0, total: file.size });
  if (file.size <= MAX_DIRECT) await sendDirectly(workspaceId, path, file);
  else await sendSigned(workspaceId, path, file, onProgress);
  onProgress({ sent: file.size, total: file.size });
}

async function sendDirectly(workspaceId: string, path: string, file: File): Promise<void> {
  const body = new FormData();
  body.set('workspaceId', workspaceId);
  body.set('path', path);
  body.set('file', file);
  await callApi('/api/files/upload', { method: 'POST', body });
}

async function sendSigned(
  workspaceId: string,
  path: string,
  file: File,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const started = await take(
    api.POST('/api/files/uploads', { body: { workspaceId, path, size: file.size } }),
  );
  await put(started.url, started.headers, file, onProgress);
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
    request.send(file);
  });
}
