import { describe, expect, it } from '@jest/globals';
import { startService } from '../../support/service.ts';
import { createWorkspace } from '../../support/sync.ts';

const service = await startService();
const id = await createWorkspace(service, 'rules');
const path = `/api/workspaces/${id}/permissions`;
const RULE = { tool: 'bash', pattern: 'git push*', action: 'ask' };

function put(...rules: unknown[]) {
  return service.call<{ error: string; rules: Record<string, unknown>[] }>('PUT', path, { rules });
}

describe('GET /api/workspaces/{workspaceId}/permissions', () => {
  it('returns no rules and the defaults at first', async () => {
    const fresh = await createWorkspace(service, 'fresh');
    const { status, body } = await service.call('GET', `/api/workspaces/${fresh}/permissions`);
    expect([status, body]).toEqual([
      200,
      {
        rules: [],
        defaults: [
          { tool: '*', pattern: '*', action: 'allow' },
          { tool: 'mcp__*', pattern: '*', action: 'ask' },
          { tool: 'webSearch', pattern: '*', action: 'ask' },
        ],
        lockedBy: null,
        sandboxed: false,
        network: [],
        sandboxGap: null,
      },
    ]);
  });
});

describe('POST /api/workspaces with ask', () => {
  const make = async (at: typeof service, body: object) => {
    const made = await at.call<{ id: string }>('POST', '/api/workspaces', body);
    const { body: found } = await at.call<{ rules: object[]; lockedBy: string | null }>(
      'GET',
      `/api/workspaces/${made.body.id}/permissions`,
    );
    return { status: made.status, ...found };
  };
  const rule = (tool: string) => ({
    tool,
    pattern: '*',
    action: 'ask',
    addedBy: 'local',
    answeredCall: null,
  });

  it('gives a new workspace its first rules, and keeps the rules of an existing workspace', async () => {
    const path = `${service.root}/asking`;
    const first = await make(service, { path, ask: 'changes' });
    expect(first).toMatchObject({ status: 201, rules: [rule('writeFile'), rule('bash')] });
    expect(await make(service, { path, ask: 'commands' })).toEqual({ ...first, status: 200 });
    const commands = await make(service, { path: `${service.root}/commands`, ask: 'commands' });
    expect(commands).toMatchObject({ status: 201, rules: [rule('bash')] });
    expect(await make(service, { path: `${service.root}/never`, ask: 'never' })).toMatchObject({ rules: [] });
  });

  it('creates no rules if no one could approve, and reports why', async () => {
    const open = await startService({ COMMAND_NETWORK: 'host', ALLOW_UNSANDBOXED_COMMANDS: 'true' });
    const made = await make(open, { path: `${open.root}/locked`, ask: 'changes' });
    expect(made).toMatchObject({ status: 201, rules: [] });
    expect(made.lockedBy).toMatch(/^(loopback|records)$/);
  });
});

describe('PUT /api/workspaces/{workspaceId}/permissions', () => {
  it('replaces the rules, and accepts its own response with its authors and times', async () => {
    const first = await put(RULE);
    expect(first).toMatchObject({
      status: 200,
      body: { rules: [{ ...RULE, addedBy: 'local', answeredCall: null }] },
    });
    const [kept] = first.body.rules;
    const second = await put(
      { ...kept, addedBy: 'somebody' },
      { tool: 'writeFile', pattern: 'src/**', action: 'deny' },
    );
    expect(second.body.rules[0]).toEqual(kept);
    expect((await service.call('GET', path)).body).toMatchObject({ rules: second.body.rules });
  });

  it.each([
    [{ ...RULE, action: 'maybe' }, /rules\.0\.action/],
    [{ ...RULE, tool: 'a tool' }, /rules\.0\.tool/],
    [{ ...RULE, tool: '' }, /rules\.0\.tool/],
    [{ ...RULE, tool: 'bsh' }, /rules\.0\.tool must be one of readFile, /],
    [{ ...RULE, tool: 'wirte*' }, /rules\.0\.tool must be one of/],
    [{ ...RULE, pattern: '' }, /rules\.0\.pattern/],
    [{ ...RULE, pattern: 'a\0' }, /rules\.0\.pattern/],
    [{ ...RULE, pattern: 'x'.repeat(301) }, /rules\.0\.pattern/],
    [{ ...RULE, pattern: '*a'.repeat(11) }, /wildcards/],
    [{ ...RULE, more: 1 }, /more/],
    [
      { tool: 'submitJob', pattern: '*', action: 'allow' },
      /rules\.0 can't allow submitJob, which needs approval every time/,
    ],
  ])('returns 400 for %j', async (rule, text) => {
    const { status, body } = await put(rule);
    expect([status, body.error]).toEqual([400, expect.stringMatching(text)]);
  });

  it('returns 409 with the reason if commands could leave the sandbox', async () => {
    const open = await startService({
      COMMAND_NETWORK: 'host',
      AUTH_MODE: 'disabled',
      ALLOW_UNSANDBOXED_COMMANDS: 'false',
    });
    const made = await createWorkspace(open, 'open');
    const at = `/api/workspaces/${made}/permissions`;
    const { body } = await open.call<{ sandboxGap: string }>('GET', at);
    expect(body.sandboxGap).toBe('network');
    // Without sign-in, such a command could also set the rules.
    expect((await open.call('PUT', at, { rules: [], sandboxed: true })).status).toBe(403);
  });

  it('returns 400 for more than 100 rules', async () => {
    expect((await put(...Array.from({ length: 101 }, () => RULE))).status).toBe(400);
  });
});

describe('task permissions of a workspace', () => {
  it('include the actions that are allowed without approval, except for actions that always need it', async () => {
    const make = (permits: unknown) =>
      service.call<{ error: string; config: unknown }>('POST', '/api/scheduled-tasks', {
        ...{ name: 'T', taskType: 'custom', schedule: '0 0 1 1 *', workspaceId: id },
        config: { prompt: 'Do it.', permits },
      });
    const permits = [{ tool: 'bash', pattern: 'git pull*' }];
    expect(await make(permits)).toMatchObject({ status: 201, body: { config: { permits } } });
    expect(await make([{ tool: 'submitJob', pattern: '*' }])).toMatchObject({
      ...{ status: 400, body: { error: expect.stringContaining("config.permits.0 can't permit submitJob") } },
    });
    expect((await make([{ tool: 'bash' }])).body.error).toMatch(/config\.permits\.0\.pattern/);
  });
});
