import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { isIP } from 'node:net';
import { hubRequests } from '../../../lib/adapters/outbound/hub-request.ts';
import { undiciWeb, type WebOptions } from '../../../lib/adapters/web/fetch.ts';

/**
 * Runs in a separate network (rebinding.test.ts), whose resolver asks the malicious name server below. PUBLIC is the address of
 * a public server; the forbidden one is on loopback. Prints a line of JSON.
 */
const PUBLIC = '93.184.215.14';
const PRIVATE = '127.0.0.1';

/** The addresses of a name, by the number of the query. Several addresses together are one response. */
const zone: Record<string, (question: number) => string[]> = {
  'public.test': () => [PUBLIC],
  'rebind.test': (question) => [question === 0 ? PUBLIC : PRIVATE],
  'inner.test': () => [PRIVATE],
  'both.test': () => [PUBLIC, PRIVATE],
  'six.test': () => ['::1'],
};
const asked = new Map<string, number>();

function answer(query: Buffer): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const [name, type] = [labels.join('.').toLowerCase(), query.readUInt16BE(at + 1)];
  const family = type === 1 ? 4 : 6;
  const question = asked.get(`${name} ${type}`) ?? 0;
  asked.set(`${name} ${type}`, question + 1);
  const addresses = (zone[name]?.(question) ?? []).filter((address) => isIP(address) === family);
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(0x8400, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.fill(0, 8);
  return Buffer.concat([head, query.subarray(12, at + 5), ...addresses.map((each) => record(type, each))]);
}

/** Returns a record with the name of the question, and a TTL of zero. */
function record(type: number, address: string): Buffer {
  const data =
    type === 1 ? Buffer.from(address.split('.').map(Number)) : Buffer.from([...Array(15).fill(0), 1]);
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

const names = createSocket('udp4');
names.on('message', (query, { port, address }) => names.send(answer(query), port, address));
names.bind(53, '127.0.0.1');
await once(names, 'listening');

let reached = 0;
async function listen(host: string, isInner: boolean): Promise<void> {
  const server = createServer((request, response) => {
    if (isInner) reached++;
    const to = new URL(request.url ?? '/', 'http://any').searchParams.get('to');
    if (to !== null) response.writeHead(302, { location: to }).end();
    else response.end(isInner ? 'secret' : 'page');
  });
  server.listen(80, host);
  await once(server, 'listening');
}
await listen(PUBLIC, false);
await listen(PRIVATE, true);
await listen('::1', true);

const REQUEST = { timeoutMs: 5000, maxBytes: 1000, allowHttp: true };
async function visit(url: string, options: WebOptions = {}): Promise<string> {
  asked.clear();
  try {
    return (await undiciWeb(options).fetchPublic(url, REQUEST)).bytes.toString();
  } catch (error) {
    return (error as Error).message;
  }
}

/** Downloads from a hub that isn't configured as trusted, and from the target of its redirect. */
async function download(to: string): Promise<string> {
  asked.clear();
  const baseUrl = 'http://public.test';
  const hub = hubRequests({ name: 'hub', baseUrl, trusted: false });
  const url = new URL(`/?to=${encodeURIComponent(to)}`, baseUrl);
  try {
    return await hub.text({ url, credentials: {} }, 1_000_000);
  } catch (error) {
    return (error as Error).message;
  }
}

const twice = [await lookup('rebind.test', 4), await lookup('rebind.test', 4)].map(({ address }) => address);
const control = await visit('http://inner.test/', { isPublic: () => true });
reached = 0;
const outcomes = {
  public: await visit('http://public.test/'),
  rebound: await visit('http://rebind.test/'),
  'rebound by a redirect to itself': await visit('http://rebind.test/?to=http://rebind.test/again'),
  inner: await visit('http://inner.test/'),
  'one of two is inner': await visit('http://both.test/'),
  'inner by IPv6': await visit('http://six.test/'),
  'redirect to an inner name': await visit('http://public.test/?to=http://inner.test/'),
  'redirect to an inner address': await visit('http://public.test/?to=http://127.1/'),
  'redirect to a mapped address': await visit('http://public.test/?to=http://[::ffff:7f00:1]/'),
  'redirect of a hub to an inner name': await download('http://inner.test/'),
  'redirect of a hub to an inner address': await download('http://2130706433/'),
  'redirect of a hub to one of two': await download('http://both.test/'),
};
process.stdout.write(JSON.stringify({ twice, control, reached, outcomes }));
process.exit(0);
