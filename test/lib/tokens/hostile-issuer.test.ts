import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { oidcVerifier } from '../../../lib/tokens/oidc.ts';
import { makeKey, startFakeIssuer } from '../../support/fakes/fake-issuer.ts';
import { waitedMs } from '../../support/processes/waited.ts';

let issuer: Awaited<ReturnType<typeof startFakeIssuer>>;
let check: ReturnType<typeof oidcVerifier>;
const verifierOf = (url: string, roleClaim = 'role') =>
  oidcVerifier({ issuer: url, audience: 'wrs', roleClaim, groupsClaim: 'groups', roleMap: [] });

beforeAll(async () => {
  issuer = await startFakeIssuer();
  check = verifierOf(issuer.url);
});
afterAll(() => issuer.stop());

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('token of an issuer', () => {
  it.each([
    ['with a path', '../../../../dev/null'],
    ['with SQL', "' OR 1=1 --"],
    ['with 10,000 characters', 'k'.repeat(10_000)],
    ['with the name of an inherited property', '__proto__'],
  ])('is rejected with a key ID %s', async (_name, kid) => {
    expect(await check(await issuer.sign({}, { kid }))).toBeUndefined();
  });

  it.each([
    ['a key by jku', { jku: 'http://127.0.0.1:9/keys' }],
    ['a key by x5u', { x5u: 'http://127.0.0.1:9/cert' }],
    ['a certificate', { x5c: ['MIIB'] }],
  ])(
    'is rejected, or signed by the issuer, if it contains %s, which is never fetched',
    async (_name, header) => {
      expect(await check(await issuer.sign({}, header))).toMatchObject({ id: 'ann' });
      expect(await check(await issuer.sign({}, header, await makeKey('RS256')))).toBeUndefined();
    },
  );

  it.each([
    ["a header that isn't an object", `${encode([])}.${encode({})}.x`],
    ['a key ID that is an object', `${encode({ alg: 'RS256', kid: {} })}.${encode({})}.x`],
    ['an algorithm that is a number', `${encode({ alg: 7 })}.${encode({})}.x`],
    ['the algorithm None', `${encode({ alg: 'None' })}.${encode({ sub: 'ann' })}.`],
    ['a critical header', `${encode({ alg: 'RS256', crit: ['exp'], exp: 1 })}.${encode({})}.x`],
    ['15,000 dots', '.'.repeat(15_000)],
  ])('is rejected, without a service failure: %s', async (_name, token) => {
    expect(await check(token)).toBeUndefined();
  });

  it.each(['local', 'service', 'operator', 'ima:ou_1', 'imb:1'])(
    "is rejected if its sub isn't a user: %s",
    async (sub) => {
      const refused = { code: 'role_unknown', message: expect.stringContaining(`, ${sub}, is a name`) };
      await expect(check(await issuer.sign({ sub }))).rejects.toMatchObject(refused);
      expect(await check(await issuer.sign({ sub: `${sub}x`.replace(':', '-') }))).toBeDefined();
    },
  );

  it('is rejected within another token', async () => {
    const inner = await issuer.sign();
    expect(
      await check(`${encode({ alg: 'none', cty: 'JWT' })}.${Buffer.from(inner).toString('base64url')}.`),
    ).toBe(undefined);
  });

  it.each([
    ['a trailing slash', (url: string) => `${url}/`],
    ['capitals', (url: string) => url.toUpperCase()],
    ['another name of this host', (url: string) => url.replace('127.0.0.1', 'localhost')],
    ['a look-alike letter', (url: string) => url.replace('h', 'һ')],
  ])('is rejected from an issuer with %s', async (_name, change) => {
    expect(await check(await issuer.sign({ iss: change(issuer.url) }))).toBeUndefined();
  });

  it.each<[string, Record<string, unknown>, boolean]>([
    ['accepts one for us among others', { aud: ['other', 'wrs'] }, true],
    ['rejects one for others', { aud: ['other', 'wrs '] }, false],
    ['rejects a nested list', { aud: [['wrs']] }, false],
    ['rejects an empty audience', { aud: [] }, false],
    ["rejects one of another client that isn't for us", { aud: 'console', azp: 'wrs' }, false],
    ['rejects an expiration as a string', { exp: '99999999999' }, false],
    ['rejects a start as a string', { nbf: 'now' }, false],
    ['rejects a start in the year 5138', { nbf: 99_999_999_999 }, false],
  ])('%s', async (_name, claims, isGood) => {
    expect((await check(await issuer.sign(claims as JWTPayload)))?.id).toBe(isGood ? 'ann' : undefined);
  });

  it.each([
    [undefined, true],
    ['JWT', true],
    ['at+jwt', true],
    ['application/at+jwt', true],
    ['logout+jwt', false],
    ['secevent+jwt', false],
    ['dpop+jwt', false],
    ['ID', false],
    [7, false],
  ])('has for the type %j the validity %j', async (typ, isGood) => {
    expect((await check(await issuer.sign({}, { typ })))?.id).toBe(isGood ? 'ann' : undefined);
  });

  it.each([
    ['longer than 255 characters', 'a'.repeat(256)],
    ['with a line break', 'ann\nadmin'],
    ['with a null', 'ann\0'],
  ])('is rejected if its subject is %s', async (_name, sub) => {
    expect(await check(await issuer.sign({ sub }))).toBeUndefined();
  });

  it.each(['constructor', 'toString', '__proto__.role', 'role.length', 'a.constructor.name'])(
    'has no role with the name of an inherited property: %s',
    async (claim) => {
      const token = await issuer.sign({ role: 'admin', a: {} });
      await expect(verifierOf(issuer.url, claim)(token)).rejects.toThrow('You have no role');
    },
  );

  it.each([
    ['names of inherited properties', ['__proto__', 'constructor'], ['__proto__', 'constructor']],
    ['nested lists', [['admins']], undefined],
    ['numbers', [1, 2], undefined],
    ['an object', { length: 1, 0: 'admins' }, undefined],
    ['true', true, undefined],
  ])('has only names as groups if they are %s', async (_name, groups, wanted) => {
    expect((await check(await issuer.sign({ groups })))?.groups).toEqual(wanted);
  });
});

type Page = (response: ServerResponse) => void;

/** An issuer with arbitrary responses. */
async function startIssuer(pages: (url: string) => { discovery: Page; keys?: Page }) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    const { discovery, keys } = pages(url);
    if (request.url?.startsWith('/.well-known')) discovery(response);
    else keys?.(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url, seen, stop };
}

const json =
  (value: unknown): Page =>
  (response) =>
    void response.end(JSON.stringify(value));
const redirect: Page = (response) => void response.writeHead(302, { location: '/stolen' }).end();
const endless: Page = (response) => {
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
  };
  response.on('drain', more);
  more();
};
const drip: Page = (response) => {
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => clearInterval(timer));
};

describe('issuer', () => {
  const described = (url: string, jwks_uri = `${url}/keys`) => json({ issuer: url, jwks_uri });
  it.each<[string, (url: string) => { discovery: Page; keys?: Page }]>([
    [
      'with the metadata of another issuer',
      (url) => ({ discovery: json({ issuer: `${url}/`, jwks_uri: `${url}/keys` }) }),
    ],
    ['with redirected metadata', () => ({ discovery: redirect })],
    ["with metadata that isn't JSON", () => ({ discovery: (response) => void response.end('<html>') })],
    ['with endless metadata', () => ({ discovery: endless })],
    ['with slow metadata', () => ({ discovery: drip })],
    ['with redirected keys', (url) => ({ discovery: described(url), keys: redirect })],
    ['with endless keys', (url) => ({ discovery: described(url), keys: endless })],
    ['with slow keys', (url) => ({ discovery: described(url), keys: drip })],
    ["with keys that aren't a list", (url) => ({ discovery: described(url), keys: json({ keys: {} }) })],
    ['with a file URL for its keys', (url) => ({ discovery: described(url, 'file:///etc/passwd') })],
    [
      'with a data URL for its keys',
      (url) => ({ discovery: described(url, 'data:application/json,{"keys":[]}') }),
    ],
  ])('returns no keys in time %s, so that no user is signed in or signed out', async (_name, pages) => {
    const hostile = await startIssuer(pages);
    try {
      const verifying = async () => verifierOf(hostile.url)(await issuer.sign({ iss: hostile.url }));
      const refused = () => expect(verifying()).rejects.toThrow('OIDC issuer');
      expect(await waitedMs(refused)).toBeLessThan(9000);
      expect(hostile.seen).not.toContain('/stolen');
    } finally {
      hostile.stop();
    }
  });

  it('returns no keys if its host name is unknown', async () => {
    await expect(verifierOf('http://nowhere.invalid')(await issuer.sign())).rejects.toThrow('OIDC issuer');
  });

  it('is called once for many unknown keys', async () => {
    const other = await startFakeIssuer();
    const verify = verifierOf(other.url);
    const foreign = await makeKey('RS256');
    const storm = Array.from({ length: 200 }, (_, index) => other.sign({}, { kid: `k${index}` }, foreign));
    const answers = await Promise.all((await Promise.all(storm)).map(verify));
    expect(answers.every((answer) => answer === undefined)).toBe(true);
    expect(other.state.keyRequests).toBeLessThanOrEqual(2);
    expect(await verify(await other.sign())).toMatchObject({ id: 'ann' });
    await other.stop();
  });
});
