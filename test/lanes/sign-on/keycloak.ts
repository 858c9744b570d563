import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { findFreePort } from '../../../infra/free-port.ts';
import { installOnce } from '../../support/install-once.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';
import { runCommand } from '../servers/install.ts';
import { startProcess } from '../servers/process.ts';
import type { RealIssuer } from './real-issuer.ts';

const VERSION = '26.7.3';
const PAGE = resolve(import.meta.dirname, '../../../docs/operate/single-sign-on.md');
const PASSWORD = 'any-password';
/** Keycloak builds itself at its first start, which takes minutes on a busy host. */
const FIRST_START_MS = 600_000;

/** Keycloak with the client and the role map of the page on single sign-on. */
export async function startKeycloak(service: string): Promise<RealIssuer> {
  const server = await startServer();
  const admin = adminOf(server);
  await admin('POST', '', { realm: 'staff', enabled: true });
  const client = documentedClient().replaceAll('https://research.example.org', service);
  await admin('POST', '/staff/clients', JSON.parse(client));
  for (const name of ['researchers', 'research-admins']) await admin('POST', '/staff/groups', { name });
  await addPerson(admin, 'ann', ['researchers']);
  await addPerson(admin, 'dan', []);
  return {
    name: 'Keycloak',
    url: server,
    environment: { ...documentedSettings(), OIDC_ISSUER: `${server}/realms/staff` },
    enter,
    rotateKey: () => rotateKey(admin),
    setLifetime: async (accessTokenLifespan) => void (await admin('PUT', '/staff', { accessTokenLifespan })),
    async remove(person) {
      const [found] = (await admin('GET', `/staff/users?username=${person}`)) as { id: string }[];
      await admin('DELETE', `/staff/users/${found?.id}`);
    },
  };
}

/** A copy, because Keycloak writes into its own folder. */
async function startServer(): Promise<string> {
  const installed = await installOnce('keycloak', VERSION, async (folder) => {
    const artifact = `org.keycloak:keycloak-quarkus-dist:${VERSION}:tar.gz`;
    await runCommand('mvn', [
      '-q',
      '-B',
      'dependency:copy',
      `-Dartifact=${artifact}`,
      `-DoutputDirectory=${folder}`,
    ]);
    await runCommand('sh', ['-c', 'tar xzf *.tar.gz --strip-components=1 && rm *.tar.gz'], { cwd: folder });
    await runCommand('sh', ['bin/kc.sh', 'build', '--db=dev-mem'], { cwd: folder });
  });
  const folder = join(await tempFolder(), 'keycloak');
  await cp(installed, folder, { recursive: true });
  const [port, management] = [await findFreePort(), await findFreePort()];
  const url = `http://127.0.0.1:${port}`;
  const flags = ['--optimized', '--http-enabled=true', '--http-host=127.0.0.1', `--http-port=${port}`];
  const { stop } = await startProcess({
    name: 'Keycloak',
    file: join(folder, 'bin/kc.sh'),
    args: ['start', ...flags, `--hostname=${url}`, `--http-management-port=${management}`],
    env: {
      ...process.env,
      KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
      KC_BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
    },
    healthUrl: `${url}/realms/master`,
    readyWithinMs: FIRST_START_MS,
  });
  whenDone(stop);
  return url;
}

type Admin = (method: string, path: string, body?: unknown) => Promise<unknown>;

/**
 * Returns a caller of the administration API, which signs in for each call, because its tokens are
 * short-lived.
 */
function adminOf(server: string): Admin {
  const login = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password: PASSWORD };
  return async (method, path, body) => {
    const tokens = `${server}/realms/master/protocol/openid-connect/token`;
    const answer = await fetch(tokens, { method: 'POST', body: new URLSearchParams(login) });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    const response = await fetch(`${server}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

async function addPerson(admin: Admin, username: string, groups: string[]): Promise<void> {
  const credentials = [{ type: 'password', value: PASSWORD, temporary: false }];
  const name = `${username[0]?.toUpperCase()}${username.slice(1)}`;
  const profile = { firstName: name, lastName: 'Owl', email: `${username}@example.org`, emailVerified: true };
  await admin('POST', '/staff/users', { username, enabled: true, groups, credentials, ...profile });
}

interface Component {
  id: string;
  name: string;
  providerId: string;
}

async function rotateKey(admin: Admin): Promise<void> {
  const keys = '/staff/components?type=org.keycloak.keys.KeyProvider';
  const old = ((await admin('GET', keys)) as Component[]).filter(
    ({ providerId }) => providerId === 'rsa-generated',
  );
  const config = { priority: ['200'], algorithm: ['RS256'] };
  const name = `rsa-${crypto.randomUUID()}`;
  const type = { providerId: 'rsa-generated', providerType: 'org.keycloak.keys.KeyProvider' };
  await admin('POST', '/staff/components', { name, ...type, config });
  for (const { id } of old) await admin('DELETE', `/staff/components/${id}`);
}

async function enter(page: Page, person: string): Promise<void> {
  // Keycloak asks only for the password if it still has a session of another person.
  const restart = page.locator('#reset-login');
  await page.locator('#password').waitFor();
  if (await restart.isVisible()) await restart.click();
  await page.locator('#username').fill(person);
  await page.locator('#password').fill(PASSWORD);
  await page.locator('#kc-login').click();
}

function documentedClient(): string {
  const [, block] = /```json\n([\s\S]*?)```/.exec(keycloakSection()) ?? [];
  if (block === undefined) throw new Error(`${PAGE} has no client for Keycloak`);
  return block;
}

function documentedSettings(): Record<string, string> {
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(keycloakSection()) ?? [];
  const lines = block
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('OIDC_'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

function keycloakSection(): string {
  return readFileSync(PAGE, 'utf8').split('## Keycloak\n')[1]?.split('\n## ')[0] ?? '';
}
