import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exportJWK, generateKeyPair } from 'jose';
import type { Page } from 'playwright-core';
import { installOnce } from '../../support/install-once.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { runCommand } from '../servers/install.ts';
import type { RealIssuer } from './real-issuer.ts';

const VERSION = '9.13.3';
const AUDIENCE = 'https://research.example.org/api';
const CLIENT = 'console';

/** npm's oidc-provider with its development sign-in: any name and password. Roles are in the claim `role`. */
export async function startOidcProvider(service: string): Promise<RealIssuer> {
  const folder = await installOnce('oidc-provider', VERSION, async (into) => {
    await runCommand('npm', ['install', '--prefix', into, `oidc-provider@${VERSION}`]);
  });
  const entry = pathToFileURL(join(folder, 'node_modules/oidc-provider/lib/index.js')).href;
  const { default: Provider } = await import(entry);
  let handle: RequestListener = () => {};
  const server = createServer((request, response) => handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenDone(async () => server.closeAllConnections());
  whenDone(async () => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const removed = new Set<string>();
  let lifeSeconds = 600;
  const useNewKey = async () => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: 'RS256', use: 'sig' };
    handle = new Provider(
      url,
      settingsOf(service, key, removed, () => lifeSeconds),
    ).callback();
  };
  await useNewKey();
  return {
    name: 'oidc-provider',
    url,
    environment: { OIDC_ISSUER: url, OIDC_AUDIENCE: AUDIENCE, OIDC_CLIENT_ID: CLIENT },
    enter,
    rotateKey: useNewKey,
    async setLifetime(seconds) {
      lifeSeconds = seconds;
    },
    async remove(person) {
      removed.add(person);
    },
  };
}

/** The provider's own pages: a name and any password, then the consent. */
async function enter(page: Page, person: string): Promise<void> {
  await page.locator('input[name=login]').fill(person);
  await page.locator('input[name=password]').fill('any');
  await page.getByRole('button').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

function settingsOf(service: string, key: object, removed: Set<string>, lifeOf: () => number) {
  return {
    jwks: { keys: [key] },
    clients: [
      {
        client_id: CLIENT,
        redirect_uris: [`${service}/signed-in`],
        token_endpoint_auth_method: 'none',
      },
    ],
    clientBasedCORS: () => true,
    cookies: { keys: ['of a test'] },
    findAccount: (_context: unknown, sub: string) =>
      removed.has(sub) ? undefined : { accountId: sub, claims: () => ({ sub, name: nameOf(sub) }) },
    features: {
      resourceIndicators: {
        defaultResource: () => AUDIENCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          ...{ scope: 'research', audience: AUDIENCE, accessTokenFormat: 'jwt' },
          accessTokenTTL: lifeOf(),
        }),
      },
    },
    extraTokenClaims: (_context: unknown, { accountId }: { accountId: string }) => ({
      name: nameOf(accountId),
      ...(accountId !== 'dan' && { role: 'member' }),
    }),
  };
}

const nameOf = (sub: string) => `${sub[0]?.toUpperCase()}${sub.slice(1)} Owl`;
