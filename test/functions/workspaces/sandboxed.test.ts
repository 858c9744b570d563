import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '../../../lib/audit/schema.ts';
import type { Permissions } from '../../../lib/permissions/schema.ts';
import { startFakeIssuer } from '../../support/fakes/fake-issuer.ts';
import { type Service, startService } from '../../support/service.ts';

const ROOT = { sub: 'root', role: 'admin' };
const LISTED = { sub: 'lee', role: 'admin' };
const ANN = { sub: 'ann', role: 'member' };
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

async function ask<Body = unknown>(who: object, method: string, path: string, body?: unknown, at = service) {
  const authorization = `Bearer ${await issuer.sign(who as typeof ROOT)}`;
  return at.call<Body>(method, path, body, { authorization });
}

async function make(path: string, at = service): Promise<string> {
  const { body } = await ask<{ id: string }>(ROOT, 'POST', '/api/workspaces', { path }, at);
  return `/api/workspaces/${body.id}`;
}

const put = (who: object, place: string, fields: object) =>
  ask<Permissions>(who, 'PUT', `${place}/permissions`, { rules: [RULE], ...fields });

describe('sandboxed in PUT /api/workspaces/{workspaceId}/permissions', () => {
  it('is off by default, and stays as it is in a change that omits it', async () => {
    const place = await make('kept');
    expect((await put(ANN, place, {})).body.sandboxed).toBe(false);
    expect((await put(ROOT, place, { sandboxed: true })).body.sandboxed).toBe(true);
    expect((await put(ANN, place, { rules: [] })).body.sandboxed).toBe(true);
    expect((await put(ANN, place, { sandboxed: false })).body.sandboxed).toBe(false);
  });

  it('is set only by an administrator of the workspace, by its member list too', async () => {
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
