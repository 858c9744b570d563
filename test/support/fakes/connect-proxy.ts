import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { whenDone } from '../temp-folder.ts';

/**
 * A proxy that tunnels to one local port, whatever is requested, and rejects everything else. Ended after the
 * test file.
 */
export async function startConnectProxy(port: number): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((_, response) => void response.writeHead(405).end());
  server.on('connect', (request, socket: Socket) => {
    asked.push(request.url ?? '');
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    for (const end of [socket, target]) end.on('error', () => {});
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  whenDone(async () => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
