import type { IncomingMessage, ServerResponse } from 'node:http';
import { acceptPresignedPut } from '../../lib/adapters/disk/presigned.ts';
import { OBJECTS_PATH } from '../../lib/api-contract/object-urls.ts';
import type { Config } from '../../lib/config.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { askForBody } from './read-body.ts';

/**
 * Does two things on this host that S3 does on AWS: accepts the bytes of a signed PUT, and notifies the
 * upload queue in the format of an S3 event notification. Returns false for any other request.
 */
export async function takeUpload(
  config: Config,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<boolean> {
  if (request.method !== 'PUT' || !url.pathname.startsWith(OBJECTS_PATH)) return false;
  const length = request.headers['content-length'];
  const { key, size } = await acceptPresignedPut(
    config,
    url,
    askedFor(request, response),
    length === undefined ? undefined : Number(length),
  );
  const queue = await openQueue(config, 'upload');
  await queue.send([{ body: s3Notification(key, size) }]);
  response.writeHead(200, { 'content-length': 0 }).end();
  return true;
}

/**
 * Yields the body. A client that waits for permission gets it with the first chunk, once the signature is
 * checked.
 */
async function* askedFor(request: IncomingMessage, response: ServerResponse): AsyncGenerator<Buffer> {
  askForBody(request, response);
  yield* request as AsyncIterable<Buffer>;
}

/** S3 form-encodes keys in its events: a space is a plus. */
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
