import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Citation, CitationSupport } from '../../../lib/api-contract/citation.ts';
import { readStream, waitForRun } from '../../support/agent-client.ts';
import { answerText, type Part } from '../../support/event-frames.ts';
import {
  type ChatRequest,
  type FakeAnswer,
  type FakeOpenai,
  startFakeOpenai,
} from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { syncWorkspace } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

const FILES = {
  'bridges.md': '# Bridges\n\nThe Firth bridge was opened in 1890. It is 2467 metres long.\n',
  'owls.md': '# Owls\n\nOwls hunt by night.\n',
};

let provider: FakeOpenai;
let service: Service;
let workspace: TestWorkspace;
let env: Record<string, string>;

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  env = { PROVIDER_A_BASE_URL: provider.url, PROVIDER_A_API_KEY: 'sk-x' };
  service = await startService(env);
  workspace = await makeWorkspace(service);
  for (const [path, text] of Object.entries(FILES)) await writeFile(join(workspace.root, path), text);
  await syncWorkspace(service, workspace.id);
});

const isJudge = ({ messages }: ChatRequest) => String(messages[0]?.content).startsWith('You judge sentences');

/** Results of the tools, as the model gets them. */
function resultsIn({ messages }: ChatRequest): string[] {
  return messages.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []));
}

/** Returns the number with which a tool returned a text of the file. */
function numberOf(request: ChatRequest, path: string): number {
  const found = resultsIn(request)
    .join('\n')
    .matchAll(/"number":(\d+),"path":"([^"]+)"/g);
  return Number([...found].find(([, , of]) => of === path)?.[1]);
}

/** Gives the answers one by one. In a text, `{path}` becomes the number of a file. The judge answers yes. */
function says(...answers: FakeAnswer[]): void {
  let at = 0;
  provider.answer = (request) => {
    if (isJudge(request)) return '{"verdicts":[{"number":1,"says":"yes","why":"It says so."}]}';
    const answer = answers[at++] ?? '';
    if (typeof answer !== 'string') return answer;
    return answer.replace(/\{([\w.]+)\}/g, (_, path: string) => `[${numberOf(request, path)}]`);
  };
}

const search = (query: string) => ({ name: 'searchWorkspace', input: { query } });
const read = (path: string) => ({ name: 'readFile', input: { path } });
const BOTH = { calls: [search('Owls hunt by night, Firth bridge')] };

async function ask(fields: Record<string, unknown> = {}) {
  const messages = [{ role: 'user', content: 'When do owls hunt?' }];
  const body = { workspaceId: workspace.id, cwd: '', messages, ...fields };
  const { frames, headers } = await readStream(service, '/api/agent', { body });
  return { parts: frames.map(({ part }) => part), runId: headers.get('x-run-id') ?? '' };
}

function dataOf<Data>(type: string, parts: Part[]): Data[] {
  return parts.filter((part) => part.type === type).map(({ data }) => data as Data);
}

const citationsOf = (parts: Part[]) => dataOf<Citation>('data-citation', parts);

async function storedParts(conversationId: string): Promise<Part[]> {
  const path = `/api/conversations/${conversationId}`;
  const { body } = await service.call<{ messages: { parts: Part[] }[] }>('GET', path);
  return body.messages.at(-1)?.parts ?? [];
}

describe('agent answer', () => {
  it('cites search results in the order of first use, with the checks of a chat', async () => {
    says(
      BOTH,
      'The Firth bridge is 2468 metres long {bridges.md}. Owls hunt by night {owls.md}. It opened in 1890 {bridges.md}.',
    );
    const { parts, runId } = await ask();
    expect(answerText(parts)).toBe(
      'The Firth bridge is 2468 metres long [1]. Owls hunt by night [2]. It opened in 1890 [1].',
    );
    expect(citationsOf(parts)).toMatchObject([
      { index: 1, path: 'bridges.md', support: 'partial', verified: false, stale: false },
      { index: 2, path: 'owls.md', quote: 'Owls hunt by night.', startLine: 3, support: 'unjudged' },
    ]);
    expect(citationsOf(parts)[0]?.claims).toMatchObject([
      { text: 'The Firth bridge is 2468 metres long.', reason: 'Not in the source: 2468 metres.' },
      { text: 'It opened in 1890.', support: 'unjudged' },
    ]);
    const types = parts.map(({ type }) => type);
    expect(types.slice(-6)).toEqual([
      'finish-step',
      ...['data-citation', 'source-document', 'data-citation', 'source-document'],
      'finish',
    ]);
    expect(citationsOf(await storedParts(runId))).toEqual(citationsOf(parts));
  });

  it('cites files that it read, in every mode, with the lines that it read', async () => {
    const page = `${'Nothing is said here.\n'.repeat(40)}Herons eat 12 fish per day.\n`;
    await writeFile(join(workspace.root, 'herons.txt'), page);
    says(
      { calls: [{ name: 'readFile', input: { path: 'herons.txt', offset: 30 } }] },
      'They eat 12 fish {herons.txt}.',
    );
    const { parts } = await ask({ mode: 'ask' });
    expect(answerText(parts)).toBe('They eat 12 fish [1].');
    expect(citationsOf(parts)).toMatchObject([
      { index: 1, path: 'herons.txt', quote: 'Herons eat 12 fish per day.', startLine: 41, verified: true },
    ]);
  });

  it('keeps the number of a passage that is found again, and continues the numbering', async () => {
    says(BOTH, { calls: [search('When do owls hunt?'), read('owls.md')] }, 'Owls hunt by night {owls.md}.');
    await ask();
    const numbers = resultsIn(provider.lastChat as ChatRequest).map((result) =>
      [...result.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number)).sort(),
    );
    expect(numbers).toEqual([[1, 2], expect.arrayContaining([expect.any(Number)]), [3]]);
    expect(numbers[1]?.every((number) => number < 3)).toBe(true);
  });

  it('keeps a marker without a passage as text, and reports it', async () => {
    says(BOTH, 'Owls hunt by night {owls.md}. They are purple [77].');
    const { parts } = await ask();
    expect(answerText(parts)).toBe('Owls hunt by night [1]. They are purple \\[77].');
    expect(parts.at(-1)).toMatchObject({ messageMetadata: { unknownCitations: [77] } });
  });

  it('has the citations of its text until the model broke off', async () => {
    provider.answer = (request) => {
      if (resultsIn(request).length === 0) {
        provider.failure = 'silent-end'; // for the next answer
        return BOTH;
      }
      return `Owls hunt by night [${numberOf(request, 'owls.md')}]. ${'They see well. '.repeat(20)}`;
    };
    const { parts } = await ask({ judge: true });
    provider.failure = undefined;
    expect(answerText(parts)).toMatch(/^Owls hunt by night \[1\]\./);
    expect(citationsOf(parts)).toMatchObject([{ index: 1, path: 'owls.md', quote: 'Owls hunt by night.' }]);
    expect(parts.at(-1)).toMatchObject({ type: 'data-error', data: { code: 'model_interrupted' } });
  });

  it('is unchanged without markers, and without passages', async () => {
    says(BOTH, 'It says so.');
    const cited = await ask();
    expect(answerText(cited.parts)).toBe('It says so.');
    says('The list xs[1] is from 1990 [1].');
    const plain = await ask();
    expect(answerText(plain.parts)).toBe('The list xs[1] is from 1990 [1].');
    expect(citationsOf([...cited.parts, ...plain.parts])).toEqual([]);
    expect(plain.parts.at(-1)?.messageMetadata).not.toHaveProperty('unknownCitations');
  });

  it('is judged in one call after the text if `judge` is true, with its tokens counted', async () => {
    const usage = async (judge: boolean) => {
      says(BOTH, 'Owls hunt by night {owls.md}.');
      const before = provider.chatRequests;
      const { parts } = await ask({ judge });
      const metadata = (parts.at(-1)?.messageMetadata ?? {}) as { usage?: { inputTokens: number } };
      return { parts, calls: provider.chatRequests - before, tokens: metadata.usage?.inputTokens };
    };
    const [without, judged] = [await usage(false), await usage(true)];
    expect(judged.calls).toBe(without.calls + 1);
    expect(judged.tokens).toBeGreaterThan(without.tokens ?? Number.NaN);
    expect(dataOf<CitationSupport>('data-citation-support', judged.parts)).toEqual([
      { id: '1', support: 'full', reason: 'It says so.', judged: true, by: 'model', findings: [] },
    ]);
    expect(judged.parts.map(({ type }) => type).slice(-4)).toEqual([
      ...['data-citation', 'source-document', 'data-citation-support'],
      'finish',
    ]);
    expect(dataOf('data-citation-support', without.parts)).toEqual([]);
  });

  it('is judged by the setting of the workspace, unless the request disables it', async () => {
    const put = (citationJudge: unknown) =>
      service.call('PUT', `/api/workspaces/${workspace.id}/settings`, { citationJudge });
    const judged = async (fields = {}) => {
      says(BOTH, 'Owls hunt by night {owls.md}.');
      return dataOf<CitationSupport>('data-citation-support', (await ask(fields)).parts).length;
    };
    await put('on');
    expect([await judged(), await judged({ judge: false })]).toEqual([1, 0]);
    await put(null);
    expect(await judged()).toBe(0);
  });

  it("doesn't share its citation numbers with the next run of the conversation", async () => {
    says(BOTH, 'Owls hunt by night {owls.md}.');
    const { runId } = await ask();
    const answer = { role: 'assistant', parts: await storedParts(runId) };
    const question = (content: string) => ({ role: 'user', content });
    says('Yes.');
    await ask({ messages: [question('When?'), answer, question('Sure?')] });
    const sent = JSON.stringify(provider.lastChat?.messages.slice(1));
    expect(sent).toContain('Owls hunt by night.');
    expect(sent).not.toMatch(/\[1\]|number/);
  });
});

it('citation numbers continue after a restart of the service', async () => {
  const rules = { rules: [{ tool: 'bash', pattern: '*', action: 'ask' }] };
  await service.call('PUT', `/api/workspaces/${workspace.id}/permissions`, rules);
  says(
    { text: 'Owls hunt by night [1].', calls: [{ name: 'bash', input: { command: 'true' } }] },
    { calls: [read('bridges.md')] },
    'The Firth bridge is 2467 metres long {bridges.md}.',
  );
  const first = provider.answer;
  let searched = false;
  provider.answer = (request) => {
    if (searched) return first(request);
    searched = true;
    return { calls: [read('owls.md')] };
  };
  const { runId } = await ask();
  const { approvals } = await waitForRun(service, runId, 'waiting');
  await service.stop();
  service = await startService({ ...env, DATA_DIR: service.dataDir });
  await service.call('POST', `/api/agent/runs/${runId}/approvals/${approvals?.[0]?.id}`, { approved: true });
  await waitForRun(service, runId, 'done');
  const { frames } = await readStream(service, `/api/agent/runs/${runId}/stream`);
  const parts = frames.map(({ part }) => part);
  expect(answerText(parts)).toBe('Owls hunt by night [1].The Firth bridge is 2467 metres long [2].');
  expect(citationsOf(parts).map(({ index, path, support }) => [index, path, support])).toEqual([
    [1, 'owls.md', 'unjudged'],
    [2, 'bridges.md', 'unjudged'],
  ]);
});
