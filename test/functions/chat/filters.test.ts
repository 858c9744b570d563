import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { makeCaller, type TestCaller } from '../../support/callers.ts';
import { type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { researchAnswer } from '../../support/research-model.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually, syncWorkspace } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

const QUESTION = 'When do owls hunt?';
/** Files that all answer the question, so that only a filter leaves some out. */
const MANY = 300;

// biome-ignore lint/suspicious/noExplicitAny: bodies of several routes
type Loose = any;

let provider: FakeOpenai;
let service: Service;
let admin: TestCaller;
let ann: TestCaller;
let library: TestWorkspace;
let other: TestWorkspace;
let count = 0;

async function fill(files: Record<string, string>): Promise<TestWorkspace> {
  const made = await makeWorkspace(admin);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(made.root, path)), { recursive: true });
    await writeFile(join(made.root, path), text);
  }
  return made;
}

const about = (front: string, text = 'Owls hunt at night.') => `---\n${front}\n---\n${text}\n`;

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  const embedding = { EMBEDDING_BASE_URL: provider.url, EMBEDDING_API_KEY: 'test' };
  service = await startService({ ...embedding, PROVIDER_A_BASE_URL: provider.url, AUTH_MODE: 'token' });
  admin = await makeCaller(service, 'admin');
  ann = await makeCaller(service, 'member');
  const many = Array.from({ length: MANY }, (_, at) => [
    `many/${at}.md`,
    `Owls hunt at night, says file ${at}.\n`,
  ]);
  library = await fill({
    ...Object.fromEntries(many),
    'papers/márquez.md': about('author: "García Márquez, Gabriel"\nyear: 2019\ntags: [birds/owls, night]'),
    "papers/o'hara.md": about('authors: [Maureen O’Hara]\ndate: 2021-06-01\ntags:\n  birds:\n    - owls'),
    'notes/plain.txt': 'Owls hunt at night, says a plain text.\n',
    LICENSE: 'Owls hunt at night, says a file without extension.\n',
  });
  await utimes(join(library.root, 'notes/plain.txt'), 0, Date.parse('2020-12-31T23:30:00Z') / 1000);
  other = await fill({
    'papers/hawks.md': about('author: Gabriel Garcia Marquez\nyear: 2020', 'Owls and hawks hunt by day.'),
    'papers/none.md': 'Owls hunt at night.\n',
  });
  await Promise.all([syncWorkspace(admin, library.id), syncWorkspace(admin, other.id)]);
});

beforeEach(() => {
  provider.answer = () => 'Owls hunt at night [1]. They hunt by day [2].';
});

function search(filter: unknown, more = '', caller = ann) {
  const json = typeof filter === 'string' ? filter : JSON.stringify(filter);
  const query = `q=${encodeURIComponent(QUESTION)}&filter=${encodeURIComponent(json)}${more}`;
  return caller.call<Loose[]>('GET', `/api/workspaces/${library.id}/search?${query}`);
}

async function pathsOf(filter: unknown, more = ''): Promise<string[]> {
  const { status, body } = await search(filter, more);
  expect([status, body]).toEqual([200, expect.any(Array)]);
  return [...new Set(body.map(({ path }) => path))].sort();
}

const MARQUEZ = 'papers/márquez.md';
const OHARA = "papers/o'hara.md";

describe('GET /api/workspaces/{workspaceId}/search with a filter', () => {
  it.each<[unknown, string[]]>([
    [{ author: 'gabriel garcia marquez' }, [MARQUEZ]],
    [{ author: "O'Hara" }, [OHARA]],
    [{ year: { from: 2020 } }, [OHARA]],
    [{ year: { to: 2019 } }, [MARQUEZ]],
    [{ tag: 'birds' }, [MARQUEZ, OHARA]],
    [{ tag: 'Birds/Owls', year: { from: 2019, to: 2020 } }, [MARQUEZ]],
    [{ modified: { to: '2020-12-31' } }, ['notes/plain.txt']],
    [{ modified: { from: '2021-01-01T00:00:00+01:00', to: '2021-01-01' } }, ['notes/plain.txt']],
    [{ modified: { to: '2020-12-30' } }, []],
    [{ kind: 'other' }, ['LICENSE']],
    [{ kind: 'notes', path: 'notes' }, ['notes/plain.txt']],
    [{ path: "papers/o'hara.md" }, [OHARA]],
    [{ path: 'papers' }, [MARQUEZ, OHARA]],
    [{ kind: 'pdf' }, []],
    [{ author: 'Nobody' }, []],
  ])('finds only files that match %j', async (filter, expected) => {
    expect(await pathsOf(filter, '&k=100')).toEqual(expected);
  });

  it.each([
    { author: "x') OR ('a' = 'a" },
    { tag: "'; DROP TABLE passages; --" },
    { path: "none' OR path LIKE '%" },
    { path: '%' },
    { path: '../' },
    { path: 'papers/../../x' },
    { author: '\\' + "' OR 1=1 --" },
  ])('finds nothing for the hostile %j', async (filter) => {
    expect(await pathsOf(filter, '&k=100')).toEqual([]);
  });

  it('is combined with paths and types', async () => {
    expect(await pathsOf({ tag: 'birds' }, `&paths=${encodeURIComponent(OHARA)}`)).toEqual([OHARA]);
    expect(await pathsOf({ path: 'papers' }, '&paths=notes')).toEqual([]);
    expect(await pathsOf({ kind: 'notes' }, '&types=txt')).toEqual(['notes/plain.txt']);
    expect(await pathsOf({ kind: 'notes' }, '&types=pdf')).toEqual([]);
    expect((await pathsOf({}, '&k=100')).length).toBeGreaterThan(50);
  });

  it('follows corrections of a document at once, and its file when it is only touched', async () => {
    const document = `/api/workspaces/${library.id}/documents/notes%2Fplain.txt`;
    await admin.call('PATCH', document, { authors: ['Bea Moreau'], year: 1999, tags: ['corrected'] });
    expect(await pathsOf({ author: 'Moreau', year: { to: 1999 }, tag: 'corrected' })).toEqual([
      'notes/plain.txt',
    ]);
    await admin.call('PATCH', document, { authors: null, year: null, tags: null });
    expect(await pathsOf({ author: 'Moreau' })).toEqual([]);
    const touch = async (date: string) => {
      await utimes(join(library.root, 'LICENSE'), 0, Date.parse(date) / 1000);
      await syncWorkspace(admin, library.id);
    };
    await touch('2019-01-01T00:00:00Z');
    expect(await pathsOf({ modified: { to: '2019-12-31' } })).toEqual(['LICENSE']);
    await touch('2026-01-01T00:00:00Z');
  });

  it.each([
    [{ sources: 'zotero' }, 'unknown_field', 'filter.sources'],
    [{ year: { from: 2021, to: 2020 } }, 'invalid_value', 'filter.year'],
    [{ author: 7 }, 'invalid_value', 'filter.author'],
    ['{', 'invalid_value', 'filter'],
  ])('refuses %j by its field', async (filter, code, field) => {
    const { status, headers } = await search(filter);
    expect([status, headers['x-error-code'], headers['x-error-field']]).toEqual([400, code, field]);
  });
});

describe('pages of a search', () => {
  it('have each passage once, in the order of a single page, and are refused for another query', async () => {
    const all = (await search({ path: 'many' }, '&k=100')).body;
    const found: Loose[] = [];
    let more = '&k=30';
    let pages = 0;
    for (; pages < 20; pages++) {
      const { body, headers } = await search({ path: 'many' }, more);
      found.push(...body);
      if (headers['x-next-cursor'] === undefined) break;
      more = `&k=30&cursor=${headers['x-next-cursor']}`;
    }
    expect(pages).toBeGreaterThan(2);
    expect(found.slice(0, 100).map(({ path }) => path)).toEqual(all.map(({ path }) => path));
    expect(new Set(found.map(({ path }) => path)).size).toBe(found.length);
    const { status, headers } = await search({ path: 'papers' }, more);
    expect([status, headers['x-error-code']]).toEqual([400, 'invalid_cursor']);
  });

  it('continue over several workspaces, in the same order', async () => {
    const address = `/api/search?q=${encodeURIComponent(QUESTION)}&workspaceIds=${library.id},${other.id}`;
    const first = await ann.call<Loose[]>('GET', `${address}&k=10`);
    const next = await ann.call<Loose[]>('GET', `${address}&k=10&cursor=${first.headers['x-next-cursor']}`);
    const both = await ann.call<Loose[]>('GET', `${address}&k=20`);
    expect([...first.body, ...next.body]).toEqual(both.body);
    const elsewhere = `${address.replace(`,${other.id}`, '')}&cursor=${first.headers['x-next-cursor']}`;
    expect((await ann.call('GET', elsewhere)).headers['x-error-code']).toBe('invalid_cursor');
  });
});

describe('GET /api/search with a filter', () => {
  it('applies it in each workspace', async () => {
    const find = async (filter: unknown) => {
      const query = `q=${encodeURIComponent(QUESTION)}&k=100&filter=${encodeURIComponent(JSON.stringify(filter))}`;
      const { body } = await ann.call<Loose[]>(
        'GET',
        `/api/search?${query}&workspaceIds=${library.id},${other.id}`,
      );
      return body
        .map(({ workspaceId, path }) => `${workspaceId === library.id ? 'library' : 'other'}/${path}`)
        .sort();
    };
    expect(await find({ author: 'García Márquez' })).toEqual([`library/${MARQUEZ}`, 'other/papers/hawks.md']);
    expect(await find({ path: 'papers', year: { from: 2020 } })).toEqual([
      `library/${OHARA}`,
      'other/papers/hawks.md',
    ]);
    expect(await find({ path: 'papers/none.md' })).toEqual(['other/papers/none.md']);
  });

  it('does not show a workspace that the caller may not read', async () => {
    const closed = await fill({ 'secret.md': about('author: Gabriel García Márquez') });
    await syncWorkspace(admin, closed.id);
    await admin.call('PUT', `/api/workspaces/${closed.id}/members`, [
      { subject: 'someone-else', role: 'viewer' },
    ]);
    const query = `q=owls&filter=${encodeURIComponent('{"author":"Márquez"}')}`;
    const answer = await ann.call('GET', `/api/search?${query}&workspaceIds=${library.id},${closed.id}`);
    expect([answer.status, answer.headers['x-error-code']]).toEqual([404, 'workspace_not_found']);
    expect((await ann.call('GET', `/api/workspaces/${closed.id}/search?${query}`)).status).toBe(403);
  });
});

/** Returns the data of the stream's parts of a type. */
function partsOf(stream: Buffer, type: string): Loose[] {
  const lines = stream
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('data: {'));
  return lines.map((line) => JSON.parse(line.slice(6))).filter((part) => part.type === type);
}

function chat(fields: Loose) {
  const messages = [{ id: `q${++count}`, role: 'user', parts: [{ type: 'text', text: QUESTION }] }];
  return ann.call<Loose>('POST', '/api/chat', { messages, workspaceId: library.id, ...fields });
}

const citedIn = (stream: Buffer) =>
  partsOf(stream, 'data-citation')
    .map(({ data }) => data.path)
    .sort();
const noticesIn = (stream: Buffer) => partsOf(stream, 'data-notice').map(({ data }) => data.code);

describe('POST /api/chat with a filter', () => {
  it('streams citations only from files that match, and gives the model no other', async () => {
    const { status, bytes } = await chat({ filter: { tag: 'birds' } });
    expect(status).toBe(200);
    expect(citedIn(bytes)).toEqual([MARQUEZ, OHARA]);
    const prompt = JSON.stringify(provider.lastChat);
    expect(prompt).toContain('márquez.md');
    expect(prompt).not.toContain('many/');
  });

  it('applies to several workspaces', async () => {
    const { bytes } = await chat({
      ...{ workspaceId: undefined, workspaceIds: [library.id, other.id] },
      filter: { author: 'Marquez' },
    });
    expect(citedIn(bytes)).toEqual(['papers/hawks.md', MARQUEZ]);
  });

  it('is stored with the question, used again for another answer, and not for the next question', async () => {
    const id = `filtered-${++count}`;
    await chat({ id, filter: { year: { from: 2020 } } });
    const { body: stored } = await ann.call<Loose>('GET', `/api/conversations/${id}`);
    const [question, answer] = stored.messages;
    expect(question.metadata).toEqual({ filter: { year: { from: 2020 } } });
    const again = await chat({
      id,
      trigger: 'regenerate-message',
      messageId: answer.id,
      messages: [question],
    });
    expect(citedIn(again.bytes)).toEqual([OHARA]);
    const next = await chat({ id });
    expect(citedIn(next.bytes)).not.toEqual([OHARA]);
  });

  it('reports that no passage matches', async () => {
    provider.answer = () => 'The files do not say.';
    const { bytes } = await chat({ filter: { author: 'Nobody' } });
    expect([citedIn(bytes), noticesIn(bytes)]).toEqual([[], ['nothing-in-filter']]);
  });

  it('refuses an unknown field by its name, and asks no model', async () => {
    const before = provider.chatRequests;
    const { status, headers } = await chat({ filter: { sources: 's3' } });
    expect([status, headers['x-error-code'], headers['x-error-field']]).toEqual([
      400,
      'unknown_field',
      'filter.sources',
    ]);
    expect(provider.chatRequests).toBe(before);
  });
});

describe('POST /api/openai/v1 with a filter', () => {
  const filter = { author: 'O’Hara' };
  const model = () => `workspace:${library.id}`;
  const complete = (fields: Loose) =>
    ann.call<Loose>('POST', '/api/openai/v1/chat/completions', {
      ...{ model: model(), messages: [{ role: 'user', content: QUESTION }] },
      ...fields,
    });
  const citedBy = (annotations: Loose[]) => [...new Set(annotations.map((each) => each.x_citation.path))];

  it('cites only files that match, in both APIs', async () => {
    const { body } = await complete({ filter });
    expect(citedBy(body.choices[0].message.annotations)).toEqual([OHARA]);
    const sent = { model: model(), input: QUESTION, filter, store: true };
    const response = (await ann.call<Loose>('POST', '/api/openai/v1/responses', sent)).body;
    expect(citedBy(response.output.at(-1).content[0].annotations)).toEqual([OHARA]);
  });

  it('refuses it in the form of the API, and accepts null', async () => {
    const { status, body } = await complete({ filter: { year: { from: 2021, to: 2020 } } });
    expect([status, body.error.param, body.error.code]).toEqual([400, 'filter.year', 'invalid_value']);
    expect((await complete({ filter: null })).status).toBe(200);
  });
});

describe('MCP tools with a filter', () => {
  async function call(name: string, args: Loose): Promise<Loose> {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const accept = { accept: 'application/json, text/event-stream' };
    const { bytes } = await service.call('POST', '/api/mcp', body, { ...ann.headers, ...accept });
    const text = bytes.toString();
    const line =
      text
        .split('\n')
        .findLast((each) => each.startsWith('data: '))
        ?.slice(6) ?? text;
    return JSON.parse(line).result;
  }

  it('search and ask only files that match', async () => {
    const filter = { year: { from: 2020 } };
    const one = await call('search', { workspaceId: library.id, query: QUESTION, filter });
    expect(JSON.stringify(one)).toContain("o'hara.md");
    expect(JSON.stringify(one)).not.toMatch(/many\/|márquez/);
    const limited = await call('search', {
      workspaceId: library.id,
      query: QUESTION,
      filter,
      paths: ['notes'],
    });
    expect(JSON.stringify(limited)).not.toContain('.md');
    const several = await call('search', { workspaceIds: [library.id, other.id], query: QUESTION, filter });
    expect(JSON.stringify(several)).toContain('hawks.md');
    expect(JSON.stringify(several)).not.toMatch(/many\/|márquez/);
    const answer = await call('ask', { workspaceId: library.id, question: QUESTION, filter });
    expect(answer.structuredContent.citations.map(({ path }: Loose) => path)).toEqual([OHARA]);
  });

  it('refuse an unknown field', async () => {
    const refused = await call('search', {
      workspaceId: library.id,
      query: QUESTION,
      filter: { sources: 'x' },
    });
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('filter.sources') }],
    });
  });
});

describe('runs with a filter', () => {
  it('write a report only from files that match, also when it is continued', async () => {
    provider.answer = researchAnswer(() => undefined);
    const look = (runId: string) =>
      eventually(
        async () => (await ann.call<Loose>('GET', `/api/research/${runId}`)).body,
        ({ status }) => ['done', 'failed', 'stopped'].includes(status),
      );
    const sent = {
      workspaceId: library.id,
      question: QUESTION,
      depth: 'quick',
      filter: { author: 'Márquez' },
    };
    const { body: begun } = await ann.call<Loose>('POST', '/api/research', sent);
    const report = await look(begun.runId);
    expect([report.status, report.filter]).toEqual(['done', { author: 'Márquez' }]);
    const further = { question: 'And where?' };
    const next = await ann.call<Loose>('POST', `/api/research/${begun.runId}/continue`, further);
    const evidence = [...report.evidence, ...(await look(next.body.runId)).evidence];
    expect(new Set(evidence.map(({ path }: Loose) => path))).toEqual(new Set([MARQUEZ]));
  });

  it('verify a draft only by files that match', async () => {
    const check = async (filter: unknown) => {
      const sent = { workspaceId: library.id, text: 'Owls hunt at night.', judge: false, filter };
      const { body } = await ann.call<Loose>('POST', '/api/verify', sent);
      const look = async () => (await ann.call<Loose>('GET', `/api/verify/${body.runId}`)).body;
      return eventually(look, ({ status }) => status !== 'running' && status !== 'waiting_approval');
    };
    const found = await check({ author: 'Márquez' });
    expect(found.filter).toEqual({ author: 'Márquez' });
    expect(found.sentences[0].citations.map(({ path }: Loose) => path)).toEqual([MARQUEZ]);
    expect(found.counts).toMatchObject({ not_found: 0 });
    expect((await check({ author: 'Nobody' })).counts).toMatchObject({ not_found: 1 });
  });
});
