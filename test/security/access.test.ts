import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../../lib/access/caller.ts';
import type { Member } from '../../lib/access/members.ts';
import { diskObjects } from '../../lib/adapters/disk/objects.ts';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import { MEMBER_ROLES, type Role } from '../../lib/api-contract/roles.ts';
import { keepAttachments } from '../../lib/conversations/attachments/keep.ts';
import { claimTurn } from '../../lib/conversations/turn/claim-turn.ts';
import { endTurn } from '../../lib/conversations/turn/end-turn.ts';
import { tables } from '../../lib/evidence/schema.ts';
import { mcpServers } from '../../lib/mcp-servers/schema.ts';
import { storeAddresses } from '../../lib/papers/found-addresses.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import type { Article } from '../../lib/ports/papers.ts';
import { type StudyRequest, studies } from '../../lib/research/run-records.ts';
import { createRun, finishRun } from '../../lib/runs/runs.ts';
import { approvals } from '../../lib/runs/schema.ts';
import { saveStep } from '../../lib/runs/steps/stored-steps.ts';
import { sources } from '../../lib/sources/schema.ts';
import { tokens } from '../../lib/tokens/schema.ts';
import { createToken, hashSecret, revokeToken } from '../../lib/tokens/tokens.ts';
import { type CheckRequest, draftChecks } from '../../lib/verify/draft-checks.ts';
import { VERDICTS } from '../../lib/verify/find-check.ts';
import { draftFolder, storeDraft, storeOriginal } from '../../lib/verify/stored-draft.ts';
import { webhooks } from '../../lib/webhooks/schema.ts';
import { createWorkspace } from '../../lib/workspaces/registry.ts';
import { workspaces } from '../../lib/workspaces/schema.ts';
import { readStream } from '../support/agent-client.ts';
import { type Service, startService } from '../support/service.ts';
import { makeStoredSource } from '../support/sources.ts';
import { eventually } from '../support/sync.ts';
import { ADMIN } from '../support/tasks.ts';
import { whenDone } from '../support/temp-folder.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { type AnyRoute, nameOf, routes, rows, rowsOfAll, shapeOf } from './access-table.ts';

/** `ofAll`: called without its optional workspace. */
type AskedRoute = AnyRoute & { ofAll?: boolean };
type Fields = Record<string, unknown>;

/** A URL that never responds, because no test contacts external services. */
const NOBODY = 'http://127.0.0.1:1';
const service = await startService({
  AUTH_MODE: 'token',
  HUB_A_BASE_URL: NOBODY,
  HUB_B_BASE_URL: NOBODY,
  ZOTERO_BASE_URL: NOBODY,
  LOG_LEVEL: 'error',
});
const database = openDatabase(service.dataDir);
whenDone(async () => database.close());
const ports = { records: sqliteRecords(database), clock: systemClock };
const objects = diskObjects(join(service.dataDir, 'objects'), () => Promise.reject(new Error('not here')));

interface Credential {
  id: string;
  secret: string;
  headers: Record<string, string>;
}

async function makeToken(role: Role, workspaceIds: string[] | null = null): Promise<Credential> {
  const { id, secret } = await createToken(ports, ADMIN, { name: `a ${role}`, role, workspaceIds });
  return { id, secret, headers: bearer(secret) };
}

function bearer(secret: string): Record<string, string> {
  return { authorization: `Bearer ${secret}` };
}

const [viewer, member, admin, revoked, expired] = await Promise.all([
  makeToken('viewer'),
  makeToken('member'),
  makeToken('admin'),
  makeToken('admin'),
  makeToken('admin'),
]);
const asAdmin: Pick<Service, 'call'> = {
  call: (method, path, body) => service.call(method, path, body, admin.headers),
};
const foreign = await makeWorkspace(asAdmin);
const [foreignViewer, foreignMember, foreignAdmin] = await Promise.all([
  makeToken('viewer', [foreign.id]),
  makeToken('member', [foreign.id]),
  makeToken('admin', [foreign.id]),
]);
await revokeToken(ports, ADMIN, revoked.id);
const past = new Date(Date.now() - 1000).toISOString();
await tokens.update(ports.records, { hash: hashSecret(expired.secret) }, { set: { expiresAt: past } });

/** Found by a search, and never downloaded. */
const CLOSED: Article = {
  ...{ id: 'x', title: 'Closed', authors: [], abstract: '', url: 'https://journal.example/x' },
  pdfUrl: 'https://journal.example/x.pdf',
  ...{ publishedDate: null, source: 'openalex', doi: null, isOpen: false, score: 1 },
};
await storeAddresses(ports, [CLOSED]);

const STRANGERS: [string, Record<string, string>][] = [
  ['no credential', {}],
  ['an unknown token', bearer(`wrs_${'A'.repeat(43)}`)],
  ['an expired token', expired.headers],
  ['a revoked token', revoked.headers],
  ['a token under another scheme', { authorization: `Basic ${admin.secret}` }],
  ['a token with a piece missing', bearer(admin.secret.slice(0, -1))],
];
const UNBOUND = { viewer, member, admin };
const FOREIGN = { viewer: foreignViewer, member: foreignMember, admin: foreignAdmin };

/** Context of a request: a separate workspace with one file, and the caller. */
interface Place {
  workspaceId: string;
  root: string;
  caller: Credential;
}

const MESSAGES = [{ role: 'user', content: 'hello' }];
const SKILL = { name: 'A skill', systemPrompt: 'Do it.' };
const TASK = { name: 'A task', taskType: 'git_sync', schedule: '0 3 * * *' };

/**
 * The body or query that a route needs in addition to the workspace, so that a caller who is let in isn't refused before the
 * owner is known. A download and a search of papers have none: 400 counts as let in as well, and they send no requests.
 */
const FIELDS: Record<string, (place: Place) => Fields> = {
  'POST /api/workspaces': () => ({ path: randomUUID() }),
  'PATCH /api/workspaces/{workspaceId}': () => ({ name: 'renamed' }),
  'PUT /api/workspaces/{workspaceId}/permissions': () => ({ rules: [] }),
  'POST /api/settings/models/{provider}/check': () => ({ model: 'm' }),
  'GET /api/files/read': () => ({ path: 'a.txt' }),
  'GET /api/files/provenance': () => ({ path: 'a.txt' }),
  'GET /api/files/raw': () => ({ path: 'a.txt' }),
  'POST /api/files/write': () => ({ path: 'a.txt', content: '' }),
  'POST /api/files/upload': () => ({ path: 'a.txt' }),
  'DELETE /api/files/delete': () => ({ path: 'a.txt' }),
  'POST /api/files/rename': () => ({ oldPath: 'a.txt', newPath: 'b.txt' }),
  'POST /api/files/mkdir': () => ({ path: 'folder' }),
  'POST /api/files/uploads': () => ({ path: 'a.txt', size: 1 }),
  'GET /api/workspaces/{workspaceId}/files': () => ({ state: 'failed' }),
  'POST /api/workspaces/{workspaceId}/mcp-servers': () => ({ name: 'far', url: 'https://93.184.216.34/mcp' }),
  'DELETE /api/workspaces/{workspaceId}/mcp-servers': () => ({ name: 'none' }),
  'POST /api/workspaces/{workspaceId}/papers': () => ({ pdfUrl: CLOSED.pdfUrl }),
  'POST /api/workspaces/{workspaceId}/references': () => ({ paths: ['a.txt'] }),
  'POST /api/terminal/sessions': () => ({ columns: 80, rows: 24 }),
  'POST /api/terminal/sessions/{sessionId}/input': () => ({ text: 'x' }),
  'POST /api/terminal/sessions/{sessionId}/resize': () => ({ columns: 80, rows: 24 }),
  'POST /api/terminal/sessions/{sessionId}/signal': () => ({ signal: 'INT' }),
  'POST /api/chat': () => ({ messages: MESSAGES }),
  'POST /api/agent/runs/{runId}/messages': () => ({ text: 'hello' }),
  'POST /api/settings/roots': () => ({ path: '/etc' }),
  'DELETE /api/settings/roots': () => ({ path: '/etc' }),
  'POST /api/openai/v1/chat/completions': ({ workspaceId }) => ({
    model: `workspace:${workspaceId}`,
    messages: [{ role: 'user', content: 'hello' }],
  }),
  'POST /api/openai/v1/responses': ({ workspaceId }) => ({
    model: `workspace:${workspaceId}`,
    input: 'hello',
  }),
  'GET /api/search': ({ workspaceId }) => ({ q: 'word', workspaceIds: workspaceId }),
  'GET /api/workspaces/{workspaceId}/search': () => ({ q: 'word' }),
  'GET /api/workspaces/{workspaceId}/citations': () => ({ path: 'a.txt' }),
  'POST /api/workspaces/{workspaceId}/citations/check': () => ({
    citations: [{ index: 1, path: 'a.txt', quote: 'a' }],
  }),
  'POST /api/agent': () => ({ messages: MESSAGES, cwd: '', mode: 'ask' }),
  'POST /api/agent/runs/{runId}/approvals/{approvalId}': () => ({ approved: true }),
  'POST /api/agent/summarize': () => ({ messages: MESSAGES, preview: true }),
  'POST /api/research': () => ({ question: 'Owls?' }),
  'POST /api/research/{runId}/continue': () => ({ question: 'And hawks?' }),
  'POST /api/verify': () => ({ text: 'Owls hunt.' }),
  'POST /api/evidence-tables': () => ({ name: 'Owls', rows: { glob: 'none' }, columns: [WEIGHT] }),
  'POST /api/evidence-tables/columns': () => ({ question: 'Owls?' }),
  'PATCH /api/evidence-tables/{tableId}': () => ({ name: 'x' }),
  'POST /api/terminal/exec': ({ root }) => ({ command: 'true', cwd: root }),
  'POST /api/datasets/import-local': ({ root }) => ({ localPath: root, name: randomUUID() }),
  'GET /api/datasets/repo-info': () => ({ repoId: 'some/data' }),
  'GET /api/datasets/modelscope-info': () => ({ repoId: 'some/data' }),
  'PUT /api/budgets': () => [] as unknown as Fields,
  'PUT /api/workspaces/{workspaceId}/members': () => [] as unknown as Fields,
  'PUT /api/workspaces/{workspaceId}/settings': () => ({ citationJudge: null }),
  'PUT /api/conversations/{conversationId}': () => ({ title: 'x' }),
  'PUT /api/conversations/{conversationId}/messages/{messageId}/feedback': () => ({ rating: 'up' }),
  'POST /api/workspaces/{workspaceId}/sources': () => ({
    ...{ name: 'Zotero', kind: 'zotero', config: { apiKey: 'AKeyOfNobody' } },
  }),
  'PATCH /api/workspaces/{workspaceId}/sources/{sourceId}': () => ({ maxFiles: 10 }),
  'POST /api/webhooks': () => ({ name: 'x', url: 'https://93.184.216.34/x' }),
  'PATCH /api/webhooks/{webhookId}': () => ({ name: 'y' }),
  'POST /api/notes': () => ({ title: 'A note' }),
  'PUT /api/notes/{noteId}': () => ({ title: 'x' }),
  'GET /api/memories': () => ({ scope: 'workspace' }),
  'POST /api/memories': () => ({ scope: 'workspace', text: 'Owls are protected.' }),
  'PATCH /api/memories/{memoryId}': () => ({ text: 'x' }),
  'POST /api/generate': () => ({ type: 'summary' }),
  'POST /api/scheduled-tasks': () => TASK,
  'PUT /api/scheduled-tasks/{taskId}': () => ({ name: 'x' }),
  'POST /api/git/clone': () => ({ url: 'https://127.0.0.1/some/code', rootPath: randomUUID() }),
  'GET /api/git/diff': () => ({ path: 'a.txt' }),
  'POST /api/git/stage': () => ({ paths: [''] }),
  'POST /api/git/unstage': () => ({ paths: [''] }),
  'POST /api/git/discard': () => ({ paths: [''] }),
  'POST /api/git/commit': () => ({ message: 'x' }),
  'POST /api/git/branch': () => ({ name: 'x' }),
  'POST /api/git/push': () => ({ confirm: true }),
  'POST /api/skills': () => SKILL,
  'PUT /api/skills/{skillId}': () => ({ name: 'x' }),
  'POST /api/skills/import': () => ({ content: '---\nname: A skill\n---\nDo it.' }),
  'PUT /api/settings/models/{provider}': () => ({ baseUrl: 'http://127.0.0.1:9/v1' }),
  'GET /api/people/export': () => ({ personId: 'nobody' }),
  'GET /api/people/holdings': () => ({ personId: 'nobody' }),
  'GET /api/people/offboarding': () => ({ personId: 'nobody' }),
  'POST /api/people/hand-over': () => ({ personId: randomUUID(), to: viewer.id }),
  'POST /api/people/erase': () => ({ personId: randomUUID() }),
  'POST /api/tokens': ({ workspaceId }) => ({ name: 'x', role: 'viewer', workspaceIds: [workspaceId] }),
};

/** Makes the run also a draft check. */
const CHECK: Omit<CheckRequest, 'ownerId' | 'runId' | 'workspaceIds' | 'folder'> = {
  ...{ name: 'draft.txt', path: null, hash: '', bytes: 1, without: [], isPrivate: false, format: 'txt' },
  ...{
    judge: false,
    references: false,
    budget: {},
    sentences: 1,
    claims: 1,
    isUnread: false,
    until: '2099-01-01T00:00:00Z',
  },
};

/** Makes the run also a research run. */
const STUDY: Omit<StudyRequest, 'runId'> = {
  ...{ question: 'Owls?', sources: ['files'], addresses: [], depth: 'quick', budget: null, language: 'en' },
  ...{ approvePlan: false, previousRunId: null, way: 'anew', expiresAt: 9e9 },
};

/** Resources named by IDs in paths: created in the workspace, for the caller; returns the ID. */
const THINGS: Record<string, (place: Place) => Promise<string>> = {
  workspaceId: async ({ workspaceId }) => workspaceId,
  noteId: ({ workspaceId }) => makeThing('/api/notes', { workspaceId, title: 'For one' }),
  memoryId: ({ workspaceId }) =>
    makeThing(`/api/memories?scope=workspace&workspaceId=${workspaceId}`, { text: 'Owls are protected.' }),
  skillId: ({ workspaceId }) => makeThing('/api/skills', { workspaceId, ...SKILL }),
  taskId: ({ workspaceId }) => makeThing('/api/scheduled-tasks', { workspaceId, ...TASK }),
  uploadId: ({ workspaceId }) => makeThing('/api/files/uploads', { workspaceId, path: 'b.txt', size: 1 }),
  datasetId: makeDataset,
  runId: makeRun,
  conversationId: makeConversation,
  approvalId: async () => APPROVAL,
  messageId: async () => randomUUID(),
  toolCallId: async () => 'a-call',
  hash: async () => ATTACHED,
  brokenCitationId: async () => 'no-citation',
  tokenId: async ({ workspaceId }) => (await makeToken('viewer', [workspaceId])).id,
  n: async () => '1',
  path: async () => 'a.txt',
  asset: async () => 'start.js',
  folder: async () => 'guides',
  page: async () => 'README',
  name: makeServer,
  provider: async () => 'c',
  sessionId: openTerminal,
  webhookId: makeWebhook,
  tableId: makeTable,
  sourceId: makeSource,
};
const APPROVAL = 'an-approval';
const WEIGHT = { name: 'Weight', question: 'How heavy?', type: 'number' };
const ATTACHED = 'a'.repeat(64);

const terminals: [string, Credential][] = [];

/** Opens a terminal as the caller, and closes an earlier one, because their number is limited. */
async function openTerminal({ workspaceId, caller }: Place): Promise<string> {
  const body = { workspaceId, columns: 80, rows: 24 };
  const path = '/api/terminal/sessions';
  // A terminal that its owner may no longer close ends within seconds.
  const answer = await eventually(
    () => service.call<{ id?: string }>('POST', path, body, caller.headers),
    ({ headers }) => headers['x-error-code'] !== 'too_many_terminals',
  );
  const { id } = answer.body;
  if (id === undefined) return randomUUID();
  terminals.push([id, caller]);
  const own = terminals.filter(([, owner]) => owner === caller);
  const extra = own.length > 2 ? own[0] : terminals.length > 6 ? terminals[0] : undefined;
  if (extra === undefined) return id;
  const [[earlier, owner] = extra] = terminals.splice(terminals.indexOf(extra), 1);
  await service.call('DELETE', `${path}/${earlier}`, undefined, owner.headers);
  return id;
}

/** Creates a webhook as a record, because the API allows only a few. */
async function makeSource({ workspaceId }: Place): Promise<string> {
  const id = randomUUID();
  await sources.put(ports.records, makeStoredSource({ id, workspaceId }));
  return id;
}

async function makeWebhook(): Promise<string> {
  const id = randomUUID();
  await webhooks.put(ports.records, {
    ...{ id, name: 'x', url: 'https://93.184.216.34/x', events: [], isEnabled: true },
    ...{ disabledReason: null, failingSince: null, secretId: 's', version: 1 },
    createdAt: new Date().toISOString(),
  });
  return id;
}

/** Creates an evidence table as a record, because no model is configured. */
async function makeTable({ workspaceId, caller }: Place): Promise<string> {
  const id = randomUUID();
  await tables.create(ports.records, {
    ...{
      id,
      workspaceId,
      name: 'Owls',
      createdBy: caller.id,
      createdAt: new Date().toISOString(),
      columns: [],
    },
    ...{ pilot: 1, glob: null, rowCount: 0, nextRow: 0, budget: null, follower: null, runId: null },
    ...{ followFrom: 0, restStarted: false },
    ...{ scope: 'pilot', used: null, version: 1 },
  });
  return id;
}

async function makeThing(path: string, body: unknown): Promise<string> {
  const answer = await asAdmin.call<{ id?: string; uploadId?: string }>('POST', path, body);
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body.id ?? answer.body.uploadId ?? '';
}

/**
 * Creates a server at a URL that is rejected before any request, because the service accepts no URL of this
 * kind.
 */
async function makeServer({ workspaceId }: Place): Promise<string> {
  await mcpServers.put(ports.records, {
    ...{ id: randomUUID(), workspaceId, name: 'inside', url: 'https://127.0.0.1/mcp', headerNames: [] },
    ...{ createdBy: admin.id, createdAt: new Date().toISOString() },
  });
  return 'inside';
}

/** Creates another user's dataset, linked to the workspace. */
async function makeDataset({ workspaceId, root }: Place): Promise<string> {
  const id = await makeThing('/api/datasets/import-local', { localPath: root, name: randomUUID() });
  await asAdmin.call('POST', `/api/datasets/${id}/workspaces`, { workspaceId });
  return id;
}

/** Makes a finished run of the caller, whose stream has ended. The run asked for an approval. */
async function makeRun({ workspaceId, caller: { id: callerId } }: Place): Promise<string> {
  const caller: Caller = { id: callerId, role: 'viewer', workspaceIds: null };
  const fields = { workspaceId, caller, mode: 'ask' as const, cwd: '', provider: 'a' as const };
  const run = await createRun(ports, { ...fields, model: 'none', allowedTools: null });
  await approvals.create(ports.records, {
    ...{
      id: APPROVAL,
      runId: run.id,
      toolCallId: 'c',
      toolName: 't',
      input: {},
      summary: '',
      effects: [],
      requiredBy: null,
      subjects: [],
      callerId,
    },
    ...{ status: 'waiting', reason: null, answeredAt: null, expiresAt: new Date().toISOString() },
  });
  await studies.put(ports.records, { ...STUDY, runId: run.id });
  const folder = draftFolder({ workspaceId }, run.id);
  const ids = { ownerId: callerId, runId: run.id, workspaceIds: [workspaceId] };
  await draftChecks.put(ports.records, { ...CHECK, ...ids, folder });
  const verdicts = [{ n: 1, verdict: 'not_found' as const, reason: '', findings: [], citations: [] }];
  await saveStep(ports, run.id, { name: VERDICTS, input: [0], value: { verdicts } });
  const sentences = [{ text: 'Owls hunt.', start: 0, end: 10 }];
  const draft = { format: 'txt' as const, text: 'Owls hunt.', sentences, claims: [0], listed: [] };
  await storeOriginal({ objects }, { folder }, Buffer.from(draft.text));
  await storeDraft({ objects }, { folder }, draft);
  await finishRun(ports, run, { status: 'done', steps: 0, error: null });
  return run.id;
}

/** Creates a conversation of the caller in which nothing is running. */
async function makeConversation({ workspaceId, caller }: Place): Promise<string> {
  const id = randomUUID();
  const question = { id: 'q', role: 'user' as const, parts: [{ type: 'text', text: 'hello' }] };
  const plan = { conversation: undefined, branch: [], parent: null, added: [question], question };
  const turn = await claimTurn(ports, caller.id, { workspaceId, id }, { ...plan, history: [question] });
  const file = { name: 'a.txt', mediaType: 'text/plain', bytes: Buffer.from('a'), text: 'a', isCut: false };
  await keepAttachments({ ...ports, objects }, turn.conversation, [{ ...file, hash: ATTACHED }]);
  await endTurn(ports, turn.conversation, { ...question, id: turn.id, role: 'assistant' }, question);
  return id;
}

async function makePlace(findCaller: (home: string) => Promise<Credential>): Promise<Place> {
  const places = { ...ports, workspaceRoots: [service.root] };
  const { workspace } = await createWorkspace(places, ADMIN, { path: randomUUID() });
  const { id, rootPath } = workspace;
  await writeFile(join(rootPath, 'a.txt'), 'a');
  return { workspaceId: id, root: rootPath, caller: await findCaller(id) };
}

interface Request {
  method: string;
  path: string;
  body: unknown;
}

async function makeRequest(route: AskedRoute, place: Place): Promise<Request> {
  const { method, bodyType } = route;
  const fields = fieldsOf(route, place);
  const path = await pathOf(route, place);
  const [asked, inBody] = [shapeOf(route.query), shapeOf(route.body)];
  const isAsked = (name: string) => route.body === undefined || (name in asked && !(name in inBody));
  const queried = Object.entries(fields).filter(([name]) => isAsked(name));
  const query = new URLSearchParams(queried as [string, string][]).toString();
  const sent = Object.fromEntries(Object.entries(fields).filter(([name]) => !isAsked(name)));
  const body = Array.isArray(fields) ? fields : bodyType === 'multipart/form-data' ? formOf(sent) : sent;
  return {
    method,
    path: query === '' ? path : `${path}?${query}`,
    body: route.body === undefined ? undefined : body,
  };
}

/** Leaves a stream after its first bytes, because it may last as long as the request may. */
function send({ method, path, body }: Request, headers: Record<string, string>): Promise<{ status: number }> {
  const isStream = method === 'GET' && /\/stream(\?|$)/.test(path);
  return isStream
    ? readStream(service, path, { headers, leave: () => true })
    : service.call(method, path, body, headers);
}

function fieldsOf(route: AskedRoute, place: Place): Fields {
  const fields = FIELDS[nameOf(route)]?.(place) ?? {};
  if (route.ofAll) return { ...fields, ...('scope' in fields && { scope: 'person' }) };
  const isNamed = 'workspaceId' in { ...shapeOf(route.query), ...shapeOf(route.body) };
  return isNamed ? { ...fields, workspaceId: place.workspaceId } : fields;
}

function formOf(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('file', new Blob(['x']), 'a.txt');
  return form;
}

async function pathOf({ path }: AnyRoute, place: Place): Promise<string> {
  let made = path;
  for (const [parameter, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const make = THINGS[name];
    if (make === undefined) throw new Error(`nobody knows what ${parameter} is: add it to THINGS`);
    made = made.replace(parameter, await make(place));
  }
  return made;
}

/** Returns the row of a route as the service responds. */
async function readRow(route: AskedRoute): Promise<string> {
  const place = await makePlace(async () => viewer);
  const request = await makeRequest(route, place);
  const strangers = await Promise.all(STRANGERS.map(([, headers]) => send(request, headers)));
  const isClosed = strangers.every(({ status }) => status === 401);
  const isOpen = strangers.every(({ status }) => status !== 401 && status !== 403);
  const [unbound, own, other] = await Promise.all([
    readCells((role) => askForItself(route, async () => UNBOUND[role])),
    readCells((role) => askForItself(route, (home) => makeToken(role, [home]))),
    readCells((role) => send(request, FOREIGN[role].headers)),
  ]);
  return [isClosed ? 'closed' : isOpen ? 'open' : 'neither', unbound, own, other].join(' ');
}

/** Sends the request in a separate workspace, so that an allowed action doesn't affect the next request. */
async function askForItself(route: AskedRoute, findCaller: (home: string) => Promise<Credential>) {
  const place = await makePlace(findCaller);
  return send(await makeRequest(route, place), place.caller.headers);
}

async function readCells(ask: (role: Member['role']) => Promise<{ status: number }>): Promise<string> {
  const cells = MEMBER_ROLES.map(async (role) => {
    const { status } = await ask(role);
    if (status === 403) return '-';
    if (status === 404) return '.';
    return status === 401 || status === 500 ? String(status) : role.charAt(0);
  });
  return (await Promise.all(cells)).join('');
}

describe('access table', () => {
  it.each(routes.map((route) => [nameOf(route), route] as const))(
    'is correct for %s',
    async (name, route) => {
      expect(await readRow(route)).toBe(rows.get(name));
    },
  );

  it.each([...rowsOfAll])('is correct without a workspace for %s', async (name, row) => {
    const route = routes.find((each) => nameOf(each) === name);
    if (route === undefined) throw new Error('This route does not exist.');
    expect(await readRow({ ...route, ofAll: true })).toBe(row);
  });
});

/** IDs in paths that don't identify a workspace. A new one must be added here, or its routes apply the member lists. */
const OF_NO_WORKSPACE = new Set(['datasetId', 'tokenId', 'webhookId', 'asset', 'folder', 'page']);
/** Routes that find the workspace by a folder. */
const BY_FOLDER = new Set(['POST /api/terminal/exec', 'POST /api/datasets/import-local']);

/** A workspace that the caller may not read, among several, gets 404. */
const OF_SEVERAL = 'GET /api/search';

function isOfWorkspace(route: AnyRoute): boolean {
  const ids = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const isNamed = route.workspace !== undefined || BY_FOLDER.has(nameOf(route));
  return isNamed || ids.some((name) => !OF_NO_WORKSPACE.has(name));
}

/**
 * Returns the responses that a member of the service gets in their own workspace, with one member list after
 * the other.
 */
async function askListed(route: AnyRoute, ...lists: Member[][]): Promise<number[]> {
  const place = await makePlace(async () => member);
  const request = await makeRequest(route, place);
  const statuses: number[] = [];
  for (const members of lists) {
    await workspaces.update(ports.records, { id: place.workspaceId }, { set: { members } });
    statuses.push((await send(request, member.headers)).status);
  }
  return statuses;
}

describe('workspace with a member list', () => {
  const others: Member[] = [{ subject: 'somebody else', role: 'admin' }];
  const asViewer: Member[] = [{ subject: member.id, role: 'viewer' }];
  const asMember: Member[] = [{ subject: member.id, role: 'admin' }];
  const ofWorkspaces = routes.filter(isOfWorkspace).map((route) => [nameOf(route), route] as const);
  const isForViewers = (name: string) => !rows.get(name)?.split(' ')[2]?.startsWith('-');

  it.each(ofWorkspaces)(
    "excludes callers who aren't on it, and limits the role of those who are: %s",
    async (name, route) => {
      const lists = isForViewers(name) ? [others] : [others, asViewer];
      // An evidence table is missing for callers who can't see its workspace.
      const hides = name === OF_SEVERAL || name.includes('{tableId}');
      const refused = (list: Member[]) => (hides && list === others ? 404 : 403);
      expect(await askListed(route, ...lists)).toEqual(lists.map(refused));
    },
  );

  it.each(['GET /api/files/read', 'POST /api/files/write'])(
    'allows callers who are on it: %s',
    async (name) => {
      const [, route] = ofWorkspaces.find(([each]) => each === name) ?? [];
      if (route === undefined) throw new Error('This route does not exist.');
      expect(await askListed(route, isForViewers(name) ? asViewer : asMember)).toEqual([200]);
    },
  );
});

describe('monitor', () => {
  it('reads only metrics and health', async () => {
    const monitor = await makeToken('monitor');
    const closed = routes.filter((route) => rows.get(nameOf(route))?.startsWith('closed'));
    const allowed: string[] = [];
    for (const route of closed) {
      const request = await makeRequest(route, await makePlace(async () => monitor));
      if ((await send(request, monitor.headers)).status !== 403) allowed.push(nameOf(route));
    }
    expect(allowed).toEqual(['GET /api/metrics']);
  });

  it('is refused with a token that is bound to workspaces', async () => {
    const { headers } = await makeToken('monitor', [foreign.id]);
    expect((await service.call('GET', '/api/metrics', undefined, headers)).status).toBe(403);
  });
});

describe('workspace-scoped token', () => {
  it('sees only its workspaces', async () => {
    await makeWorkspace(asAdmin);
    const seen = await service.call<{ id: string }[]>(
      'GET',
      '/api/workspaces',
      undefined,
      foreignMember.headers,
    );
    expect(seen.body.map(({ id }) => id)).toEqual([foreign.id]);
  });
});

describe('global skill', () => {
  it('is readable by everyone, and changed only by a global administrator', async () => {
    const id = await makeThing('/api/skills', { ...SKILL, name: 'For all' });
    for (const { headers } of [viewer, member, foreignMember, foreignAdmin]) {
      const call = (method: string, body?: unknown) =>
        service.call(method, `/api/skills/${id}`, body, headers);
      expect((await call('GET')).status).toBe(200);
      expect((await call('PUT', { name: 'x' })).status).toBe(403);
      expect((await call('DELETE')).status).toBe(403);
    }
    expect((await asAdmin.call('DELETE', `/api/skills/${id}`)).status).toBe(200);
  });
});

describe('revoked token', () => {
  it('is rejected at its next request', async () => {
    const { headers, id } = await makeToken('viewer');
    expect((await service.call('GET', '/api/workspaces', undefined, headers)).status).toBe(200);
    expect((await asAdmin.call('DELETE', `/api/tokens/${id}`)).status).toBe(200);
    expect((await service.call('GET', '/api/workspaces', undefined, headers)).status).toBe(401);
  });
});
