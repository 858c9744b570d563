import { fromOwnPage } from '../../../lib/api-contract/object-urls.ts';
import type { Schemas } from '../../../lib/api-contract/schema.ts';
import { ApiError, api, refusal, take } from '../../api/client.ts';
import { overLostLines, pause } from './lost-lines.ts';
import type { Sending } from './sending.ts';

const POLL_MS = 500;

type Parts = Schemas['UploadParts'];
type Part = Parts['missing'][number];

/** Sends the missing parts, and waits until the file is stored. Returns false if the service no longer knows the upload. */
export async function sendParts(uploadId: string, sending: Sending): Promise<boolean> {
  try {
    await sendMissing(uploadId, sending);
  } catch (error) {
    if (hasStatus(error, 404)) return false;
    // 409: all bytes have arrived, or the upload failed; its state shows which.
    if (!hasStatus(error, 409)) throw error;
  }
  await ended(uploadId, sending);
  return true;
}

function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}

/**
 * Sends missing parts. URLs are valid for an hour, so on a slow connection, new ones are requested as long as
 * there is progress.
 */
async function sendMissing(uploadId: string, sending: Sending): Promise<void> {
  const sent = new Set<number>();
  for (let before = -1; ; ) {
    const parts = await overLostLines(sending, () => askForParts(uploadId, sending.signal));
    try {
      return await sendEach(parts, sent, sending);
    } catch (error) {
      if (!hasStatus(error, 403) || sent.size === before) throw error;
    }
    before = sent.size;
  }
}

function askForParts(uploadId: string, signal: AbortSignal): Promise<Parts> {
  const params = { path: { uploadId } };
  return take(api.POST('/api/files/uploads/{uploadId}/parts', { params, signal }));
}

async function sendEach({ partBytes, missing }: Parts, sent: Set<number>, sending: Sending): Promise<void> {
  const { file, signal, onProgress } = sending;
  const left = missing.filter(({ number }) => !sent.has(number));
  const bytesOf = ({ number }: Part) => file.slice(number * partBytes, (number + 1) * partBytes);
  let done = file.size - left.reduce((sum, part) => sum + bytesOf(part).size, 0);
  for (const part of left) {
    const bytes = bytesOf(part);
    const tell = (loaded: number) => onProgress({ sent: done + loaded, total: file.size });
    await overLostLines(sending, () => put(part, bytes, signal, tell));
    sent.add(part.number);
    done += bytes.size;
  }
}

/** Sends a part with XMLHttpRequest, because fetch doesn't report upload progress. */
function put(
  { url, headers }: Part,
  bytes: Blob,
  signal: AbortSignal,
  onLoaded: (loaded: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open('PUT', fromOwnPage(url));
    for (const [name, value] of Object.entries(headers)) {
      if (!/^(content-length|host)$/i.test(name)) request.setRequestHeader(name, value);
    }
    request.upload.onprogress = ({ loaded }) => onLoaded(loaded);
    request.onload = () => (request.status < 300 ? resolve() : refusal(responseOf(request)).then(reject));
    request.onerror = () => reject(new ApiError(0, ''));
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    if (signal.aborted) return reject(signal.reason);
    request.send(bytes);
  });
}

function responseOf(request: XMLHttpRequest): Response {
  const { responseText, status, statusText } = request;
  const code = request.getResponseHeader('x-error-code');
  return new Response(responseText, {
    status,
    statusText,
    ...(code && { headers: { 'x-error-code': code } }),
  });
}

async function ended(uploadId: string, sending: Sending): Promise<void> {
  const { signal } = sending;
  const params = { path: { uploadId } };
  for (;;) {
    const ask = () => take(api.GET('/api/files/uploads/{uploadId}', { params, signal }));
    const { status, error } = await overLostLines(sending, ask);
    if (status === 'done') return;
    if (status === 'failed') throw new ApiError(400, error ?? '');
    await pause(POLL_MS, signal);
  }
}
