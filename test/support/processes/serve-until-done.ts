import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whenDone } from '../temp-folder.ts';

/** Listens on a free port until the test file ends; returns the URL. */
export async function serveUntilDone(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  whenDone(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
