import { copyFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { answerText, type Part, readFrames } from '../../support/event-frames.ts';
import { type FakeWindowServer, startFakeWindowServer } from '../../support/fakes/fake-window-server.ts';
import { type Service, startService } from '../../support/service.ts';
import { syncWorkspace } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

const project = resolve(import.meta.dirname, '../../..');
const WINDOWS = [2048, 4096, 8192, 32_768];
const CHINESE_QUESTIONS = [
  '如何启动服务？',
  '飞书机器人如何配置？',
  '企业微信的回调地址填什么？',
  '怎样连接本地模型？',
  '需要哪个版本的 Node？',
];

let server: FakeWindowServer;
let service: Service;
let workspace: TestWorkspace;
let questions: string[];

beforeAll(async () => {
  server = await startFakeWindowServer(Object.fromEntries(WINDOWS.map((size) => [`window-${size}`, size])));
  whenDone(() => server.stop());
  service = await startService({
    PROVIDER_A_BASE_URL: server.url,
    LLM_MODEL: 'window-4096',
    CONVERSATION_TITLES: 'off',
  });
  workspace = await makeWorkspace(service);
  const packages = await copyDocuments(workspace.root);
  questions = [
    ...packages.slice(0, 25).map((name) => `How do I use ${name}, and what does it return?`),
    ...CHINESE_QUESTIONS,
  ];
  await syncWorkspace(service, workspace.id);
}, 300_000);

afterEach(() => {
  Object.assign(server, { manner: 'refuse', tells: true });
});

/**
 * Creates sixty documents: package descriptions, licenses, and pages in Chinese. Returns the names of the
 * packages.
 */
async function copyDocuments(root: string): Promise<string[]> {
  const modules = join(project, 'node_modules');
  const copy = (from: string, to: string) =>
    copyFile(from, join(root, to)).then(
      () => true,
      () => false,
    );
  const packages: string[] = [];
  for (const name of (await readdir(modules)).filter((each) => /^[a-z]/.test(each)).sort()) {
    if (packages.length === 47) break;
    if (await copy(join(modules, name, 'README.md'), `${name}.md`)) packages.push(name);
  }
  const licenses = packages.map(
    (name) => [join(modules, name, 'LICENSE'), `license-of-${name}.txt`] as const,
  );
  let copied = 0;
  for (const [from, to] of licenses) if (copied < 10 && (await copy(from, to))) copied += 1;
  for (const page of ['quickstart', 'feishu', 'wecom'])
    await copy(join(project, `docs/zh-CN/${page}.md`), `${page}.zh.md`);
  return packages;
}

async function ask(messages: { role: string; content: string }[], model: string) {
  const body = { workspaceId: workspace.id, messages, provider: 'a', model };
  const { status, body: text } = await service.call<string>('POST', '/api/chat', body);
  expect(status).toBe(200);
  return readFrames(text).parts;
}

const asked = (question: string) => [{ role: 'user', content: question }];
const noticesIn = (parts: Part[]) =>
  parts.filter(({ type }) => type === 'data-notice').map(({ data }) => (data as { code: string }).code);

/** Returns the text of the first search result. */
async function bestFor(question: string): Promise<string> {
  const query = `q=${encodeURIComponent(question)}&k=1`;
  const { body } = await service.call<{ text: string }[]>(
    'GET',
    `/api/workspaces/${workspace.id}/search?${query}`,
  );
  return body[0]?.text ?? '';
}

/**
 * Returns whether a prompt contains a passage, or part of it. Small windows use another format for numbers in
 * brackets.
 */
function hasPassage(prompt: string, passage: string): boolean {
  const plain = (text: string) => text.replace(/[[(]\d+[\])]/g, '');
  const [whole, wanted] = [plain(prompt), plain(passage)];
  const starts = Array.from({ length: Math.ceil(wanted.length / 20) }, (_, at) => at * 20);
  return starts.some((at) => whole.includes(wanted.slice(at, at + 100)));
}

describe('chat with a small window', () => {
  it.each(WINDOWS)(
    'answers 30 questions about 60 documents with a window of %s tokens, each from its best passage',
    async (window) => {
      expect(questions).toHaveLength(30);
      server.chats.splice(0); // removes the calls of other tests
      for (const question of questions) {
        const parts = await ask(asked(question), `window-${window}`);
        expect({ text: answerText(parts), end: parts.slice(-3) }).toMatchObject({
          text: expect.stringContaining('It is said in the passage'),
        });
        const { text = '', tokens = 0 } = server.chats.at(-1) ?? {};
        expect(parts.at(-1)).toMatchObject({ type: 'finish', messageMetadata: { promptTokens: tokens } });
        expect(tokens).toBeLessThan(window);
        expect(text).toContain(question);
        expect(hasPassage(text, await bestFor(question))).toBe(true);
        expect(noticesIn(parts)).not.toContain('prompt-cut');
      }
      expect(server.chats.splice(0)).toHaveLength(30); // no prompt was rejected
    },
    300_000,
  );

  it('answers the tenth question of a long conversation', async () => {
    const said = 'Owls hunt at night, and find a vole under snow by its sound alone. '.repeat(40);
    const turns = Array.from({ length: 18 }, (_, at) => ({
      role: at % 2 ? 'assistant' : 'user',
      content: said,
    }));
    for (const window of WINDOWS) {
      const parts = await ask([...turns, ...asked(questions[0] ?? '')], `window-${window}`);
      expect(answerText(parts)).not.toBe('');
    }
  });

  it.each(['refuse', 'refuse-unnamed'] as const)(
    'learns the window from a rejection by a server that reports none (%s), and retries once',
    async (manner) => {
      server.manner = manner;
      server.tells = false;
      const model = `unknown-${manner}`;
      server.windows[model] = 3000;
      server.chats = [];
      const [first = '', second = ''] = questions;
      const parts = await ask(asked(first), model);
      expect(answerText(parts)).not.toBe('');
      expect(noticesIn(parts)).toContain('passages-left-out');
      const [refused, answered] = server.chats.map(({ tokens }) => tokens);
      expect(server.chats).toHaveLength(2);
      expect(refused).toBeGreaterThan(3000);
      expect(answered).toBeLessThanOrEqual(3000);
      expect(answerText(await ask(asked(second), model))).not.toBe('');
      // A guessed size may be too large.
      expect(server.chats.length).toBeLessThanOrEqual(manner === 'refuse' ? 3 : 4);
    },
  );

  it('ends with the reason if the second prompt is also rejected', async () => {
    server.manner = 'refuse-unnamed';
    server.tells = false;
    server.windows.tiny = 300;
    server.chats = [];
    const parts = await ask(asked(questions[1] ?? ''), 'tiny');
    expect(server.chats).toHaveLength(2);
    expect(parts.map(({ type }) => type)).toContain('error');
    expect(JSON.stringify(parts)).toMatch(/doesn't fit the model's context window/);
  });

  it('reports a truncated prompt and how to set the window, and fits the next prompt after two reports', async () => {
    server.manner = 'cut';
    server.tells = false;
    server.windows.silent = 4096;
    const parts = await ask(asked(questions[2] ?? ''), 'silent');
    expect(noticesIn(parts)).toContain('prompt-cut');
    expect(JSON.stringify(parts)).toMatch(/4,096 tokens of the prompt.*OLLAMA_CONTEXT_LENGTH/);
    expect(parts.at(-1)).toMatchObject({ messageMetadata: { promptTokens: 4096 } });
    await ask(asked(questions[3] ?? ''), 'silent');
    const next = await ask(asked(questions[4] ?? ''), 'silent');
    expect(noticesIn(next)).not.toContain('prompt-cut');
    expect(server.chats.at(-1)?.tokens).toBeLessThan(4096);
  });

  it('reports which parts of the files the server did not read, for a note', async () => {
    server.manner = 'cut';
    server.tells = false;
    const small = await makeWorkspace(service);
    for (const name of ['ws', 'zod'])
      await copyFile(join(project, `node_modules/${name}/README.md`), join(small.root, `${name}.md`));
    await syncWorkspace(service, small.id);
    server.windows['window-4096'] = 1024; // the server reported 4,096
    const body = { workspaceId: small.id, type: 'summary' };
    const { status, body: note } = await service.call<{ content: string }>('POST', '/api/generate', body);
    server.windows['window-4096'] = 4096;
    expect(status).toBe(201);
    expect(note.content).toMatch(/Parts of the files are missing\. The model server read only a part/);
  });
});

describe('GET /api/models', () => {
  it('returns the windows and their sources', async () => {
    const { body } = await service.call('GET', '/api/models?provider=a');
    expect(body).toMatchObject({
      models: expect.arrayContaining([
        { id: 'window-8192', name: 'window-8192', contextTokens: 8192, contextTokensFrom: 'server' },
      ]),
    });
  });
});
