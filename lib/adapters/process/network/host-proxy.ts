import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { HOST_NAME } from '../../../api-contract/host-name.ts';
import { singleFlight } from '../../../async/single-flight.ts';
import { InvalidInput } from '../../../errors.ts';
import { answerWith, pinnedAgent } from '../../outbound/pinned-agent.ts';
import { type ProxySettings, tunnelThrough } from '../../outbound/proxy.ts';
import { type HostRules, publicAddresses } from '../../outbound/public-host.ts';
import { readServerName } from './server-name.ts';

/** Decides how hosts are reached. */
export interface HostGuard extends HostRules {
  /** The service's own proxy for outgoing requests, if it has one. */
  proxy?: ProxySettings;
  /** The only allowed ports. Tests use those of their own servers. */
  ports?: { tls: number; plain: number };
  /** Maximum bytes of a command, in both directions together. */
  maxBytes?: number;
}

/** The proxy for one command, on a socket that only its sandbox shows. */
export interface HostProxy {
  socketPath: string;
  /** The refused hosts, at most `MAX_REFUSED`. */
  refused: Set<string>;
  close(): Promise<void>;
}

const PORTS = { tls: 443, plain: 80 };
/** Maximum open connections of one command. */
const MAX_CONNECTIONS = 64;
const MAX_BYTES = 4 * 1024 ** 3;
const MAX_REFUSED = 10;
const MAX_HEADER_BYTES = 16_384;
const HEADER_MS = 10_000;
const CONNECT_MS = 10_000;
/** Milliseconds without any byte after which a connection is closed. */
const IDLE_MS = 120_000;

/** A request that the proxy refuses, with the text of its answer. */
class Refused extends Error {
  status: number;

  constructor(message: string, status = 403) {
    super(message);
    this.status = status;
  }
}

/**
 * Opens an HTTP proxy to the listed hosts only: by CONNECT with TLS for the same host, and by plain requests.
 * It connects to the addresses that it checked, so no name leads to a private address.
 */
export async function openHostProxy(hosts: string[], guard: HostGuard = {}): Promise<HostProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'hosts-'));
  const socketPath = join(folder, 'proxy');
  const open = new Set<Socket>();
  const refused = new Set<string>();
  let bytes = 0;
  const proxy: ProxyState = {
    guard,
    hosts: new Set(hosts),
    lookups: singleFlight(),
    note: (host) => refused.size < MAX_REFUSED && refused.add(host),
    hold(socket) {
      open.add(socket);
      socket.once('close', () => open.delete(socket)).on('error', () => {});
      return socket.setTimeout(IDLE_MS, () => socket.destroy());
    },
    meter: () =>
      new Transform({
        transform(chunk: Buffer, _encoding, done) {
          bytes += chunk.length;
          done(
            bytes > (guard.maxBytes ?? MAX_BYTES)
              ? new Error('The command has transferred too many bytes.')
              : null,
            chunk,
          );
        },
      }),
  };
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: HEADER_MS, connectionsCheckingInterval: 1000 },
    (request, response) => void passOn(proxy, request, response),
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connection', proxy.hold);
  server.on('connect', (request, socket, head) => void tunnel(proxy, request, socket as Socket, head));
  await new Promise<void>((done, fail) => server.once('error', fail).listen(socketPath, done));
  return {
    socketPath,
    refused,
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface ProxyState {
  guard: HostGuard;
  hosts: Set<string>;
  note(host: string): void;
  /** Looks up a host once for all requests that wait, because the system resolves few names at a time. */
  lookups: ReturnType<typeof singleFlight<string[]>>;
  /** Ends a socket when the proxy ends, or when it is idle. */
  hold(socket: Socket): Socket;
  /** Counts the bytes of all connections. */
  meter(): Transform;
}

/** Answers CONNECT with a connection to the host. Only TLS for this host passes through it. */
async function tunnel(
  proxy: ProxyState,
  { url = '' }: IncomingMessage,
  client: Socket,
  head: Buffer,
): Promise<void> {
  try {
    const [, name = '', port] = /^([^:]*):(\d{1,5})$/.exec(url) ?? [];
    const host = requireListed(proxy, name || url);
    const { tls } = portsOf(proxy);
    if (Number(port) !== tls) throw new Refused(`A tunnel to ${host} can only use port ${tls}, with TLS.`);
    const upstream = proxy.hold(await connectTo(proxy, host, tls));
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    void carry(proxy, { host, client, head, upstream });
  } catch (error) {
    const { status, message } = refusalOf(error);
    const fields = `content-type: text/plain\r\ncontent-length: ${Buffer.byteLength(message) + 1}\r\nconnection: close`;
    client.end(`HTTP/1.1 ${status} Refused\r\n${fields}\r\n\r\n${message}\n`);
  }
}

interface Tunnel {
  host: string;
  client: Socket;
  head: Buffer;
  upstream: Socket;
}

/** Checks the server name, because a server of many hosts would answer for one that isn't listed. */
async function carry(proxy: ProxyState, { host, client, head, upstream }: Tunnel): Promise<void> {
  try {
    const { name, bytes } = await readServerName(client, head);
    if (name.toLowerCase() !== host) throw refuseHost(proxy, name);
    upstream.write(bytes);
    await Promise.all([pipeline(client, proxy.meter(), upstream), pipeline(upstream, proxy.meter(), client)]);
  } catch {
    // one end has closed, or the first bytes were refused
  } finally {
    upstream.destroy();
    client.destroy();
  }
}

/** Answers a plain request by sending the same request to the host. */
async function passOn(proxy: ProxyState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { url = '' } = request;
    const [, name = '', port, path] = /^http:\/\/([^/:?#]*)(?::(\d{1,5}))?([/?]\S*)?$/i.exec(url) ?? [];
    const host = requireListed(proxy, name || url);
    const { plain } = portsOf(proxy);
    if (Number(port ?? 80) !== plain)
      throw new Refused(`A plain request to ${host} can only use port ${plain}.`);
    await fetchPlain(
      proxy,
      { host, path: path?.startsWith('/') ? path : `/${path ?? ''}` },
      request,
      response,
    );
  } catch (error) {
    const { status, message } = refusalOf(error);
    if (response.headersSent) response.destroy();
    else
      response
        .writeHead(status, { 'content-type': 'text/plain', connection: 'close' })
        .end(`${message}\n`, () => request.destroy());
  }
}

async function fetchPlain(
  proxy: ProxyState,
  { host, path }: { host: string; path: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const agent = await pinnedAgent(host, await addressesOf(proxy, host), proxy.guard);
  response.once('close', () => void agent.destroy().catch(() => undefined));
  const { plain } = portsOf(proxy);
  const { headers } = request;
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  const answer = await agent.request({
    origin: `http://${host}:${plain}`,
    path,
    method: (request.method ?? 'GET') as 'GET',
    headers: endToEnd(headers),
    body: hasBody ? request.pipe(proxy.meter()) : null,
    headersTimeout: IDLE_MS,
    bodyTimeout: IDLE_MS,
  });
  response.writeHead(answer.statusCode, { ...endToEnd(answer.headers), connection: 'close' });
  await pipeline(answer.body, proxy.meter(), response);
}

/** Headers that concern a single connection. The URL decides on the host, whatever the header says. */
const OF_CONNECTION = /^(connection|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;

function endToEnd(headers: IncomingHttpHeaders) {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(/[\s,]+/);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !OF_CONNECTION.test(name) && !named.includes(name)),
  );
}

function portsOf({ guard: { ports = PORTS } }: ProxyState) {
  return ports;
}

/** Returns the listed host that a name in a request means. Refuses anything but a plain host name. */
function requireListed(proxy: ProxyState, name: string): string {
  const host = name.toLowerCase();
  if (!HOST_NAME.test(host) || !proxy.hosts.has(host)) throw refuseHost(proxy, name);
  return host;
}

function refuseHost(proxy: ProxyState, name: string): Refused {
  const isShown = /^[\w.:[\]-]{1,100}$/.test(name);
  if (isShown) proxy.note(name);
  const shown = isShown ? name : 'This address';
  return new Refused(
    `${shown} isn't one of the hosts that commands of this workspace may reach. An administrator can add it under Permissions (network).`,
  );
}

function refusalOf(error: unknown): Pick<Refused, 'status' | 'message'> {
  if (error instanceof Refused) return error;
  return { status: 502, message: "The host can't be reached." };
}

/** Returns the addresses of a host, all of which are public. */
async function addressesOf({ guard, lookups, note }: ProxyState, host: string): Promise<string[]> {
  const look = () => publicAddresses(host, guard);
  return lookups(host, AbortSignal.timeout(CONNECT_MS), look).catch((error: unknown) => {
    if (!(error instanceof InvalidInput)) throw error;
    note(`${host} (private address)`);
    throw new Refused(`${host} leads to an address that isn't public.`);
  });
}

async function connectTo(proxy: ProxyState, host: string, port: number): Promise<Socket> {
  const addresses = await addressesOf(proxy, host);
  const signal = AbortSignal.timeout(CONNECT_MS);
  const through = await tunnelThrough(proxy.guard.proxy, `${host}:${port}`, signal);
  if (through !== undefined) return through;
  if (addresses.length === 0) throw new Refused(`${host} has no IP address.`, 502);
  const socket = connect({ host, port, lookup: answerWith(host, addresses), signal });
  await once(socket, 'connect', { signal });
  return socket;
}
