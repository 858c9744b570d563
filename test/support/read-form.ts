import type { IncomingMessage } from 'node:http';

/** Reads a multipart body with a length, as platforms require it; undefined for any other body. */
export async function readForm(
  { headers }: IncomingMessage,
  bytes: Buffer<ArrayBuffer>,
): Promise<FormData | undefined> {
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data') || Number(headers['content-length']) !== bytes.length)
    return undefined;
  return new Response(bytes, { headers: { 'content-type': type } }).formData();
}
