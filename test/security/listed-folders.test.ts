import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import type { DescribedDataset } from '../../lib/datasets/schema.ts';
import { filesPartition, indexedFiles, pendingLooks } from '../../lib/indexing/schema.ts';
import { expiryAfter } from '../../lib/ports/clock.ts';
import type { Records } from '../../lib/ports/records.ts';
import { workspaces } from '../../lib/workspaces/schema.ts';
import { makeCaller, type TestCaller } from '../support/callers.ts';
import { type FakeOpenai, inTurn, startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { type Service, startService } from '../support/service.ts';
import { eventually, syncWorkspace } from '../support/sync.ts';
import { whenDone } from '../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../support/workspace.ts';

/**
 * Text that must not leak once the folder `secret` is a workspace with a member list: the contents of its
 * files, and their names.
 */
const SECRET = /tuesday|plan\.md|rows\.csv/i;
const QUESTION = 'When does the okapi move?';

let provider: FakeOpenai;
let service: Service;
let records: Records;
let admin: TestCaller;
let ann: TestCaller;
let bob: TestCaller;
let own: TestWorkspace;
let areas = 0;

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  service = await startService({ AUTH_MODE: 'token', PROVIDER_A_BASE_URL: provider.url });
  const database = openDatabase(service.dataDir);
  whenDone(async () => database.close());
  records = sqliteRecords(database);
  admin = await makeCaller(service, 'admin');
  ann = await makeCaller(service, 'member');
  bob = await makeCaller(service, 'member');
  own = await makeWorkspace(bob);
});

/** Creates a folder that bob imports and links to a workspace, before a part of it becomes private. */
async function makeArea(): Promise<{ at: string; name: string; dataset: DescribedDataset }> {
  const name = `area-${++areas}`;
  const at = join(service.root, name);
  await mkdir(join(at, 'secret'), { recursive: true });
  await writeFile(join(at, 'readme.md'), `# Area\n\nA zebra lives in ${name}.\n`);
  await writeFile(join(at, 'secret/plan.md'), '# Plan\n\nThe okapi moves on Tuesday.\n');
  await writeFile(join(at, 'secret/rows.csv'), 'animal,day\nokapi,Tuesday\n');
  const { status, body } = await bob.call<DescribedDataset>('POST', '/api/datasets/import-local', {
    localPath: at,
  });
  expect(status).toBe(201);
  return { at, name, dataset: body };
}

async function link({ id }: DescribedDataset, workspaceId: string, by = bob): Promise<number> {
  return (await by.call('POST', `/api/datasets/${id}/workspaces`, { workspaceId })).status;
}

async function list(workspaceId: string, ...subjects: TestCaller[]): Promise<void> {
  const members = subjects.map(({ id }) => ({ subject: id, role: 'member' }));
  expect((await admin.call('PUT', `/api/workspaces/${workspaceId}/members`, members)).status).toBe(200);
}

type EntryPoint = (by: TestCaller, workspaceId: string, dataset: DescribedDataset) => Promise<string>;

function get(path: (workspaceId: string, dataset: DescribedDataset) => string): EntryPoint {
  return async (by, workspaceId, dataset) =>
    (await by.call('GET', path(workspaceId, dataset))).bytes.toString();
}

function file(what: string, path: string): EntryPoint {
  return get((id, { name }) => `/api/files/${what}?workspaceId=${id}&path=datasets/${name}/${path}`);
}

/** Returns the results of the agent's tool for the model and the person. */
function agentTool(name: string, input: (name: string) => object): EntryPoint {
  return async (by, workspaceId, dataset) => {
    provider.answer = inTurn({ calls: [{ name, input: input(dataset.name) }] }, 'Done.');
    const body = { workspaceId, cwd: '', messages: [{ role: 'user', content: 'Look.' }] };
    const { bytes } = await by.call('POST', '/api/agent', body);
    const told = JSON.stringify(provider.lastChat?.messages.slice(2)) ?? '';
    return withoutCalls(bytes.toString()) + withoutCalls(told);
  };
}

/** The tool's own input names the file. */
function withoutCalls(text: string): string {
  return text.replaceAll(/datasets\/[\w-]+\/secret\/plan\.md/g, 'ASKED');
}

function mcpTool(name: string, input: (dataset: DescribedDataset) => object, ofWorkspace = true): EntryPoint {
  return async (by, workspaceId, dataset) => {
    const client = await connect(by);
    const named = { ...input(dataset), ...(ofWorkspace && { workspaceId }) };
    return withoutCalls(JSON.stringify(await client.callTool({ name, arguments: named })));
  };
}

async function connect({ headers }: TestCaller): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/api/mcp`), { requestInit }));
  whenDone(() => client.close());
  return client;
}

/** Returns the model's input, and the person's response. */
function prompted(path: string, body: (workspaceId: string) => object): EntryPoint {
  return async (by, workspaceId) => {
    const told: unknown[] = [];
    provider.answer = (request) => {
      told.push(request.messages);
      return 'I do not know [1] [2].';
    };
    const { bytes } = await by.call('POST', path, body(workspaceId));
    return bytes.toString() + JSON.stringify(told);
  };
}

const plan = (name: string) => `datasets/${name}/secret/plan.md`;
const messages = [{ role: 'user', content: QUESTION }];

/** Every entry point to a linked folder. */
const ENTRY_POINTS: Record<string, EntryPoint> = {
  browse: file('browse', 'secret'),
  read: file('read', 'secret/plan.md'),
  raw: file('raw', 'secret/plan.md'),
  'the list of the index': get((id) => `/api/workspaces/${id}/files?state=indexed&limit=1000`),
  search: get((id) => `/api/workspaces/${id}/search?q=${encodeURIComponent(QUESTION)}&k=20`),
  'the dataset': get((_, { id }) => `/api/datasets/${id}`),
  'the datasets': get(() => '/api/datasets'),
  preview: get((_, { id }) => `/api/datasets/${id}/preview?split=default`),
  refresh: async (by, _, { id }) => (await by.call('POST', `/api/datasets/${id}/refresh`)).bytes.toString(),
  chat: prompted('/api/chat', (workspaceId) => ({ workspaceId, messages })),
  'a note': prompted('/api/generate', (workspaceId) => ({ workspaceId, type: 'summary' })),
  'a command': async (by, _, { name }) => {
    const command = `cat ${plan(name)}; ls datasets/${name}/secret`;
    const { bytes } = await by.call('POST', '/api/terminal/exec', { command, cwd: own.root });
    return withoutCalls(bytes.toString());
  },
  readFile: agentTool('readFile', (name) => ({ path: plan(name) })),
  listDirectory: agentTool('listDirectory', (name) => ({ path: `datasets/${name}/secret` })),
  grep: agentTool('grep', () => ({ path: '', pattern: 'okapi' })),
  'grep there': agentTool('grep', (name) => ({ path: `datasets/${name}/secret`, pattern: 'okapi' })),
  searchWorkspace: agentTool('searchWorkspace', () => ({ query: QUESTION })),
  bash: agentTool('bash', (name) => ({ command: `cat ${plan(name)}` })),
  'MCP read_file': mcpTool('read_file', ({ name }) => ({ path: plan(name) })),
  'MCP list_files': mcpTool('list_files', ({ name }) => ({ path: `datasets/${name}/secret` })),
  'MCP find_text': mcpTool('find_text', () => ({ path: '', pattern: 'okapi' })),
  'MCP search': mcpTool('search', () => ({ query: QUESTION })),
  'MCP preview_dataset': mcpTool('preview_dataset', ({ id }) => ({ datasetId: id, split: 'default' }), false),
  'MCP resource': async (by, workspaceId, { name }) => {
    const client = await connect(by);
    const uri = `workspace://${workspaceId}/${plan(name)}`;
    return withoutCalls(JSON.stringify(await client.readResource({ uri })));
  },
  'MCP resources': async (by) => JSON.stringify(await (await connect(by)).listResources()),
};

/** Returns the entry points through which the folder is visible. */
async function seenThrough(by: TestCaller, workspaceId: string, dataset: DescribedDataset) {
  const seen: string[] = [];
  for (const [name, read] of Object.entries(ENTRY_POINTS)) {
    const text = await read(by, workspaceId, dataset).catch((error: Error) => error.message);
    if (SECRET.test(text)) seen.push(name);
  }
  return seen;
}

async function indexed(workspaceId: string): Promise<string[]> {
  const found = await indexedFiles.list(records, { partition: filesPartition(workspaceId), limit: 1000 });
  return found.items.map(({ path }) => path);
}

describe('imported folder in which a workspace gets a member list', () => {
  let area: Awaited<ReturnType<typeof makeArea>>;
  let secret: TestWorkspace;

  it('is visible through every entry point until then, so that the attack would reach it', async () => {
    area = await makeArea();
    expect(await link(area.dataset, own.id)).toBe(201);
    await syncWorkspace(bob, own.id);
    // Requests a scan in advance, so that the commands below request none, which would clear the index during
    // the next test.
    await pendingLooks.create(records, {
      workspaceId: own.id,
      expiresAt: expiryAfter({ now: Date.now }, 3600),
    });
    expect(await indexed(own.id)).toContain(plan(area.name));
    expect(await seenThrough(bob, own.id, area.dataset)).toEqual(Object.keys(ENTRY_POINTS));
  });

  it('is inaccessible from the next request on, whatever the index still contains', async () => {
    secret = await makeWorkspace(admin, `${area.name}/secret`);
    const members = [{ subject: ann.id, role: 'member' as const }];
    // The process ended, so no index is notified.
    await workspaces.update(records, secret, { set: { members } });
    expect(await indexed(own.id)).toContain(plan(area.name));
    expect(await seenThrough(bob, own.id, area.dataset)).toEqual([]);
    expect(await indexed(own.id)).toContain(plan(area.name));
    // In that workspace, for any reader.
    expect(await ENTRY_POINTS.read?.(admin, own.id, area.dataset)).not.toMatch(SECRET);
  });

  it('is also removed from the index', async () => {
    await list(secret.id, ann);
    const left = await eventually(
      () => indexed(own.id),
      (paths) => !paths.some((path) => path.startsWith('datasets/')),
    );
    expect(left).toEqual([]);
  });

  it('reports why, and can be unlinked but not deleted, for a user without access', async () => {
    const at = `/api/datasets/${area.dataset.id}`;
    const refused = await bob.call('GET', at);
    expect(refused).toMatchObject({
      status: 403,
      body: { error: expect.stringMatching(/You can't access this dataset/) },
    });
    const other = await makeCaller(service, 'member');
    expect((await other.call('DELETE', at)).status).toBe(403);
    expect(await link(area.dataset, (await makeWorkspace(bob)).id)).toBe(403);
    expect(await link(area.dataset, (await makeWorkspace(ann)).id, ann)).toBe(409);
    expect((await bob.call('DELETE', `${at}/workspaces?workspaceId=${own.id}`)).status).toBe(200);
    expect(await link(area.dataset, own.id)).toBe(403);
  });

  it('is accessible if all users can access that workspace', async () => {
    const shared = await makeWorkspace(ann);
    await list(shared.id, ann);
    expect(await link(area.dataset, shared.id, ann)).toBe(201);
    await syncWorkspace(ann, shared.id);
    const [read, search] = [ENTRY_POINTS.read, ENTRY_POINTS.search];
    expect(await read?.(ann, shared.id, area.dataset)).toMatch(SECRET);
    expect(await search?.(ann, shared.id, area.dataset)).toMatch(SECRET);
    await list(shared.id, ann, bob);
    expect(await read?.(ann, shared.id, area.dataset)).not.toMatch(SECRET);
    expect(await search?.(bob, shared.id, area.dataset)).not.toMatch(SECRET);
    await list(secret.id, ann, bob);
    expect(await read?.(bob, shared.id, area.dataset)).toMatch(SECRET);
    await list(shared.id);
    expect(await read?.(bob, shared.id, area.dataset)).not.toMatch(SECRET);
  });

  it('is accessible again, and in the index, when the list is removed', async () => {
    const { id } = await makeWorkspace(bob);
    await list(secret.id, bob);
    await list(id, bob);
    expect(await link(area.dataset, id)).toBe(201);
    const isThere = (paths: string[]) => paths.includes(plan(area.name));
    await eventually(() => indexed(id), isThere);
    await list(id, bob, ann);
    await eventually(
      () => indexed(id),
      (paths) => paths.length === 0,
    );
    expect((await admin.call('DELETE', `/api/workspaces/${secret.id}`)).status).toBe(200);
    expect(await eventually(() => indexed(id), isThere)).toContain(`datasets/${area.name}/readme.md`);
  });
});

describe('imported folder inside a workspace that gets a member list', () => {
  it('is also inaccessible', async () => {
    const { dataset, name, at } = await makeArea();
    const { id } = await makeWorkspace(bob);
    expect(await link(dataset, id)).toBe(201);
    expect(await ENTRY_POINTS.read?.(bob, id, dataset)).toMatch(SECRET);
    const around = await makeWorkspace(admin, name);
    await list(around.id, ann);
    expect(await ENTRY_POINTS.read?.(bob, id, dataset)).not.toMatch(SECRET);
    expect((await bob.call('GET', `/api/datasets/${dataset.id}`)).status).toBe(403);
    const again = { localPath: join(at, 'secret') };
    expect((await bob.call('POST', '/api/datasets/import-local', again)).status).toBe(403);
    expect((await ann.call('POST', '/api/datasets/import-local', again)).status).toBe(201);
  });
});
