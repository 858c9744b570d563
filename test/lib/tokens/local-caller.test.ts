import { describe, expect, it } from '@jest/globals';
import { localCaller } from '../../../lib/tokens/local-caller.ts';

const call = (sent: Record<string, string | undefined>, protocol = 'HTTP/1.1') => {
  const given = Object.entries({ Host: '127.0.0.1:3000', ...sent }).filter(
    ([, value]) => value !== undefined,
  );
  const headers = Object.fromEntries(given.map(([name, value]) => [name, [String(value)]]));
  return localCaller(headers, ['http://localhost:5173'], protocol);
};

describe('localCaller', () => {
  it.each([
    ['localhost:3000', undefined],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['[::1]:3000', undefined],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['localhost', 'http://localhost:5173'],
  ])('treats host %s with origin %s as the administrator', (Host, Origin) => {
    expect(call({ Host, Origin })).toMatchObject({ role: 'admin' });
  });

  it.each([
    ['same-origin', undefined],
    ['none', undefined],
    ['cross-site', 'http://localhost:5173'],
    ['same-site', 'http://localhost:5173'],
  ])('treats a request that the browser calls %s, of origin %s, as the administrator', (site, Origin) => {
    expect(call({ Origin, 'Sec-Fetch-Site': site })).toMatchObject({ role: 'admin' });
  });

  it.each(['cross-site', 'same-site', 'something new'])(
    'forbids a request without an origin that the browser calls %s',
    (site) => {
      expect(() => call({ 'Sec-Fetch-Site': site })).toThrow('other sites');
    },
  );

  it.each([
    ['evil.example', undefined],
    ['127.0.0.1.evil.example:3000', undefined],
    ['localhost.evil.example', undefined],
    ['', undefined],
    ['127.0.0.1:3000', 'https://evil.example'],
    ['127.0.0.1:3000', 'null'],
    ['127.0.0.1:3000', 'http://127.0.0.1:4000'],
    ['127.0.0.1:3000', 'https://127.0.0.1:3000'],
  ])('forbids host %s with origin %s', (Host, Origin) => {
    expect(() => call({ Host, Origin })).toThrow();
  });

  it.each([
    ['http://127.0.0.1:3000/w/1', true],
    ['http://localhost:5173/', true],
    ['https://research.example.org/w/1', false],
    ['http://127.0.0.1:4000/', false],
    ['not a URL', false],
  ])('lets a page at %s call: %s', (Referer, may) => {
    if (may) expect(call({ Referer })).toMatchObject({ role: 'admin' });
    else expect(() => call({ Referer })).toThrow();
  });

  it('allows CORS_ORIGINS only from a page of this host', () => {
    expect(() => call({ Origin: 'http://localhost:4000' })).toThrow('CORS_ORIGINS');
    expect(() => call({ Origin: 'https://research.example.org' })).toThrow(/AUTH_MODE to token/);
    expect(() => call({ Origin: 'https://research.example.org' })).not.toThrow('CORS_ORIGINS');
  });

  it.each([
    ['X-Forwarded-For', 'unknown'],
    ['x-forwarded-proto', 'https'],
    ['X-Forwarded-Host', 'research.example.org'],
    ['X-Forwarded-Server', 'web1'],
    ['CloudFront-Forwarded-Proto', 'https'],
    ['Forwarded', 'for=192.0.2.1;proto=https'],
    ['Via', '1.1 Caddy'],
    ['X-Real-IP', '192.0.2.1'],
    ['X-Real-IP', '127.0.0.2'],
    ['CF-Connecting-IP', '2001:db8::7'],
    ['True-Client-IP', '192.0.2.1, 192.0.2.2'],
    ['X-Client-Address', '192.0.2.1:51234'],
    ['X-Envoy-External-Address', '[2001:db8::7]:51234'],
    ['X-Azure-SocketIP', '::ffff:192.0.2.1'],
    ['X-Scheme', 'https'],
    ['Made-Up-Tomorrow', '192.0.2.1'],
  ])('forbids requests through a proxy with %s: %s', (name, value) => {
    expect(() => call({ [name]: value })).toThrow(`came through a proxy (${name})`);
  });

  it('forbids requests through an HTTP/1.0 proxy', () => {
    expect(() => call({}, 'HTTP/1.0')).toThrow('came through a proxy (HTTP/1.0)');
  });

  it.each([
    ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0.0.0 Safari/537.36'],
    ['sec-ch-ua', '"Chromium";v="120", "Not=A?Brand";v="99"'],
    ['sec-ch-ua-full-version', '"120.0.0.0"'],
    ['Cookie', 'last=127.0.0.1; theme=dark'],
    ['Accept-Language', 'en-US,en;q=0.9'],
    ['Connection', 'close'],
    ['Upgrade-Insecure-Requests', '1'],
    ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
    ['Mcp-Protocol-Version', '2025-06-18'],
    ['x-stainless-runtime-version', 'v24.1.0'],
  ])("accepts a client's own headers: %s: %s", (name, value) => {
    expect(call({ [name]: value })).toMatchObject({ role: 'admin' });
  });
});
