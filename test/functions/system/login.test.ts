import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../lib/config.ts';
import { startFakeIssuer } from '../../support/fakes/fake-issuer.ts';
import { startService } from '../../support/service.ts';

const OIDC = { AUTH_MODE: 'oidc', OIDC_ISSUER: 'https://login.example.org/tenant', OIDC_AUDIENCE: 'wrs' };

describe('GET /api/health', () => {
  it('tells unauthenticated callers how the console signs in, and nothing else about the issuer', async () => {
    const issuer = await startFakeIssuer();
    const service = await startService({ ...OIDC, OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: 'console' });
    const { body } = await service.call<{ login: unknown }>('GET', '/api/health');
    expect(body.login).toEqual({
      issuer: issuer.url,
      clientId: 'console',
      scope: 'openid',
      audience: 'wrs',
      acceptsTokens: false,
    });
    await Promise.all([service.stop(), issuer.stop()]);
  });
});

describe('sign-in configuration', () => {
  const login = (environment: Record<string, string>) => readConfig(environment).auth.login;

  it('is absent without a client, or without the issuer', () => {
    expect(login(OIDC)).toBeUndefined();
    expect(login({ OIDC_CLIENT_ID: 'console', AUTH_MODE: 'token' })).toBeUndefined();
  });

  it('lists each origin once, without paths', () => {
    const origins = 'https://tokens.example.org/a,https://login.example.org';
    expect(login({ ...OIDC, OIDC_CLIENT_ID: 'console', OIDC_ORIGINS: origins })?.origins).toEqual([
      'https://login.example.org',
      'https://tokens.example.org',
    ]);
  });

  it.each([
    ['a scope without openid', { OIDC_SCOPE: 'profile' }, /openid/],
    ['an invalid origin', { OIDC_ORIGINS: 'login' }, /OIDC_ORIGINS/],
    ['an origin with another protocol', { OIDC_ORIGINS: 'javascript:x;script-src *' }, /OIDC_ORIGINS/],
  ])('rejects %s', (_what, changed, told) => {
    expect(() => login({ ...OIDC, OIDC_CLIENT_ID: 'console', ...changed })).toThrow(told);
  });
});
