import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';

type Sign = (claims: JWTPayload) => Promise<string>;

/**
 * An issuer's pages for people, in which every visitor is signed in immediately. A code is valid once, for
 * its redirect URL and verifier (RFC 6749 and 7636), as is a refresh token.
 */
export function fakeLogin(sign: Sign) {
  const codes = new Map<string, URLSearchParams>();
  const refreshTokens = new Set<string>();
  const claims: JWTPayload = { sub: 'ann', role: 'admin', exp: Math.floor(Date.now() / 1000) + 600 };
  let exchanged = 0;

  const tokensFor = async (clientId: string, nonce?: string) => {
    const refreshToken = randomUUID();
    refreshTokens.add(refreshToken);
    return {
      token_type: 'Bearer',
      expires_in: 600,
      access_token: await sign(claims),
      refresh_token: refreshToken,
      id_token: await sign({ ...claims, aud: clientId, ...(nonce && { nonce }) }),
    };
  };

  return {
    claims,
    /** Returns how often a code became a token. */
    exchanged: () => exchanged,
    letIn(asked: URLSearchParams): string {
      assert.equal(asked.get('response_type'), 'code');
      assert.equal(asked.get('code_challenge_method'), 'S256');
      const code = randomUUID();
      codes.set(code, asked);
      const back = new URL(asked.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', asked.get('state') ?? '');
      return back.href;
    },
    async exchange(form: URLSearchParams): Promise<[status: number, body: unknown]> {
      const refused: [number, unknown] = [400, { error: 'invalid_grant' }];
      const { client_id: clientId = '', grant_type: grant, refresh_token = '', code = '' } = fieldsOf(form);
      if (grant === 'refresh_token')
        return refreshTokens.delete(refresh_token) ? [200, await tokensFor(clientId)] : refused;
      const asked = codes.get(code);
      codes.delete(code);
      if (asked === undefined || !belongs(asked, form)) return refused;
      exchanged += 1;
      return [200, await tokensFor(clientId, asked.get('nonce') ?? undefined)];
    },
  };
}

const fieldsOf = (form: URLSearchParams): Record<string, string> => Object.fromEntries(form);

function belongs(asked: URLSearchParams, form: URLSearchParams): boolean {
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  return (
    asked.get('code_challenge') === challenge &&
    asked.get('redirect_uri') === form.get('redirect_uri') &&
    asked.get('client_id') === form.get('client_id')
  );
}
