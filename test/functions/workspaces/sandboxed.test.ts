import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '../../../lib/audit/schema.ts';
import type { Permissions } from '../../../lib/permissions/schema.ts';
import type { ExecResult } from '../../../lib/terminal/schema.ts';
import { startFakeIssuer } from '../../support/fakes/fake-issuer.ts';
import { type Service, startService } from '../../support/service.ts';

const ROOT = { sub: 'root', role: 'admin' };
const LISTED = { sub: 'lee', role: 'admin' };
const ANN = { sub: 'ann', role: 'member' };
const [NPM, PYPI] = ['registry.npmjs.org', 'pypi.org'];
const RULE = { tool: 'bash', pattern: '*', action: 'ask' };

let issuer: Awaited<ReturnType<typeof startFakeIssuer>>;
let service: Service;

beforeAll(async () => {
  issuer = await startFakeIssuer();
  service = await start({});
});
afterAll(() => issuer.stop());

function start(more: Record<string, string>): Promise<Service> {
  const oidc = { AUTH_MODE: 'oidc', OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'wrs' };
  return startService({ ...oidc, LOG_LEVEL: 'error', ...more });
}

async function ask<Body = unknown>(
  who: object,
  method: string,
  path: string,
  body?: unknown,
  at = service,
  headers: Record<string, string> = {},
) {
  const authorization = `Bearer ${await issuer.sign(who as typeof ROOT)}`;
  return at.call<Body>(method, path, body, { authorization, ...headers });
}

async function make(path: string, at = service): Promise<string> {
  const { body } = await ask<{ id: string }>(ROOT, 'POST', '/api/workspaces', { path }, at);
  return `/api/workspaces/${body.id}`;
}

const put = (who: object, place: string, fields: object, version?: string) => {
  const headers: Record<string, string> = version === undefined ? {} : { 'if-match': version };
  const body = { rules: [RULE], ...fields };
  return ask<Permissions & { error: string }>(who, 'PUT', `${place}/permissions`, body, service, headers);
};

describe('sandboxed in PUT /api/workspaces/{workspaceId}/permissions', () => {
  it("is off by default, and isn't changed by a request that omits it", async () => {
    const place = await make('kept');
    expect((await put(ANN, place, {})).body.sandboxed).toBe(false);
    expect((await put(ROOT, place, { sandboxed: true })).body.sandboxed).toBe(true);
    expect((await put(ANN, place, { rules: [] })).body.sandboxed).toBe(true);
    expect((await put(ANN, place, { sandboxed: false })).body.sandboxed).toBe(false);
  });

  it('is set only by an administrator of the workspace, who can also be one by its member list', async () => {
    const place = await make('listed');
    expect((await put(ANN, place, { sandboxed: true })).status).toBe(403);
    const members = [
      { subject: 'ann', role: 'admin' },
      { subject: 'lee', role: 'member' },
    ];
    await ask(ROOT, 'PUT', `${place}/members`, members);
    const bound = { ...LISTED, workspaceIds: [place.split('/').at(-1)] };
    for (const who of [ANN, bound]) expect((await put(who, place, { sandboxed: true })).status).toBe(403);
    expect((await ask<Permissions>(ROOT, 'GET', `${place}/permissions`)).body.sandboxed).toBe(false);
  });

  it('is audited', async () => {
    const place = await make('audited');
    await put(ROOT, place, { sandboxed: true });
    const { body } = await ask<AuditEntry[]>(ROOT, 'GET', '/api/audit?action=permissions.change');
    expect(body[0]).toMatchObject({ actor: 'root', about: 'sandboxed true, ask bash', outcome: 'done' });
  });

  it('is refused with the reason if commands have a network', async () => {
    const open = await start({ COMMAND_NETWORK: 'host' });
    const place = await make('open', open);
    const body = { rules: [RULE], sandboxed: true };
    const refused = await ask<{ error: string }>(ROOT, 'PUT', `${place}/permissions`, body, open);
    expect([refused.status, refused.body.error]).toEqual([
      409,
      expect.stringContaining('COMMAND_NETWORK=none'),
    ]);
  });
});

describe('network in PUT /api/workspaces/{workspaceId}/permissions', () => {
  it("is empty by default, and isn't changed by a request that omits it", async () => {
    const place = await make('kept');
    expect((await ask<Permissions>(ROOT, 'GET', `${place}/permissions`)).body.network).toEqual([]);
    expect((await put(ROOT, place, { network: [NPM, PYPI] })).body.network).toEqual([NPM, PYPI]);
    expect((await put(ANN, place, { sandboxed: false })).body.network).toEqual([NPM, PYPI]);
  });

  it('gets another host only from an administrator of the workspace, but any member can remove one', async () => {
    const place = await make('changed');
    expect((await put(ANN, place, { network: [NPM] })).status).toBe(403);
    await put(ROOT, place, { network: [NPM, PYPI] });
    expect((await put(ANN, place, { network: [NPM, 'github.com'] })).status).toBe(403);
    expect((await put(ANN, place, { network: [PYPI] })).body.network).toEqual([PYPI]);
  });

  it.each([
    'localhost',
    'npm',
    '127.0.0.1',
    '[::1]',
    '*.npmjs.org',
    'https://registry.npmjs.org',
    'registry.npmjs.org:443',
    'registry.npmjs.org/x',
    'registry.npmjs.org.',
    'Registry.npmjs.org',
    'user@registry.npmjs.org',
    '-a.example.org',
    'a..example.org',
    'bücher.example',
    '1.2.3.0x7f',
    `${'a'.repeat(64)}.example.org`,
    '',
  ])('refuses %s, which is not an exact host name', async (host) => {
    const place = await make('wrong');
    const { status, body } = await put(ROOT, place, { network: [host] });
    expect([status, body.error]).toEqual([400, expect.stringContaining('network.0 must be a host name')]);
  });

  it('refuses a host twice, and more than 20', async () => {
    const place = await make('many');
    const many = Array.from({ length: 21 }, (_, at) => `h${at}.example.org`);
    for (const network of [[NPM, NPM], many]) expect((await put(ROOT, place, { network })).status).toBe(400);
  });

  it('has its own version, so that two concurrent changes are noticed', async () => {
    const place = await make('versions');
    const etag = async () => String((await ask(ROOT, 'GET', `${place}/permissions`)).headers.etag);
    const before = await etag();
    await put(ROOT, place, { network: [NPM] });
    expect((await put(ROOT, place, { network: [PYPI] }, before)).status).toBe(409);
    expect((await put(ROOT, place, { network: [PYPI] }, await etag())).status).toBe(200);
  });

  it('is audited', async () => {
    const place = await make('audited');
    await put(ROOT, place, { network: [NPM] });
    await put(ROOT, place, { network: [] });
    const { body } = await ask<AuditEntry[]>(ROOT, 'GET', '/api/audit?action=permissions.change');
    expect(body.slice(0, 2).map(({ about }) => about)).toEqual([
      'network none, ask bash',
      `network ${NPM}, ask bash`,
    ]);
  });

  it('is refused with the reason if commands have a network, but can be emptied', async () => {
    const at = await start({ COMMAND_NETWORK: 'host' });
    const place = await make('open', at);
    const change = (network: string[]) =>
      ask<{ error: string }>(ROOT, 'PUT', `${place}/permissions`, { rules: [], network }, at);
    const { status, body } = await change([NPM]);
    expect([status, body.error]).toEqual([409, expect.stringContaining('network needs commands without a')]);
    expect((await change([])).status).toBe(200);
  });

  it("applies to a terminal's commands from the next command on", async () => {
    const place = await make('used');
    const { rootPath } = (await ask<{ rootPath: string }>(ROOT, 'GET', place)).body;
    const command = 'env | grep -c -i ^https_proxy; curl -sS http://a.example.org/';
    const exec = async () =>
      (await ask<ExecResult>(ANN, 'POST', '/api/terminal/exec', { command, cwd: rootPath })).body;
    expect((await exec()).stdout).toBe('0\n');
    await put(ROOT, place, { network: ['private.example.org'] });
    const { stdout, stderr } = await exec();
    expect(stdout).toContain("2\na.example.org isn't one of the hosts");
    expect(stderr).toContain('Not reached: a.example.org');
    await put(ROOT, place, { network: [] });
    expect((await exec()).stdout).toBe('0\n');
  });
});
