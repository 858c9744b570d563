import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { systemClock } from '../../../lib/ports/clock.ts';
import { createToken, revokeToken } from '../../../lib/tokens/tokens.ts';
import { startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { ADMIN } from '../../support/tasks.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { countProcesses, openTestTerminal, SESSIONS } from '../../support/terminal.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const SECRET = 'sk-a-secret-of-the-service';
const service = await startService({ AUTH_MODE: 'token', PROVIDER_A_API_KEY: SECRET, LOG_LEVEL: 'error' });
const database = openDatabase(service.dataDir);
whenDone(async () => database.close());
const ports = { records: sqliteRecords(database), clock: systemClock };

async function makeMember(role: 'viewer' | 'member' | 'admin' = 'member') {
  const { id, secret } = await createToken(ports, ADMIN, { name: role, role, workspaceIds: null });
  return { id, headers: { authorization: `Bearer ${secret}` } };
}

const admin = await makeMember('admin');
const asAdmin = {
  ...service,
  call: ((method, path, body) => service.call(method, path, body, admin.headers)) as typeof service.call,
};
const workspace = await makeWorkspace(asAdmin, 'one');
await makeWorkspace(asAdmin, 'other');
await mkdir(join(workspace.root, 'folder'), { recursive: true });

/** Waits until this number of `sleep` commands is running. */
async function running(seconds: string, count: number): Promise<void> {
  await eventually(
    async () => countProcesses('sleep', seconds),
    (found) => found === count,
  );
}

/** Opens a terminal as a new person, because their number per person is limited. */
async function open(fields: { cwd?: string } = {}) {
  const { headers, id } = await makeMember();
  return {
    ...(await openTestTerminal(service, workspace.id, { headers, ...fields })),
    headers,
    callerId: id,
  };
}

describe('terminal session', () => {
  it('runs a shell with a terminal in the folder, and reports its end', async () => {
    const terminal = await open({ cwd: 'folder' });
    await terminal.type('test -t 0 && test -t 1 && echo a-$((40 + 2)) $PWD; exit 3\r');
    const { output, frames, done } = await terminal.readUntil('nothing');
    expect(output).toContain(`a-42 ${workspace.root}/folder`);
    expect(done).toBe(true);
    expect(frames.at(-1)?.part).toEqual({
      type: 'data-terminal-end',
      data: { reason: 'exited', exitCode: 3 },
    });
    expect((await terminal.type('x')).status).toBe(404);
  });

  it('takes another size, completes with Tab, and interrupts with Ctrl+C', async () => {
    const terminal = await open();
    await terminal.send('resize', { columns: 133, rows: 44 });
    await terminal.type('stty size; cd fol\t\r');
    expect((await terminal.readUntil('/folder')).output).toContain('44 133');
    await terminal.type('sleep 610\r');
    await running('610', 1);
    await terminal.type('\u0003');
    await terminal.type('echo code-$?\r');
    expect((await terminal.readUntil('code-130')).output).toContain('code-130');
    await terminal.close();
  });

  it('hides secrets, other workspaces, and files of the service', async () => {
    const terminal = await open();
    await terminal.type(`env; ls ..; cat /proc/1/environ; ls ${service.dataDir}; echo the-$((1))-end\r`);
    const { output } = await terminal.readUntil('the-1-end');
    expect(output).not.toContain(SECRET);
    expect(output).not.toContain('other');
    expect(output).not.toMatch(/sqlite|objects/);
    expect(output).toContain('Permission denied');
    await terminal.close();
  });

  it('continues after the last event that a reader saw', async () => {
    const terminal = await open();
    await terminal.type('echo first-$((1))\r');
    const { frames } = await terminal.readUntil('first-1\r\n');
    await terminal.type('echo second-$((2))\r');
    const after = frames.at(-1)?.id ?? 0;
    const resumed = await terminal.readUntil('second-2', after);
    expect(resumed.frames[0]?.id).toBe(after + 1);
    expect(resumed.output).not.toContain('first-1\r\n');
    expect((await terminal.readUntil('second-2')).output).toContain('first-1');
    await terminal.close();
  });

  it('stops the foreground program within a second, including children that ignore the interrupt', async () => {
    const terminal = await open();
    await terminal.type(`bash -c "trap '' INT; sleep 600 & sleep 600"\r`);
    await running('600', 2);
    const started = performance.now();
    await terminal.send('signal', { signal: 'INT', killAfterMs: 300 });
    await running('600', 0);
    expect(performance.now() - started).toBeLessThan(1_000);
    await terminal.type('echo still-$((1))\r');
    await terminal.readUntil('still-1');
    await terminal.close();
  });

  it('does not kill the shell itself', async () => {
    const terminal = await open();
    await terminal.readUntil('$ ');
    await terminal.send('signal', { signal: 'KILL', killAfterMs: 0 });
    await terminal.type('echo still-$((1))\r');
    expect((await terminal.readUntil('still-1')).output).toContain('still-1');
    await terminal.close();
  });

  it('ends within a second, with everything that it started', async () => {
    const terminal = await open();
    await terminal.type('setsid sleep 620 & sleep 620 & sleep 620\r');
    await running('620', 3);
    const started = performance.now();
    expect((await terminal.close()).status).toBe(200);
    await running('620', 0);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect((await terminal.type('x')).status).toBe(404);
  });

  it('keeps the latest output of a flood without a reader, and continues', async () => {
    const terminal = await open();
    await terminal.type('seq 400000; touch done; echo the-$((1))-end\r');
    await eventually(
      async () => existsSync(join(workspace.root, 'done')),
      (isThere) => isThere,
    );
    await terminal.readUntil('the-1-end'); // the output that was still on its way is kept by then
    const { output, frames } = await terminal.readUntil('the-1-end');
    expect(output).toContain('\n400000\r\n');
    expect(output.length).toBeLessThanOrEqual(262_144);
    expect(frames[0]?.id).toBeGreaterThan(1);
    await terminal.close();
  });

  it('ends when the token is revoked', async () => {
    const terminal = await open();
    await terminal.type('sleep 630\r');
    const opened = Promise.withResolvers<void>();
    const end = terminal.readUntil('nothing', 0, opened.resolve);
    await Promise.all([opened.promise, running('630', 1)]);
    await revokeToken(ports, ADMIN, terminal.callerId);
    expect((await end).frames.at(-1)?.part.data).toEqual({ reason: 'rights_lost', exitCode: 137 });
    expect(countProcesses('sleep', '630')).toBe(0);
  }, 20_000);
});

describe('terminal session of another person', () => {
  it('does not exist for anyone else, including administrators', async () => {
    const terminal = await open();
    for (const { headers } of [await makeMember(), admin]) {
      const call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
        service.call(method, `${terminal.path}${path}`, body, headers);
      expect((await call('GET', '/stream')).status).toBe(404);
      expect((await call('POST', '/input', { text: 'x' })).status).toBe(404);
      expect((await call('POST', '/signal', { signal: 'KILL' })).status).toBe(404);
      expect((await call('POST', '/resize', { columns: 10, rows: 10 })).status).toBe(404);
      expect((await call('DELETE', '')).status).toBe(404);
    }
    await terminal.type('echo still-$((1))\r');
    await terminal.readUntil('still-1');
    await terminal.close();
  });
});

describe('POST /api/terminal/sessions', () => {
  it('refuses viewers, a directory outside the workspace, and a fifth terminal', async () => {
    const [viewer, member] = [await makeMember('viewer'), await makeMember()];
    const start = (headers: Record<string, string>, fields = {}) => {
      const body = { workspaceId: workspace.id, columns: 80, rows: 24, ...fields };
      return service.call<{ id: string }>('POST', SESSIONS, body, headers);
    };
    expect((await start(viewer.headers)).status).toBe(403);
    for (const cwd of ['..', '../other', '/', '/etc'])
      expect((await start(member.headers, { cwd })).status).toBe(400);
    expect((await start(member.headers, { cwd: 'missing' })).status).toBe(404);
    const opened = await Promise.all(Array.from({ length: 5 }, () => start(member.headers)));
    expect(opened.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 409]);
    for (const { body } of opened.filter(({ status }) => status === 201))
      await service.call('DELETE', `${SESSIONS}/${body.id}`, undefined, member.headers);
  });

  it.each([
    ['resize', { columns: 0, rows: 24 }],
    ['resize', { columns: 80, rows: 1e9 }],
    ['resize', { columns: 80.5, rows: 24 }],
    ['resize', { columns: '80', rows: 24 }],
    ['input', { text: '' }],
    ['input', { text: 'x'.repeat(65_537) }],
    ['signal', { signal: 'STOP' }],
    ['signal', { signal: 'INT', killAfterMs: -1 }],
  ])('refuses %s with a wrong body', async (action, body) => {
    const path = `${SESSIONS}/01a1fcf8-a7e2-778b-8bd9-87a5309f0000/${action}`;
    expect((await service.call('POST', path, body, admin.headers)).status).toBe(400);
  });

  it('survives input that no program reads', async () => {
    const terminal = await open();
    await terminal.type('stty raw -echo; sleep 2; stty sane; exit\r');
    for (let round = 0; round < 30; round++) await terminal.type('x'.repeat(65_536));
    expect((await service.call('GET', '/api/health')).status).toBe(200);
    await terminal.close();
  });
});
