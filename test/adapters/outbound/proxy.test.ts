import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { EnvHttpProxyAgent } from 'undici';
import { proxyAgentOptions, proxyHttpAgents, tunnelThrough } from '../../../lib/adapters/outbound/proxy.ts';
import { startConnectProxy } from '../../support/fakes/connect-proxy.ts';
import { whenDone } from '../../support/temp-folder.ts';

/** A proxy gets an absolute URL, a server doesn't. */
const server = createServer(
  ({ url = '' }, response) => void response.end(url[0] === '/' ? 'direct' : 'proxy'),
);
let port = 0;
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
  whenDone(async () => void server.close().closeAllConnections());
});

/** All names resolve to this host. */
type Found = (error: null, addresses: { address: string; family: 4 }[]) => void;
const lookup = (_name: string, _options: object, found: Found) =>
  found(null, [{ address: '127.0.0.1', family: 4 }]);

const settings = (no: string | undefined) => ({ http: `http://127.0.0.1:${port}`, https: undefined, no });

function askByAgent(host: string, no?: string): Promise<string> {
  const agent = proxyHttpAgents(settings(no))?.httpAgent;
  return new Promise((told, failed) => {
    request({ host, port, agent, lookup }, (answer) => {
      answer.on('data', (bytes: Buffer) => told(bytes.toString()));
    })
      .on('error', failed)
      .end();
  });
}

async function askByFetch(host: string, no?: string): Promise<string> {
  const dispatcher = new EnvHttpProxyAgent({ ...proxyAgentOptions(settings(no)), connect: { lookup } });
  const { body } = await dispatcher.request({ origin: `http://${host}:${port}`, path: '/', method: 'GET' });
  return body.text().finally(() => dispatcher.destroy());
}

describe('proxyHttpAgents', () => {
  it.each<[string, string | undefined, string]>([
    ['a.example', undefined, 'proxy'],
    ['a.example', 'a.example', 'direct'],
    ['A.example', 'b.example, a.example', 'direct'],
    ['a.example', 'b.example a.example', 'direct'],
    ['b.a.example', 'a.example', 'direct'],
    ['ba.example', 'a.example', 'proxy'],
    ['a.example', '.a.example', 'direct'],
    ['b.a.example', '.a.example', 'direct'],
    ['a.example', '*.a.example', 'proxy'],
    ['b.a.example', '*.a.example', 'direct'],
    ['a.example', '*', 'direct'],
    ['a.example', 'a.example:1', 'proxy'],
    ['localhost', undefined, 'direct'],
    ['127.0.0.1', 'a.example', 'direct'],
  ])('routes %s with NO_PROXY=%s like fetch: %s', async (host, no, way) => {
    expect([await askByAgent(host, no), await askByFetch(host, no)]).toEqual([way, way]);
  });

  it('returns no agents without a proxy', () => {
    expect(proxyHttpAgents({ http: undefined, https: undefined, no: '*' })).toBeUndefined();
  });
});

describe('tunnelThrough', () => {
  const signal = AbortSignal.timeout(10_000);

  it('opens a tunnel through the proxy', async () => {
    const proxy = await startConnectProxy(port);
    const socket = await tunnelThrough(
      { http: undefined, https: proxy.url, no: undefined },
      'a.example:443',
      signal,
    );
    socket?.end('GET /x HTTP/1.0\r\n\r\n');
    const [answer] = await Array.fromAsync(socket ?? []);
    expect([String(answer), proxy.asked]).toEqual([expect.stringContaining('direct'), ['a.example:443']]);
  });

  it.each([undefined, 'a.example', '.example', '*.example', '*', 'b.example, a.example'])(
    'opens no tunnel without a proxy for the host (no_proxy: %s)',
    async (no) => {
      const proxy = no === undefined ? undefined : { ...settings(no), https: undefined };
      expect(await tunnelThrough(proxy, 'a.example:443', signal)).toBeUndefined();
    },
  );

  it('fails if the proxy refuses', async () => {
    await expect(tunnelThrough(settings('b.example'), 'a.example:443', signal)).rejects.toThrow();
  });
});
