import { callApi } from '../../api/client.ts';
import type { Dropped } from './interrupted-uploads.ts';

/** In bytes. A larger file isn't compared: the person is asked, as if it had changed. */
const MOST_BYTES = 64_000_000;

/** Returns whether the workspace's file at this path has the same bytes. An unreadable file counts as different. */
export async function isSameFile(workspaceId: string, { path, file }: Dropped): Promise<boolean> {
  if (file.size > MOST_BYTES) return false;
  try {
    const { body } = await callApi(`/api/files/raw?${new URLSearchParams({ workspaceId, path })}`);
    return await hasSameBytes(file, body);
  } catch {
    return false;
  }
}

/** Compares chunk by chunk, and stops at the first difference. */
export async function hasSameBytes(
  file: Blob,
  stream: ReadableStream<Uint8Array<ArrayBuffer>> | null,
): Promise<boolean> {
  let at = 0;
  if (stream === null) return file.size === 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return at === file.size;
    const own = new Uint8Array(await file.slice(at, at + value.length).arrayBuffer());
    if (own.length !== value.length || own.some((byte, index) => byte !== value[index])) {
      await reader.cancel();
      return false;
    }
    at += value.length;
  }
}
