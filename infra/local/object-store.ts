import type { IncomingMessage, ServerResponse } from 'node:http';
import { acceptPresignedPut } from '../../lib/adapters/disk/presigned.ts';
import { openQueue } from '../../lib/choose/queue.ts';
import type { Config } from '../../lib/config.ts';

/**
 * The bucket's two tasks on this machine: it takes the bytes of a signed PUT, and tells the upload queue, in the
 * words of an S3 event notification. Answers false for any other request.
 */
export async function takeUpload(
  config: Config,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<boolean> {
  if (request.method !== 'PUT' || !url.pathname.startsWith('/objects/')) return false;
  const length = request.headers['content-length'];
  const { key, size } = await acceptPresignedPut(
    config,
    url,
    request,
    length === undefined ? undefined : Number(length),
  );
  const queue = await openQueue(config, 'upload');
  await queue.send([{ body: s3Notification(key, size) }]);
  response.writeHead(200, { 'content-length': 0 }).end();
  return true;
}

/** S3 writes keys into its events form-encoded: a space is a plus. */
function s3Notification(key: string, size: number) {
  const encoded = key
    .split('/')
    .map((part) => encodeURIComponent(part).replaceAll('%20', '+'))
    .join('/');
  return {
    Records: [
      { eventSource: 'aws:s3', eventName: 'ObjectCreated:Put', s3: { object: { key: encoded, size } } },
    ],
  };
}
