import { openAsBlob } from 'node:fs';
import { UpstreamFailed } from '../../errors.ts';

/**
 * In milliseconds. Any transfer within a region is faster, so a longer one has stalled, and must not block a
 * command.
 */
const TRANSFER_MS = 120_000;
const LOOK_MS = 5_000;
const LOOK_EVERY_MS = 1_000;

/**
 * Yields the bytes at a signed URL. Throws UpstreamFailed, never with the URL, because anyone who has the URL
 * can read the object.
 */
export async function* getSigned(url: string): AsyncGenerator<Uint8Array> {
  const response = await ask(url, { signal: AbortSignal.timeout(TRANSFER_MS) });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new UpstreamFailed(
      'object_storage_failed',
      `The files of the workspace could not be read from object storage (${response.status}).`,
    );
  }
  yield* response.body;
}

/** Sends a file of exactly the size that the URL was signed for. */
export async function putSigned(url: string, file: string): Promise<void> {
  const body = await openAsBlob(file);
  const response = await ask(url, { method: 'PUT', body, signal: AbortSignal.timeout(TRANSFER_MS) });
  await response.body?.cancel();
  if (!response.ok)
    throw new UpstreamFailed(
      'object_storage_failed',
      `The changes of the command could not be sent to object storage (${response.status}).`,
    );
}

async function ask(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, redirect: 'error' }).catch((error: unknown) => {
    throw new UpstreamFailed('object_storage_failed', "Can't reach object storage. Try again.", {
      cause: error,
    });
  });
}

/**
 * Calls `stopped` once an object exists at the URL; returns a function that stops watching. A failure here never ends
 * the command.
 */
export function watchStopped(url: string, stopped: () => void, everyMs = LOOK_EVERY_MS): () => void {
  let isLooking = false;
  const timer = setInterval(async () => {
    if (isLooking) return;
    isLooking = true;
    const isThere = await isAnswered(url);
    isLooking = false;
    if (!isThere) return;
    clearInterval(timer);
    stopped();
  }, everyMs);
  return () => clearInterval(timer);
}

async function isAnswered(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(LOOK_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
