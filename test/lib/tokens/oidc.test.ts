import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { Forbidden } from '../../../lib/errors.ts';
import { oidcVerifier } from '../../../lib/tokens/oidc.ts';
import { makeKey, startFakeIssuer } from '../../support/fakes/fake-issuer.ts';

let issuer: Awaited<ReturnType<typeof startFakeIssuer>>;
let check: ReturnType<typeof oidcVerifier>;
const now = () => Math.floor(Date.now() / 1000);
const verifierOf = (url: string, roleClaim = 'role') =>
  oidcVerifier({ issuer: url, audience: 'wrs', roleClaim, groupsClaim: 'realm.groups', roleMap: [] });

beforeAll(async () => {
  issuer = await startFakeIssuer();
  check = verifierOf(issuer.url);
});
afterAll(() => issuer.stop());

describe('oidcVerifier', () => {
  it('returns the caller of a valid token', async () => {
    const token = await issuer.sign({ workspaceIds: ['w1'] });
    expect(await check(token)).toEqual({
      ...{ id: 'ann', role: 'member', workspaceIds: ['w1'] },
      profile: { kind: 'user' },
    });
  });

  it.each([
    ['another audience', { aud: 'other' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['an expiration long ago', { exp: now() - 60 }],
    ['no expiration', { exp: undefined }],
    ['a start in the future', { nbf: now() + 90 }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
  ])('rejects a token with %s', async (_name, claims) => {
    expect(await check(await issuer.sign(claims))).toBeUndefined();
  });

  it('tolerates a clock skew of 20 seconds', async () => {
    expect(await check(await issuer.sign({ exp: now() - 20 }))).toMatchObject({ id: 'ann' });
  });

  it('rejects a token without a signature', async () => {
    const token = new UnsecuredJWT({ role: 'admin' })
      .setIssuer(issuer.url)
      .setAudience('wrs')
      .setSubject('ann')
      .setExpirationTime('1m')
      .encode();
    expect(await check(token)).toBeUndefined();
  });

  it('rejects HS256 with the public key as the secret', async () => {
    const secret = new TextEncoder().encode(await issuer.publicKeyText());
    const token = await new SignJWT({ role: 'admin' })
      .setProtectedHeader({ alg: 'HS256', kid: issuer.state.current.jwk.kid })
      .setIssuer(issuer.url)
      .setAudience('wrs')
      .setSubject('ann')
      .setExpirationTime('1m')
      .sign(secret);
    expect(await check(token)).toBeUndefined();
  });

  it('rejects a foreign key, even if the token contains it', async () => {
    const foreign = await makeKey('RS256');
    const kid = issuer.state.current.jwk.kid;
    expect(await check(await issuer.sign({}, { kid }, foreign))).toBeUndefined();
    expect(await check(await issuer.sign({}, { kid, jwk: foreign.jwk }, foreign))).toBeUndefined();
  });

  it.each(['', 'a', 'a.b', 'a.b.c', '...', 'wrs_abc'])("rejects %j, which isn't a JWT", async (text) => {
    expect(await check(text)).toBeUndefined();
  });

  it.each([
    ['the highest of a list', { role: ['viewer', 'admin', 'nonsense'] }, 'admin'],
    ['one name', { role: 'viewer' }, 'viewer'],
  ])('reads the role: %s', async (_name, claims, role) => {
    expect(await check(await issuer.sign(claims))).toMatchObject({ role });
  });

  it.each([[undefined], ['owner'], [[]], [{ admin: true }], ['Admin']])(
    'forbids the role %j',
    async (role) => {
      await expect(check(await issuer.sign({ role }))).rejects.toBeInstanceOf(Forbidden);
    },
  );

  describe('with roles by group', () => {
    const roleMap = [
      { group: '/staff', role: 'viewer' as const },
      { group: 'research admins', role: 'admin' as const },
    ];
    const roleOf = async (claims: JWTPayload) => {
      const settings = {
        issuer: issuer.url,
        audience: 'wrs',
        roleClaim: 'role',
        groupsClaim: 'groups',
        roleMap,
      };
      return (await oidcVerifier(settings)(await issuer.sign(claims)))?.role;
    };

    it.each([
      ['a group', { role: undefined, groups: ['/staff', 'other'] }, 'viewer'],
      ['the highest of several groups', { role: undefined, groups: ['/staff', 'research admins'] }, 'admin'],
      ['a higher claim', { role: 'member', groups: ['/staff'] }, 'member'],
      ['a higher group', { role: 'viewer', groups: 'research admins' }, 'admin'],
      [
        'a group among too many to store',
        { role: undefined, groups: [...Array.from({ length: 2000 }, (_, at) => `g${at}`), '/staff'] },
        'viewer',
      ],
    ])('returns the role of %s', async (_name, claims, role) => {
      expect(await roleOf(claims)).toBe(role);
    });

    it.each([
      ['no group', undefined],
      ['a part of a name', ['/staff/temporary', 'staff']],
      ['another case', ['Research Admins']],
      ["a role's own name", ['admin']],
      ['an object', { '/staff': true }],
    ])('forbids %s, and names the user', async (_name, groups) => {
      const refused = roleOf({ role: undefined, groups });
      await expect(refused).rejects.toMatchObject({ code: 'role_unknown', sub: 'ann' });
      await expect(refused).rejects.toThrow(/assign one to ann\.$/);
    });
  });

  it.each([
    ['a list', ['a', 7, '', 'b c'], ['a', 'b c']],
    ['one name', 'a', ['a']],
    ['none', undefined, undefined],
    ['an empty list', [], undefined],
    ['invalid names', { admin: true }, undefined],
    ['none of ten thousand', Array.from({ length: 10_000 }, (_, index) => `g${index}`), undefined],
    ['none if a few are too long', ['a', 'b'.repeat(7000)], undefined],
  ])('reads groups: %s', async (_name, groups, wanted) => {
    expect((await check(await issuer.sign({ realm: { groups } })))?.groups).toEqual(wanted);
  });

  it('reads a role in nested claims, and with a name that contains dots', async () => {
    const nested = await issuer.sign({ realm_access: { roles: ['admin'] } });
    expect(await verifierOf(issuer.url, 'realm_access.roles')(nested)).toMatchObject({ role: 'admin' });
    const dotted = await issuer.sign({ 'https://a.example/role': 'viewer' });
    expect(await verifierOf(issuer.url, 'https://a.example/role')(dotted)).toMatchObject({ role: 'viewer' });
  });

  it.each([
    ['missing means all', undefined, null],
    ['a list', ['w'], ['w']],
    ['another format means none', 'w', []],
    ['null means none', null, []],
  ])('reads workspaceIds: %s', async (_name, claim, workspaceIds) => {
    expect(await check(await issuer.sign({ workspaceIds: claim }))).toMatchObject({ workspaceIds });
  });

  it('does not call the issuer again for every token with an invented key ID', async () => {
    const other = await startFakeIssuer();
    try {
      const verify = verifierOf(other.url);
      await verify(await other.sign());
      const foreign = await makeKey('RS256');
      for (let n = 0; n < 5; n++) expect(await verify(await other.sign({}, {}, foreign))).toBeUndefined();
      expect(other.state.keyRequests).toBe(1);
    } finally {
      await other.stop();
    }
  });

  it('uses the keys that the issuer currently publishes', async () => {
    const other = await startFakeIssuer('ES256');
    try {
      const old = await other.sign();
      await other.rotate();
      const verify = verifierOf(other.url);
      expect(await verify(await other.sign())).toMatchObject({ id: 'ann' });
      expect(await verify(old)).toBeUndefined();
    } finally {
      await other.stop();
    }
  });

  it('fails without rejecting tokens while the issuer fails, and works again afterward', async () => {
    const other = await startFakeIssuer();
    const verify = verifierOf(other.url);
    other.state.keyStatus = 500;
    const token = await other.sign();
    await expect(verify(token)).rejects.toThrow('OIDC issuer');
    other.state.keyStatus = 200;
    expect(await verify(token)).toMatchObject({ id: 'ann' });
    await other.stop();
    await expect(verifierOf(other.url)(token)).rejects.toThrow('OIDC issuer');
  });
});
