import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { API_SERVER } from './control-plane.ts';

export interface PassingProxy {
  /** HTTPS, like the API server's own URL. */
  url: string;
  connections: number;
  /** Holds all bytes from now on, until `release`. */
  hold(): void;
  release(): void;
  stop(): Promise<void>;
}

/** Relays connections to the API server without reading them. */
export async function startPassingProxy(): Promise<PassingProxy> {
  const { port } = new URL(API_SERVER);
  const clients = new Set<Socket>();
  let held = false;
  const server = createServer((client) => {
    proxy.connections += 1;
    clients.add(client);
    const upstream = connect(Number(port), '127.0.0.1');
    client.on('data', (piece) => upstream.write(piece));
    upstream.on('data', (piece) => client.write(piece));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    if (held) client.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: PassingProxy = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: 0,
    hold() {
      held = true;
      for (const client of clients) client.pause();
    },
    release() {
      held = false;
      for (const client of clients) client.resume();
    },
    async stop() {
      for (const client of clients) client.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
