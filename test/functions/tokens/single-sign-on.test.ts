import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { startFakeIssuer } from '../../support/fakes/fake-issuer.ts';
import { type Service, startService } from '../../support/service.ts';
import { whenDone } from '../../support/temp-folder.ts';

const issuer = await startFakeIssuer();
whenDone(() => issuer.stop());
const OIDC = { AUTH_MODE: 'oidc', OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'wrs' };
const MAPPED = { ...OIDC, OIDC_ROLE_MAP: 'staff = viewer, leads=admin', OIDC_API_TOKENS: 'on' };
const NEW_TOKEN = { name: 'nightly', role: 'viewer', workspaceIds: null };

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });
const meOf = (service: Service, credential: string) =>
  service.call<{ id: string; role: string; error: string }>('GET', '/api/me', undefined, bearer(credential));
const lastRefusal = (service: Service) =>
  JSON.parse(
    service
      .output()
      .split('\n')
      .findLast((line) => line.includes('"a credential was refused"')) ?? '{}',
  );

it('single sign-on gives users the roles of their groups, and names users without a group in the response and the log', async () => {
  const service = await startService(MAPPED);
  const lead = await meOf(service, await issuer.sign({ sub: 'lea', role: undefined, groups: ['leads'] }));
  expect([lead.status, lead.body.role]).toEqual([200, 'admin']);
  const dan = await meOf(service, await issuer.sign({ sub: 'dan', role: 'owner', groups: ['guests'] }));
  expect([dan.status, dan.headers['x-error-code']]).toEqual([403, 'role_unknown']);
  expect(dan.body.error).toMatch(/claim role .*OIDC_ROLE_MAP.* assign one to dan\.$/);
  expect(lastRefusal(service)).toMatchObject({
    level: 'warn',
    sub: 'dan',
    requestId: dan.headers['x-request-id'],
  });
});

it('single sign-on accepts API tokens for programs where an administrator allows them', async () => {
  const service = await startService(MAPPED);
  const admin = bearer(await issuer.sign({ role: 'admin' }));
  const { status, body } = await service.call<{ id: string; secret: string }>(
    'POST',
    '/api/tokens',
    NEW_TOKEN,
    admin,
  );
  expect(status).toBe(201);
  expect((await meOf(service, body.secret)).body).toMatchObject({ id: body.id, role: 'viewer' });
  await service.call('DELETE', `/api/tokens/${body.id}`, undefined, admin);
  expect((await meOf(service, body.secret)).status).toBe(401);
});

it('single sign-on without API tokens creates no tokens, and accepts no earlier ones', async () => {
  const earlier = await startService({ AUTH_MODE: 'token' });
  const secret = createToken(earlier.dataDir, {}).stdout.trim();
  expect((await meOf(earlier, secret)).status).toBe(200);
  await earlier.stop();
  const service = await startService({ ...OIDC, DATA_DIR: earlier.dataDir });
  expect((await meOf(service, secret)).status).toBe(401);
  const admin = bearer(await issuer.sign({ role: 'admin' }));
  const refused = await service.call<{ error: string }>('POST', '/api/tokens', NEW_TOKEN, admin);
  expect([refused.status, refused.body.error]).toEqual([503, expect.stringContaining('OIDC_API_TOKENS=on')]);
  const { status, stdout, stderr } = createToken(earlier.dataDir, OIDC);
  expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining('OIDC_API_TOKENS=on')]);
});

it('single sign-on returns 503 while the issuer is unreachable, and keeps the health check', async () => {
  const service = await startService({ ...OIDC, OIDC_ISSUER: 'http://127.0.0.1:9' });
  const { status, headers, body } = await meOf(service, await issuer.sign());
  expect([status, headers['x-error-code']]).toEqual([503, 'issuer_unreachable']);
  expect(body.error).toMatch(/OIDC_ISSUER/);
  expect((await service.call('GET', '/api/health')).status).toBe(200);
});

function createToken(dataDir: string, environment: Record<string, string>) {
  const program = resolve(import.meta.dirname, '../../../infra/token.ts');
  const args = ['create', '--name', 'nightly', '--role', 'viewer'];
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, ...environment };
  return spawnSync(process.execPath, [program, ...args], { cwd: join(dataDir), env, encoding: 'utf8' });
}
