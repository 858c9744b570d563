import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { type, start = '', piece = '', times = 0, end = '' } = workerData;
const AT_ONCE = 64 * 1024;

function* pieces() {
  yield start;
  const together = Math.max(1, Math.floor(AT_ONCE / Math.max(1, piece.length)));
  for (let sent = 0; sent < times; sent += together) yield piece.repeat(Math.min(together, times - sent));
  yield end;
}

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': type });
  pipeline(Readable.from(pieces(), { objectMode: false }), response).catch(() => undefined); // the reader disconnected
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
