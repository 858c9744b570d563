import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

/** A small OpenID Connect issuer on loopback: discovery and keys that can rotate, fail, and be counted. */
export async function startFakeIssuer(alg = 'RS256') {
  const state = { keys: [] as JWK[], keyStatus: 200, keyRequests: 0, current: await makeKey(alg) };
  state.keys = [state.current.jwk];
  const server = createServer((request, response) => {
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/.well-known/openid-configuration') {
      send(200, { issuer: url(), jwks_uri: `${url()}/keys` });
    } else {
      state.keyRequests += 1;
      send(state.keyStatus, { keys: state.keys });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url(),
    state,
    /** A token that is good unless the changes make it bad. */
    sign(claims: JWTPayload = {}, header: Record<string, unknown> = {}, key = state.current) {
      const now = Math.floor(Date.now() / 1000);
      const payload = {
        iss: url(),
        aud: 'wrs',
        sub: 'ann',
        iat: now,
        exp: now + 60,
        role: 'member',
        ...claims,
      };
      return new SignJWT(payload)
        .setProtectedHeader({ alg, kid: key.jwk.kid ?? '', ...header })
        .sign(key.privateKey);
    },
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
