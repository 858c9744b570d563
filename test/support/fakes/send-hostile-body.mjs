import { once } from 'node:events';
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { type, start = '', piece = '', times = 0, end = '' } = workerData;
const AT_ONCE = 64 * 1024;

const server = createServer(async (request, response) => {
  response.on('error', () => undefined);
  request.resume();
  response.writeHead(200, { 'content-type': type });
  response.write(start);
  const together = Math.max(1, Math.floor(AT_ONCE / Math.max(1, piece.length)));
  for (let sent = 0; sent < times && !response.destroyed; sent += together) {
    const text = piece.repeat(Math.min(together, times - sent));
    if (!response.write(text)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end(end);
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
