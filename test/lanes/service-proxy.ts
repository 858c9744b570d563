import { readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** One request with the times of its arrival and its response (`performance.now()`). */
export interface ProxiedRequest {
  service: string;
  operation: string;
  from: number;
  to: number;
}

export interface ServiceProxy {
  /** HTTPS, like AWS itself. */
  url: string;
  /** All requests so far. */
  requests: ProxiedRequest[];
  /** TLS connections so far. */
  connections: number;
  /**
   * Closes idle connections as a peer that closed them (`end`), or as a gateway that has forgotten them
   * (`reset`).
   */
  dropConnections(how: 'end' | 'reset'): void;
  /** Runs before a request is passed on. */
  before: ((request: IncomingMessage) => Promise<void> | void) | undefined;
  stop(): void;
}

export interface ServiceProxyOptions {
  service: string;
  /** URL of the service. */
  target: string;
  /** The minimum response time of the service. A slower emulator takes longer. */
  latencyMs: number | ((request: IncomingMessage) => number);
  certificate: { caFile: string; keyFile: string };
}

/** Starts a proxy between functions and a service, with the service's latency in AWS, and TLS. */
export async function startServiceProxy(options: ServiceProxyOptions): Promise<ServiceProxy> {
  const { caFile, keyFile } = options.certificate;
  const agent = new Agent({ keepAlive: true });
  const settings = { cert: readFileSync(caFile), key: readFileSync(keyFile) };
  const server = createServer(settings, (incoming, outgoing) =>
    pass(proxy, options, agent, incoming, outgoing),
  );
  server.keepAliveTimeout = 0; // connections end only by `dropConnections`
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('secureConnection', () => {
    proxy.connections += 1;
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const proxy: ServiceProxy = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    connections: 0,
    before: undefined,
    dropConnections(how) {
      for (const socket of sockets) how === 'end' ? socket.end() : socket.resetAndDestroy();
    },
    stop() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
  return proxy;
}

async function pass(
  proxy: ServiceProxy,
  { service, target, latencyMs }: ServiceProxyOptions,
  agent: Agent,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const from = performance.now();
  const until = from + (typeof latencyMs === 'number' ? latencyMs : latencyMs(incoming));
  await proxy.before?.(incoming);
  const { method, url: path, headers } = incoming;
  const { hostname, port } = new URL(target);
  const passed = request({ agent, hostname, port, method, path, headers }, async (answer) => {
    await sleepUntil(until);
    if (outgoing.destroyed) return void answer.destroy(); // the client was killed
    proxy.requests.push({ service, operation: operationOf(incoming), from, to: performance.now() });
    outgoing.writeHead(answer.statusCode ?? 500, withoutHop(answer.rawHeaders));
    pipeline(answer, outgoing, () => {});
  });
  passed.on('error', () => outgoing.destroy());
  pipeline(incoming, passed, () => {});
}

async function sleepUntil(time: number): Promise<void> {
  const left = time - performance.now();
  if (left > 0) await sleep(left);
}

/** The connection to the emulator isn't the client's. */
function withoutHop(headers: string[]): string[] {
  return headers.flatMap((name, index) =>
    index % 2 === 0 && !/^(connection|keep-alive)$/i.test(name) ? [name, headers[index + 1] ?? ''] : [],
  );
}

/** `GetItem` in AWS protocols, otherwise the method and path. */
function operationOf({ method, url = '', headers }: IncomingMessage): string {
  const target = headers['x-amz-target'];
  return typeof target === 'string' ? (target.split('.').at(-1) ?? '') : `${method} ${url.split('?')[0]}`;
}
