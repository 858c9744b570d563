import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';
import { isPublicAddress } from '../../lib/adapters/outbound/public-address.ts';
import type { HostGuard } from '../../lib/adapters/process/network/host-proxy.ts';
import { makeCertificate } from './fakes/git-server.ts';
import { tempFolder, whenDone } from './temp-folder.ts';

/** The output of a server that nothing may reach. */
export const REACHED = 'REACHED-42';

/** The targets of the tests' names. Only 127.0.0.1 counts as public, in addition to public addresses. */
const ADDRESSES: Record<string, string[]> = {
  'allowed.test': ['127.0.0.1'],
  'second.test': ['127.0.0.1'],
  'other.test': ['127.0.0.1'],
  'private.test': ['10.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  'loopback.test': ['127.0.0.2'],
  'mixed.test': ['127.0.0.1', '10.0.0.1'],
  'nowhere.test': [],
};

/** Starts real servers on this host, under names that only the guard resolves. Ended after the test file. */
export async function startReachableHosts() {
  const { caFile, keyFile } = await makeCertificate(await tempFolder(), ...Object.keys(ADDRESSES));
  const [cert, key] = await Promise.all([readFile(caFile), readFile(keyFile)]);
  /** Requests of the servers for listed hosts, as `https HOST PATH`, and connections to any other port. */
  const asked: string[] = [];
  const lookups: string[] = [];
  const answer = (kind: string) =>
    ((request, response) => {
      asked.push(`${kind} ${request.headers.host} ${request.url}`);
      if (request.url === '/large') return void response.end(Buffer.alloc(4_000_000));
      let bytes = 0;
      request.on('data', (chunk: Buffer) => (bytes += chunk.length));
      request.on('end', () => response.end(`${kind} ${request.method} ${request.url} ${bytes}\n`));
    }) satisfies Parameters<typeof createServer>[1];
  const tls = createTlsServer({ cert, key }, answer('https'));
  const plain = createServer(answer('http'));
  /** Replaces the service itself, and everything else on this host. */
  const service = createSocketServer((socket) => {
    asked.push('service');
    socket.on('error', () => {}).end(`HTTP/1.0 200 OK\r\n\r\n${REACHED}`);
  });
  const [tlsPort = 0, plainPort = 0, servicePort = 0] = await Promise.all([tls, plain, service].map(listen));
  const guard: HostGuard = {
    ports: { tls: tlsPort, plain: plainPort },
    resolve: async (name) => {
      lookups.push(name);
      return ADDRESSES[name] ?? [];
    },
    isPublic: (address) => address === '127.0.0.1' || isPublicAddress(address),
  };
  return { guard, asked, lookups, caFile, tls: tlsPort, plain: plainPort, service: servicePort };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  whenDone(async () => {
    server.close();
    if ('closeAllConnections' in server) (server.closeAllConnections as () => void)();
  });
  return (server.address() as AddressInfo).port;
}
