import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { fakeLogin } from './fake-login.ts';

export type FakeIssuer = Awaited<ReturnType<typeof startFakeIssuer>>;

/**
 * A small OpenID Connect issuer on loopback, with discovery, a sign-in page, and keys that can rotate, fail,
 * and be counted.
 */
export async function startFakeIssuer(alg = 'RS256') {
  const state = { keys: [] as JWK[], keyStatus: 200, keyRequests: 0, current: await makeKey(alg) };
  state.keys = [state.current.jwk];
  const server = createServer((request, response) => {
    const send = (status: number, body: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
        .end(JSON.stringify(body));
    const { pathname, searchParams } = new URL(request.url ?? '/', url());
    if (pathname === '/.well-known/openid-configuration') {
      const [authorization_endpoint, token_endpoint] = [`${url()}/authorize`, `${url()}/token`];
      send(200, { issuer: url(), jwks_uri: `${url()}/keys`, authorization_endpoint, token_endpoint });
    } else if (pathname === '/authorize') {
      response.writeHead(302, { location: login.letIn(searchParams) }).end();
    } else if (pathname === '/token') {
      void text(request).then(async (body) => send(...(await login.exchange(new URLSearchParams(body)))));
    } else {
      state.keyRequests += 1;
      send(state.keyStatus, { keys: state.keys });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  /** Signs a token that is valid unless the changes make it invalid. */
  const sign = (claims: JWTPayload = {}, header: Record<string, unknown> = {}, key = state.current) => {
    const now = Math.floor(Date.now() / 1000);
    const usual = { iss: url(), aud: 'wrs', sub: 'ann', iat: now, exp: now + 60, role: 'member' };
    return new SignJWT({ ...usual, ...claims })
      .setProtectedHeader({ alg, kid: key.jwk.kid ?? '', ...header })
      .sign(key.privateKey);
  };
  const login = fakeLogin((claims) => sign(claims));
  return {
    url: url(),
    state,
    login,
    sign,
    publicKeyText: () => exportSPKI(state.current.publicKey),
    async rotate() {
      state.current = await makeKey(alg);
      state.keys = [state.current.jwk];
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export async function makeKey(alg: string) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: crypto.randomUUID(), alg, use: 'sig' };
  return { privateKey, publicKey, jwk };
}
