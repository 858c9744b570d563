import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { API_SERVER } from './control-plane.ts';

export interface PassingProxy {
  /** https, as the API server's own address. */
  url: string;
  /** Bytes are taken and go nowhere, while this holds. */
  held: boolean;
  connections: number;
  stop(): Promise<void>;
}

/** Stands before the API server and passes on what comes, unread, or holds it. */
export async function startPassingProxy(): Promise<PassingProxy> {
  const { port } = new URL(API_SERVER);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    proxy.connections += 1;
    const upstream = connect(Number(port), '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (piece) => void (proxy.held || to.write(piece)));
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: PassingProxy = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held: false,
    connections: 0,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
