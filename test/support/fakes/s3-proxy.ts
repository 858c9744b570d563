import { createServer, type IncomingMessage, request } from 'node:http';
import { pipeline } from 'node:stream';
import { serveUntilDone } from '../processes/serve-until-done.ts';

export interface S3ProxyOptions {
  /** Runs before a request is forwarded; returns the status that the client gets instead. */
  before?(request: IncomingMessage): Promise<number | undefined>;
  /** Runs after the store has handled the request, before the client gets the response. */
  after?(request: IncomingMessage): Promise<void>;
}

/** A proxy between a client and an S3 emulator. Ended after the test file. */
export async function startS3Proxy(target: string, { before, after }: S3ProxyOptions) {
  const { hostname, port } = new URL(target);
  const server = createServer(async (incoming, outgoing) => {
    const status = await before?.(incoming);
    if (status !== undefined) return void outgoing.writeHead(status, { connection: 'close' }).end();
    const { method, url: path, headers } = incoming;
    const passed = request({ hostname, port, method, path, headers }, async (answer) => {
      await after?.(incoming);
      if (outgoing.destroyed) return void answer.destroy(); // its client was killed
      outgoing.writeHead(answer.statusCode ?? 500, answer.rawHeaders);
      pipeline(answer, outgoing, () => {});
    });
    passed.on('error', () => outgoing.destroy());
    pipeline(incoming, passed, () => {});
  });
  return serveUntilDone(server);
}
