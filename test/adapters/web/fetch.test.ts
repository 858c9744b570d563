import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { isPublicAddress } from '../../../lib/adapters/outbound/public-address.ts';
import { publicAddresses } from '../../../lib/adapters/outbound/public-host.ts';
import { undiciWeb, type WebOptions } from '../../../lib/adapters/web/fetch.ts';
import { InvalidInput, UpstreamFailed } from '../../../lib/errors.ts';
import type { WebRequest } from '../../../lib/ports/web.ts';
import { eventually } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';

async function listen(answer: RequestListener, host = '127.0.0.1', port = 0): Promise<number> {
  const server = createServer(answer);
  await new Promise<void>((ready) => server.listen(port, host, ready));
  whenDone(async () => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const seen: IncomingMessage[] = [];
const broken: string[] = [];
const pages: Record<string, (response: ServerResponse) => void> = {
  '/text': (response) => response.setHeader('content-type', 'text/plain').end('Grüße'),
  '/missing': (response) => void response.writeHead(404).end('no'),
  '/large': (response) => response.end(Buffer.alloc(2000)),
  '/endless': endless,
  '/slow': (response) => void response.flushHeaders(),
  '/silent': () => undefined,
  '/cut': (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    setTimeout(() => response.destroy(), 20);
  },
  '/gzip': (response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('packed')),
  '/brotli': (response) => response.setHeader('content-encoding', 'br').end(brotliCompressSync('packed')),
  '/bomb': (response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(200_000_000))),
  '/not-gzip': (response) => response.setHeader('content-encoding', 'gzip').end('plain'),
  '/lost': (response) => void response.writeHead(302).end('nowhere'),
};
const answer: RequestListener = (request, response) => {
  seen.push(request);
  const url = new URL(request.url ?? '', 'http://x');
  const to = url.searchParams.get('to');
  if (to === null) return (pages[url.pathname] ?? (() => response.writeHead(500).end()))(response);
  return response.writeHead(Number(url.searchParams.get('status') ?? 302), { location: to }).end();
};
const port = await listen(answer);
/** A separate counter, because a request that a test of `port` abandoned may arrive late. */
const visits: string[] = [];
const door = await listen((request, response) => {
  visits.push(request.url ?? '');
  answer(request, response);
});

function endless(response: ServerResponse): void {
  response.on('close', () => broken.push('/endless'));
  const write = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    response.once('drain', write);
  };
  write();
}

const NAMES: Record<string, string[]> = {
  'good.example.com': ['127.0.0.1'],
  'private.example.com': ['10.0.0.1'],
  'mixed.example.com': ['127.0.0.1', '192.168.0.1'],
  'mixed6.example.com': ['127.0.0.1', 'fe80::1'],
  'metadata.example.com': ['169.254.169.254'],
};
async function resolveFake(hostname: string): Promise<string[]> {
  const found = NAMES[hostname.replace(/\.$/, '')];
  if (found === undefined) throw new Error('ENOTFOUND');
  return found;
}
/** Treats the test's server as public. Other private addresses stay private. */
const open: WebOptions = {
  ports: [443, 80, port, door],
  resolve: resolveFake,
  isPublic: (address) => address === '127.0.0.1' || isPublicAddress(address),
};
const base = `http://good.example.com:${port}`;

function get(url: string, request: Partial<WebRequest> = {}, options: WebOptions = open) {
  return undiciWeb(options).fetchPublic(url, {
    maxBytes: 1000,
    timeoutMs: 30_000,
    allowHttp: true,
    ...request,
  });
}

describe('fetchPublic', () => {
  it('returns the content', async () => {
    expect(await get(`${base}/text#part`)).toEqual({
      url: `${base}/text`,
      status: 200,
      contentType: 'text/plain',
      bytes: Buffer.from('Grüße'),
    });
  });

  it('returns any status', async () => {
    expect(await get(`${base}/missing`)).toMatchObject({ status: 404, contentType: '' });
    expect(await get(`${base}/lost`)).toMatchObject({ status: 302, bytes: Buffer.from('nowhere') });
  });

  it.each(['gzip', 'brotli'])('decompresses %s', async (packing) => {
    expect((await get(`${base}/${packing}`)).bytes.toString()).toBe('packed');
  });

  it("sends the Host header, accepted types, and nothing that identifies the service's user", async () => {
    await get(`${base}/text`, { accept: 'text/markdown' });
    const { headers = {} } = seen.at(-1) ?? {};
    expect(headers).toMatchObject({ host: `good.example.com:${port}`, accept: 'text/markdown' });
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['cookie', 'authorization', 'referer']));
  });

  it.each([301, 302, 303, 307, 308])('follows a %i redirect, relative or to another host', async (status) => {
    const to = encodeURIComponent(
      `/?status=${status}&to=${encodeURIComponent(`http://127.0.0.1:${port}/text`)}`,
    );
    expect(await get(`${base}/?status=${status}&to=${to}`)).toMatchObject({
      url: `http://127.0.0.1:${port}/text`,
      status: 200,
    });
  });

  it('gives up after five redirects', async () => {
    const chain = (left: number): string =>
      left === 0 ? '/text' : `/?to=${encodeURIComponent(chain(left - 1))}`;
    expect(await get(base + chain(5))).toMatchObject({ status: 200 });
    await expect(get(base + chain(6))).rejects.toThrow(UpstreamFailed);
    await expect(get(`${base}/?to=`)).rejects.toThrow(UpstreamFailed);
  });

  it("fails with the reason of the caller's signal", async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    setTimeout(() => controller.abort(reason), 50);
    await expect(get(`${base}/slow`, { signal: controller.signal })).rejects.toBe(reason);
    await expect(get(`${base}/text`, { signal: controller.signal })).rejects.toBe(reason);
  });
});

describe('refused URL', () => {
  it.each([
    ['nothing', ''],
    ['a relative URL', '/text'],
    ['an invalid URL', 'http://'],
    ['a file', 'file:///etc/passwd'],
    ['data', 'data:text/plain,x'],
    ['ftp', 'ftp://example.com/'],
    ['a script', 'javascript:alert(1)'],
    ['a user name', 'https://user@example.com/'],
    ['a password', 'https://:secret@example.com/'],
    ['another port', 'https://example.com:8443/'],
    ['the port of SSH', 'http://example.com:22/'],
    ['a URL over 2048 characters', `https://example.com/${'x'.repeat(2050)}`],
    ['a space in the host', 'https://exa mple.com/'],
    ['localhost', 'http://localhost/'],
    ['localhost with its domain', 'http://localhost./'],
    ['a subdomain of localhost', 'http://x.localhost/'],
    ['a name without a dot', 'http://metadata/'],
    ['an internal name', 'http://metadata.google.internal/'],
    ['a name of the local network', 'http://printer.local/'],
    ['a private address', 'http://10.0.0.1/'],
    ['metadata', 'http://169.254.169.254/latest/meta-data/'],
    ['another loopback address', 'http://127.0.0.2/'],
    ['a short form', 'http://127.2/'],
    ['a decimal form', 'http://2130706434/'],
    ['a hexadecimal form', 'http://0x7f000002/'],
    ['an octal form', 'http://0177.0.0.02/'],
    ['a mixed form', 'http://0x7f.0.02/'],
    ['full-width digits', 'http://１２７.０.０.２/'],
    ['a percent-encoded form', 'http://%31%32%37.0.0.2/'],
    ['zero', 'http://0/'],
    ['a private address with a trailing dot', 'http://10.0.0.1./'],
    ['IPv6 loopback', 'http://[::1]/'],
    ['IPv6 unspecified', 'http://[::]/'],
    ['mapped', 'http://[::ffff:10.0.0.1]/'],
    ['mapped, hexadecimal', 'http://[::ffff:a9fe:a9fe]/'],
    ['translated', 'http://[64:ff9b::10.0.0.1]/'],
    ['6to4', 'http://[2002:a00:1::]/'],
    ['unique local', 'http://[fd00:ec2::254]/'],
    ['a name with a private address', 'http://private.example.com/'],
    ['a name with the metadata address', 'http://metadata.example.com/'],
    ['a name with a public and a private address', `http://mixed.example.com:${door}/text`],
    ['a name with an additional link-local IPv6 address', `http://mixed6.example.com:${door}/text`],
  ])('is %s', async (_what, url) => {
    visits.length = 0;
    const refused = await get(url).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InvalidInput);
    expect((refused as Error).message).toMatch(/^url (must|can't) /);
    expect(visits).toEqual([]);
    if (!URL.canParse(url)) return; // it redirects to the same server, or to no URL
    const to = encodeURIComponent(new URL(url).href);
    await expect(get(`http://good.example.com:${door}/?to=${to}`)).rejects.toThrow(InvalidInput);
    expect(visits.length).toBeLessThanOrEqual(1);
  });

  it('is plain HTTP if that is not allowed, even after a redirect', async () => {
    await expect(get(`${base}/text`, { allowHttp: false })).rejects.toThrow('url must be an HTTPS URL.');
  });

  it("is any private URL under the service's rules", async () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      await expect(
        undiciWeb().fetchPublic(`https://${host}/`, { maxBytes: 1, timeoutMs: 30_000 }),
      ).rejects.toThrow('url must lead to a public address.');
    }
  });
});

describe('host name with changing addresses', () => {
  it('is resolved once per request, so that the connection uses the checked address', async () => {
    const hits: string[] = [];
    await listen((_, response) => response.end(String(hits.push('inner'))), '127.0.0.2', port);
    let asked = 0;
    const resolve = async () => [asked++ === 0 ? '127.0.0.1' : '127.0.0.2'];
    const url = `http://rebind.example.com:${port}/text`;
    const answer = await get(url, {}, { ...open, resolve });
    expect([answer.bytes.toString(), asked, hits]).toEqual(['Grüße', 1, []]);
    await expect(get(url, {}, { ...open, resolve })).rejects.toThrow(InvalidInput);
    expect(hits).toEqual([]);
  });
});

describe('bad response', () => {
  it.each([
    ['too large', '/large', 'more than 1000 bytes'],
    ['endless', '/endless', 'more than 1000 bytes'],
    ['a decompression bomb', '/bomb', 'more than 1000 bytes'],
    ['truncated', '/cut', "Can't reach good.example.com"],
    ['in another encoding than declared', '/not-gzip', "Can't reach good.example.com"],
  ])('is %s', async (_what, path, text) => {
    const failed = await get(base + path).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(UpstreamFailed);
    expect((failed as Error).message).toContain(text);
  });

  it('is not read any further', async () => {
    await get(`${base}/endless`).catch(() => undefined);
    const sent = seen.filter(({ url }) => url === '/endless').length;
    await eventually(
      async () => broken.length,
      (count) => count === sent,
    );
  });

  it.each(['/slow', '/silent'])('ends at the deadline: %s', async (path) => {
    await expect(get(base + path, { timeoutMs: 200 })).rejects.toThrow(
      'good.example.com did not answer within 0.2 s',
    );
  });

  it('is a resolver timeout, an unknown name, or a closed port', async () => {
    const silent = { ...open, resolve: () => new Promise<string[]>(() => undefined) };
    await expect(get(`${base}/text`, { timeoutMs: 100 }, silent)).rejects.toThrow(UpstreamFailed);
    await expect(get('http://none.example.com/')).rejects.toThrow('none.example.com has no IP address');
    await expect(get('http://good.example.com/', {}, { ...open, ports: [80] })).rejects.toThrow(
      "Can't reach good.example.com",
    );
  });
});

describe('fetchPublic with a proxy', () => {
  const asked: string[] = [];

  it('lets the proxy resolve names, but refuses those that are private on this host', async () => {
    const proxyPort = await listen((request, response) => {
      asked.push(request.url ?? '');
      response.end('from the proxy');
    });
    const proxy = { http: `http://127.0.0.1:${proxyPort}`, https: undefined, no: 'good.example.com' };
    const options = { ...open, proxy };
    const answer = await get('http://only-there.example.com/x', {}, options);
    expect([answer.bytes.toString(), asked]).toEqual(['from the proxy', ['http://only-there.example.com/x']]);
    for (const host of ['10.0.0.1', 'localhost', 'private.example.com', 'metadata.google.internal']) {
      await expect(get(`http://${host}/`, {}, options)).rejects.toThrow(InvalidInput);
    }
    expect((await get(`${base}/text`, {}, options)).bytes.toString()).toBe('Grüße');
    expect(asked).toHaveLength(1);
  });
});

describe('postPublic', () => {
  const post = (url: string, timeoutMs = 30_000, options = open) =>
    undiciWeb(options).postPublic(url, {
      headers: { 'x-own': 'yes' },
      body: '{}',
      timeoutMs,
      allowHttp: true,
    });

  it('sends the body and the headers, and returns the status without the body', async () => {
    expect(await post(`${base}/missing`)).toEqual({ status: 404, retryAfter: null });
    const { method, headers = {} } = seen.at(-1) ?? {};
    expect([method, headers['x-own'], headers['content-length']]).toEqual(['POST', 'yes', '2']);
  });

  it('follows no redirect', async () => {
    const to = encodeURIComponent(`http://127.0.0.1:${door}/secret`);
    expect(await post(`${base}/?status=307&to=${to}`)).toEqual({ status: 307, retryAfter: null });
    expect(visits.filter((url) => url === '/secret')).toEqual([]);
  });

  it('ends an endless body with its headers', async () => {
    broken.length = 0;
    expect(await post(`${base}/endless`)).toMatchObject({ status: 200 });
    await eventually(
      async () => broken,
      (ended) => ended.includes('/endless'),
    );
  });

  it('waits no longer than it may', async () => {
    await expect(post(`${base}/silent`, 200)).rejects.toThrow('did not answer within 0.2 s');
  });

  it.each([
    ['http://10.0.0.1/', 'must lead to a public address'],
    ['http://private.example.com/', 'must lead to a public address'],
    ['http://mixed.example.com/', 'must lead to a public address'],
    ['http://metadata.example.com/', 'must lead to a public address'],
    ['http://a:b@good.example.com/', "can't contain a user name"],
    ['http://good.example.com:81/', 'must use the default port'],
  ])('refuses %s', async (url, why) => {
    await expect(post(url)).rejects.toThrow(why);
  });

  it('refuses plain http unless a test allows it', async () => {
    const plain = undiciWeb(open).postPublic(`${base}/text`, { headers: {}, body: '', timeoutMs: 1000 });
    await expect(plain).rejects.toThrow('must be an HTTPS URL');
  });
});

describe('publicAddresses', () => {
  it('returns the checked addresses', async () => {
    expect(await publicAddresses('good.example.com', open)).toEqual(['127.0.0.1']);
    expect(await publicAddresses('8.8.8.8')).toEqual(['8.8.8.8']);
    expect(await publicAddresses('[2606:4700:4700::1111]')).toEqual(['2606:4700:4700::1111']);
    expect(await publicAddresses('2606:4700:4700::1111')).toEqual(['2606:4700:4700::1111']);
  });

  it.each(['', 'a b', 'x/y', 'user@x.com', 'x.com:80', '0x7f.1', '2130706433', '::1', '[::1]', 'LOCALHOST'])(
    'refuses %j',
    async (host) => {
      await expect(publicAddresses(host)).rejects.toThrow(InvalidInput);
    },
  );
});
