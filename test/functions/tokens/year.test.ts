import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import type { Offboarding } from '../../../lib/offboarding/schema.ts';
import { startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { runProgram } from '../../support/processes/run-program.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const AHEAD = pathToFileURL(resolve(import.meta.dirname, '../../support/clock-ahead.mjs'));
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

const dataDir = await tempFolder();
const provider = await startFakeOpenai();
whenDone(() => provider.stop());

/** Starts the service on the same data folder at this time of the year. */
function startAt(ms: number): Promise<Service> {
  return startService({ ...clockAt(ms), AUTH_MODE: 'token', PROVIDER_A_BASE_URL: provider.url });
}

function clockAt(ms: number) {
  return { DATA_DIR: dataDir, CLOCK_AHEAD_MS: String(ms), NODE_OPTIONS: `--import ${AHEAD}` };
}

async function command(ms: number, program: string, ...args: string[]) {
  const env = { PATH: process.env.PATH, ...clockAt(ms) };
  const result = await runProgram(process.execPath, [resolve(ROOT, program), ...args], { env, cwd: dataDir });
  expect(result).toMatchObject({ code: 0 });
  return result;
}

/** Does what the scheduler does each minute. */
function tick(ms: number) {
  const env = { PATH: process.env.PATH, ...clockAt(ms) };
  const code = `await (await import('${ROOT}/functions/scheduler/handler.ts')).handler()`;
  const args = ['--input-type=module', '-e', code];
  return runProgram(process.execPath, args, { env, cwd: dataDir });
}

async function join(name: string, role: string) {
  const args = ['create', '--name', name, '--role', role];
  const { stdout, stderr } = await command(0, 'infra/token.ts', ...args);
  return { id: /^Token (\S+)/m.exec(stderr)?.[1] ?? '', secret: stdout.trim() };
}

function as(service: Service, secret: string) {
  return async <Body>(method: string, path: string, body?: unknown) => {
    const answer = await service.call<Body>(method, path, body, { authorization: `Bearer ${secret}` });
    return { status: answer.status, body: answer.body };
  };
}
type Call = ReturnType<typeof as>;

async function ask(call: Call, workspaceId: string, id: string): Promise<void> {
  const messages = [{ id: `${id}-1`, role: 'user', parts: [{ type: 'text', text: 'Who hunts at night?' }] }];
  expect((await call('POST', '/api/chat', { id, workspaceId, messages })).status).toBe(200);
  await eventually(
    async () => (await call<{ messageCount: number }>('GET', `/api/conversations/${id}`)).body.messageCount,
    (count) => count === 2,
  );
}

async function chats(call: Call, workspaceId: string): Promise<string[]> {
  const { body } = await call<{ id: string }[]>('GET', `/api/conversations?workspaceId=${workspaceId}`);
  return body.map(({ id }) => id).sort();
}

it('year of three people who change, rotate, and leave loses nothing, and everything is in the audit log', async () => {
  const [ann, ben, cat] = [
    await join('ann', 'admin'),
    await join('ben', 'member'),
    await join('cat', 'member'),
  ];
  let service = await startAt(0);
  const place = (await as(service, ann.secret)<{ id: string }>('POST', '/api/workspaces', { path: 'owls' }))
    .body;
  const members = [
    { subject: cat.id, role: 'admin' },
    { subject: ben.id, role: 'member' },
  ];
  const listPath = `/api/workspaces/${place.id}/members`;
  expect((await as(service, ann.secret)('PUT', listPath, members)).status).toBe(200);
  const budgets = [{ scope: 'caller', id: ben.id, monthlyTokens: 1_000_000 }];
  expect((await as(service, ann.secret)('PUT', '/api/budgets', budgets)).status).toBe(200);
  await ask(as(service, ben.secret), place.id, 'of-ben');
  await ask(as(service, cat.secret), place.id, 'of-cat');
  const nightly = { name: 'nightly', taskType: 'source_sync', schedule: '0 3 * * *', workspaceId: place.id };
  const task = (await as(service, cat.secret)<{ id: string }>('POST', '/api/scheduled-tasks', nightly)).body;
  const note = { workspaceId: place.id, title: 'Owls', content: 'At night.' };
  expect((await as(service, cat.secret)('POST', '/api/notes', note)).status).toBe(201);
  await service.stop();

  // Month 3: Ben's token is rotated. Both secrets work for a day, then only the new one.
  const spring = 90 * DAY_MS;
  service = await startAt(spring);
  const rotatePath = `/api/tokens/${ben.id}/rotate`;
  const rotated = await as(service, ann.secret)<{ id: string; secret: string }>('POST', rotatePath, {});
  expect(rotated).toMatchObject({ status: 200, body: { id: ben.id } });
  const next = rotated.body.secret;
  for (const secret of [ben.secret, next])
    expect(await chats(as(service, secret), place.id)).toEqual(['of-ben']);
  await service.stop();
  service = await startAt(spring + 25 * HOUR_MS);
  expect((await as(service, ben.secret)('GET', '/api/me')).status).toBe(401);
  expect((await as(service, next)('GET', '/api/me')).body).toMatchObject({ id: ben.id, role: 'member' });
  expect(await chats(as(service, next), place.id)).toEqual(['of-ben']);
  const ofBen = await as(service, next)('GET', '/api/budgets');
  expect(ofBen.body).toMatchObject([{ scope: 'caller', id: ben.id }]);

  // Month 4: Ben changes to another role, and then to one team. The caller stays the same.
  const path = `/api/tokens/${ben.id}`;
  expect((await as(service, ann.secret)('PATCH', path, { role: 'viewer' })).status).toBe(200);
  expect((await as(service, next)('POST', '/api/notes', note)).status).toBe(403);
  expect(await chats(as(service, next), place.id)).toEqual(['of-ben']);
  const team = ['--role', 'admin', '--workspaces', place.id];
  await command(spring + 25 * HOUR_MS, 'infra/token.ts', 'change', ben.id, ...team);
  const lead = { id: ben.id, role: 'admin', workspaceIds: [place.id] };
  expect((await as(service, next)('GET', '/api/me')).body).toMatchObject(lead);
  expect(await chats(as(service, next), place.id)).toEqual(['of-ben']);
  await service.stop();

  // Month 6: Cat leaves. Her task stops at its next time, and Ben takes over.
  const summer = 181 * DAY_MS;
  await command(summer, 'infra/token.ts', 'revoke', cat.id);
  const owned = await command(summer, 'infra/people.ts', 'owned', cat.id);
  const holding = { workspaceId: place.id, conversations: 1, isOnlyAdmin: true };
  expect(JSON.parse(owned.stdout)).toMatchObject({ ...holding, tasks: [{ id: task.id, name: 'nightly' }] });
  service = await startAt(summer);
  const admin = as(service, ann.secret);
  expect((await as(service, cat.secret)('GET', '/api/me')).status).toBe(401);
  expect(await tick(summer)).toMatchObject({ code: 0 });
  const readTask = async () =>
    (await admin<{ stoppedAt?: string }>('GET', `/api/scheduled-tasks/${task.id}`)).body;
  const stopped = await eventually(readTask, ({ stoppedAt }) => typeof stoppedAt === 'string');
  expect(stopped).toMatchObject({ isEnabled: false, lastRunStatus: 'error' });
  const exported = await command(summer, 'infra/people.ts', 'export', cat.id);
  const types = exported.stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type);
  expect(types).toEqual(['person', 'task', 'membership', 'conversation', 'end']);
  const handOver = { personId: cat.id, to: ben.id };
  expect((await admin('POST', '/api/people/hand-over', handOver)).status).toBe(202);
  await eventually(
    () => chats(as(service, next), place.id),
    (ids) => ids.length === 2,
  );
  await eventually(readTask, ({ stoppedAt }) => stoppedAt === null);
  expect((await admin<object[]>('GET', listPath)).body).toMatchObject([{ subject: ben.id, role: 'admin' }]);
  const messages = (await as(service, next)<{ messages: object[] }>('GET', '/api/conversations/of-cat')).body;
  expect(messages.messages).toHaveLength(2);
  await service.stop();

  // Two minutes later, the hand-over has finished, and Cat is erased.
  service = await startAt(summer + 120_000);
  const state = async (personId: string) =>
    (await as(service, ann.secret)<Offboarding>('GET', `/api/people/offboarding?personId=${personId}`)).body;
  await tick(summer + 120_000);
  const moved = await eventually(
    () => state(cat.id),
    ({ finishedAt }) => finishedAt !== null,
  );
  expect(moved).toMatchObject({ done: { conversations: 1, tasks: 1, workspaces: 1 } });
  expect((await as(service, ann.secret)('POST', '/api/people/erase', { personId: cat.id })).status).toBe(202);
  await service.stop();

  // The end of the year.
  const winter = 364 * DAY_MS;
  service = await startAt(winter);
  await tick(winter);
  await eventually(
    () => state(cat.id),
    ({ action, finishedAt }) => action === 'erase' && finishedAt !== null,
  );
  expect(await chats(as(service, next), place.id)).toEqual(['of-ben', 'of-cat']);
  const ran = async () =>
    (await as(service, next)<{ lastRunStatus: string }>('GET', `/api/scheduled-tasks/${task.id}`)).body;
  expect(await eventually(ran, ({ lastRunStatus }) => lastRunStatus !== 'error')).toMatchObject({
    isEnabled: true,
  });
  const left = await as(service, ann.secret)('GET', `/api/people/holdings?personId=${cat.id}`);
  expect(left.body).toEqual([]);
  const notes = await as(service, next)<object[]>('GET', `/api/notes?workspaceId=${place.id}`);
  expect(notes.body).toMatchObject([{ title: 'Owls', createdBy: cat.id }]);
  const people = await as(service, ann.secret)<{ name: string }[]>('GET', '/api/people');
  expect(people.body.map(({ name }) => name)).toEqual(['erased', 'ben', 'ann']);
  const audit = await as(service, ann.secret)<{ action: string; outcome: string }[]>(
    'GET',
    '/api/audit?limit=200',
  );
  expect(audit.body.map(({ action, outcome }) => `${action} ${outcome}`).reverse()).toEqual([
    'tokens.create done',
    'tokens.create done',
    'tokens.create done',
    'members.change done',
    'budgets.change done',
    'tokens.rotate done',
    'tokens.change done',
    'tokens.change done',
    'tokens.revoke done',
    'tasks.stop done',
    'people.export done',
    'people.hand-over done',
    'people.hand-over done',
    'people.erase done',
    'people.erase done',
  ]);
  await service.stop();
}, 300_000);
