import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Citation, CitationSupport } from '../../../lib/api-contract/citation.ts';
import { answerText, type Part, readFrames } from '../../support/event-frames.ts';
import { type ChatRequest, type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually, syncWorkspace } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const FILES = {
  'bridges.md':
    '# Bridges\n\nThe Firth bridge was opened in 1890. It is 2467 metres long.\n\nIts paint lasts for twenty-five years.\n\nThe engineers did not approve the first design.\n',
  'owls.md': `# Owls\n\nOwls hunt by night.\n\n${'Nothing else is known of them here.\n\n'.repeat(80)}The keeper wrote that owls\nare “silent hunters of the wood”.\n`,
  'license.txt':
    'The MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software.\nThe above copyright notice shall be included in all copies.\n',
};

let provider: FakeOpenai;
let service: Service;
let workspaceId: string;

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  service = await startService({ PROVIDER_A_BASE_URL: provider.url, PROVIDER_A_API_KEY: 'sk-x' });
  workspaceId = await makeFilled(service);
});

afterEach(() => {
  provider.beforePiece = undefined;
  provider.failure = undefined;
});

async function makeFilled(host: Service): Promise<string> {
  const { id, root } = await makeWorkspace(host);
  for (const [path, text] of Object.entries(FILES)) await writeFile(join(root, path), text);
  await syncWorkspace(host, id);
  return id;
}

function isJudge({ messages }: ChatRequest): boolean {
  return String(messages[0]?.content).startsWith('You judge sentences');
}

/** Answers with a text in which `{path}` is the number of a passage; the judge returns `judge`. */
function says(text: string, judge: (request: ChatRequest) => string = () => verdicts('yes')) {
  provider.answer = (request) => {
    if (isJudge(request)) return judge(request);
    const numberOf = (path: string) =>
      new RegExp(`number="(\\d+)" file="${path}"`).exec(String(request.messages.at(-1)?.content))?.[1] ?? '1';
    return text.replace(/\{([\w.]+)\}/g, (_, path: string) => `[${numberOf(path)}]`);
  };
}

function verdicts(...said: string[]): string {
  return JSON.stringify({
    verdicts: said.map((says, at) => ({ number: at + 1, says, why: `It says ${says}.` })),
  });
}

const QUESTION = 'Firth bridge length paint engineers design owls keeper MIT license permission copyright';

async function ask(fields: Record<string, unknown> = {}, host = service) {
  const messages = [{ id: 'q1', role: 'user', content: QUESTION }];
  const { status, body } = await host.call<string>('POST', '/api/chat', { workspaceId, messages, ...fields });
  expect(status).toBe(200);
  return readFrames(body).parts;
}

function citationsOf(parts: Part[]): Citation[] {
  return parts.filter(({ type }) => type === 'data-citation').map(({ data }) => data as Citation);
}

function supportsOf(parts: Part[]): CitationSupport[] {
  return parts
    .filter(({ type }) => type === 'data-citation-support')
    .map(({ data }) => data as CitationSupport);
}

function metadataOf(parts: Part[]): Record<string, unknown> {
  return parts.at(-1)?.messageMetadata as Record<string, unknown>;
}

describe('support of a citation', () => {
  it.each<[string, Partial<Citation>]>([
    [
      'The Firth bridge is 2467 metres long {bridges.md}.',
      {
        verified: true,
        support: 'unjudged',
        checks: [
          { kind: 'number', ok: true },
          { kind: 'unit', ok: true },
          { kind: 'name', ok: true },
        ],
      },
    ],
    [
      'The Firth bridge is 2468 metres long {bridges.md}.',
      {
        verified: false,
        support: 'partial',
        reason: 'Not in the source: 2468 metres.',
      },
    ],
    [
      'The Firth bridge is 2467 metres {bridges.md} and opened in 1893.',
      { verified: false, support: 'partial' },
    ],
    [
      'The engineers did approve the first design {bridges.md}.',
      { verified: false, support: 'contradicted' },
    ],
    ['Zeppelins are purple {license.txt}.', { verified: false, support: 'none', quote: '' }],
  ])('is found for %j', async (answer, expected) => {
    says(answer);
    const [citation] = citationsOf(await ask());
    expect(citation).toMatchObject(expected);
  });

  it('is the weakest support among the sentences that cite the passage', async () => {
    says(
      'The bridge was opened in 1890 {bridges.md}. Its paint lasts for 30 years {bridges.md}. It is 2467 metres long {bridges.md}.',
    );
    const citations = citationsOf(await ask());
    expect(citations).toHaveLength(1);
    expect(citations[0]).toMatchObject({
      quote: expect.stringContaining('1890'),
      verified: false,
      support: 'partial',
    });
    expect(citations[0]?.checks).toContainEqual({
      kind: 'number',
      ok: false,
      detail: expect.stringContaining('30'),
    });
    expect(citations[0]?.claims?.map(({ text, support, quote }) => [text, support, quote])).toEqual([
      ['The bridge was opened in 1890.', 'unjudged', expect.stringContaining('opened in 1890')],
      ['Its paint lasts for 30 years.', 'partial', 'Its paint lasts for twenty-five years.'],
      ['It is 2467 metres long.', 'unjudged', 'It is 2467 metres long.'],
    ]);
  });

  it('takes the facts of a sentence from all passages that it cites, even earlier ones', async () => {
    says('The bridge was opened in 1890 {bridges.md}, and owls are “silent hunters of the wood” {owls.md}.');
    const citations = citationsOf(await ask());
    expect(citations.map(({ path, support }) => [path, support])).toEqual([
      ['bridges.md', 'unjudged'],
      ['owls.md', 'unjudged'],
    ]);
  });
});

describe('words in quotation marks', () => {
  it.each(['“silent hunters of the wood”', '"Silent hunters of the wood,"', '«silent hunters … the wood»'])(
    'are the quote of the citation: %s',
    async (words) => {
      says(`Owls are ${words} {owls.md}.`);
      const [citation] = citationsOf(await ask());
      expect(citation).toMatchObject({
        quote: 'The keeper wrote that owls\nare “silent hunters of the wood”.',
        startLine: 165,
        endLine: 166,
        support: 'unjudged',
        verified: true,
      });
      expect(citation?.checks).toContainEqual({ kind: 'quote', ok: true });
    },
  );

  it('make the sentence at most partly supported if no cited file contains them', async () => {
    says('Owls hunt by night, “in the manner of The Great Cats” {owls.md}.');
    const [citation] = citationsOf(await ask());
    expect(citation).toMatchObject({ quote: 'Owls hunt by night.', support: 'partial', verified: false });
    expect(citation?.checks).toContainEqual({
      kind: 'quote',
      ok: false,
      detail: 'in the manner of The Great Cats',
    });
  });

  it('get no quote that shares only short words with them if they are invented', async () => {
    says('It says “The purple zeppelins sing” {owls.md}.');
    expect(citationsOf(await ask())[0]).toMatchObject({ quote: '', support: 'none', verified: false });
  });
});

describe('text of an answer', () => {
  it('contains a marker without a passage as text', async () => {
    says('The bridge [98] was opened in 1890 {bridges.md} [99]. `a[97]` and [96](https://example.org).');
    const parts = await ask();
    expect(answerText(parts)).toBe(
      'The bridge \\[98] was opened in 1890 [1] \\[99]. `a[97]` and [96](https://example.org).',
    );
    expect(metadataOf(parts)).toMatchObject({ unknownCitations: [98, 99] });
  });

  it('is reported if it states numbers and cites nothing', async () => {
    const text =
      '# Of 2 bridges\n\nThe bridge was opened in 1890 {bridges.md}. It has 34 piers. Trains cross it. These are 3 facts:\n\n- It closed in May 1999.\n';
    says(text);
    const parts = await ask();
    const answer = answerText(parts);
    const uncited = metadataOf(parts).uncited as { start: number; end: number; text: string }[];
    expect(uncited.map(({ text }) => text)).toEqual(['It has 34 piers.', 'It closed in May 1999.']);
    expect(uncited.map(({ start, end }) => answer.slice(start, end).replace('- ', ''))).toEqual(
      uncited.map(({ text }) => text),
    );
    says('The bridge was opened in 1890 {bridges.md}. Trains cross it.');
    expect(metadataOf(await ask())).not.toHaveProperty('uncited');
  });
});

const BY_MODEL = { judged: true, by: 'model', findings: [] };

describe('citation judge', () => {
  const judge = true;

  it('is not called without the setting and `judge`', async () => {
    const before = provider.chatRequests;
    says('The Firth bridge is 2467 metres long {bridges.md}.');
    expect(supportsOf(await ask())).toEqual([]);
    expect(provider.chatRequests).toBe(before + 1);
  });

  it('is called once, after the text and the citations, with its tokens counted', async () => {
    let asked = '';
    says('The Firth bridge is 2467 metres long {bridges.md}. Its paint is old {bridges.md}.', (request) => {
      asked = String(request.messages.at(-1)?.content);
      return verdicts('yes', 'partly');
    });
    const before = provider.chatRequests;
    const parts = await ask({ judge });
    expect(provider.chatRequests).toBe(before + 2);
    const order = parts.map(({ type }) => type).filter((type, at, types) => type !== types[at - 1]);
    expect(order.slice(-5)).toEqual([
      'text-end',
      'data-citation',
      'source-document',
      'data-citation-support',
      'finish',
    ]);
    expect(supportsOf(parts)).toEqual([
      {
        id: '1',
        support: 'partial',
        reason: 'It says partly.',
        ...BY_MODEL,
        claims: [
          { support: 'full', reason: 'It says yes.', ...BY_MODEL },
          { support: 'partial', reason: 'It says partly.', ...BY_MODEL },
        ],
      },
    ]);
    expect(asked).toMatch(/<sentence-\w+ number="1">\nThe Firth bridge is 2467 metres long\.\n<quote/);
    expect(metadataOf(parts)).toMatchObject({ usage: { inputTokens: 200 } });
  });

  it("judges only sentences that code leaves open, and can't overrule code", async () => {
    let asked = '';
    says(
      'The Firth bridge is 2468 metres long {bridges.md}. Zeppelins are purple {license.txt}. Owls hunt by night {owls.md}.',
      (request) => {
        asked = String(request.messages.at(-1)?.content);
        return verdicts('yes', 'contradicted');
      },
    );
    const parts = await ask({ judge });
    expect(asked).not.toContain('Zeppelins');
    expect(supportsOf(parts)).toEqual([
      {
        ...{
          id: '1',
          support: 'partial',
          reason: 'Not in the source: 2468 metres.',
          by: 'code',
        },
        findings: [{ rule: 'number_missing', own: '2468 metres' }],
      },
      { id: '3', support: 'contradicted', reason: 'It says contradicted.', ...BY_MODEL },
    ]);
  });

  it('stores its result in the message, and excludes refuted sentences from `verified`', async () => {
    says('Owls hunt by night {owls.md}. Its paint lasts long {bridges.md}.', () => verdicts('no', 'yes'));
    const id = 'judged-1';
    await ask({ id, judge });
    const { body } = await service.call<{ messages: { parts: Part[] }[] }>('GET', `/api/conversations/${id}`);
    const stored = body.messages[1]?.parts ?? [];
    expect(citationsOf(stored).map(({ support, reason, verified }) => [support, reason, verified])).toEqual([
      ['none', 'It says no.', false],
      ['full', 'It says yes.', true],
    ]);
    expect(supportsOf(stored).map(({ id: of, support }) => [of, support])).toEqual([
      ['1', 'none'],
      ['2', 'full'],
    ]);
  });

  it.each([
    ['invalid text', () => 'They are fine.'],
    ['an unknown verdict', () => verdicts('perhaps')],
    ['a verdict on another sentence', () => '{"verdicts":[{"number":7,"says":"yes"}]}'],
  ])('leaves sentences unjudged that it answers with %s', async (_, answer) => {
    says('The Firth bridge is 2467 metres long {bridges.md}.', answer);
    const parts = await ask({ judge });
    expect(citationsOf(parts)[0]).toMatchObject({ support: 'unjudged', verified: true });
    expect(supportsOf(parts)).toEqual([]);
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  });

  it('leaves all sentences unjudged if its provider fails', async () => {
    says('Owls hunt by night {owls.md}.', () => {
      throw new Error('the provider breaks the connection');
    });
    const parts = await ask({ judge });
    expect(supportsOf(parts)).toEqual([]);
    expect(citationsOf(parts)[0]).toMatchObject({ support: 'unjudged' });
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  });

  it('ends a stopped answer with the current result', async () => {
    says('Owls hunt by night {owls.md}.');
    let isJudging = false;
    const answer = provider.answer;
    provider.answer = (request) => {
      isJudging = isJudge(request);
      return answer(request);
    };
    provider.beforePiece = () => (isJudging ? new Promise(() => undefined) : Promise.resolve());
    const id = 'stopped-1';
    const asked = ask({ id, judge });
    await eventually(
      async () => isJudging,
      (is) => is,
    );
    await service.call('POST', `/api/chat/${id}/stop`);
    const parts = await asked;
    expect(citationsOf(parts)[0]).toMatchObject({ support: 'unjudged' });
    expect(parts.at(-1)).toMatchObject({ type: 'finish' });
    const { body } = await service.call<{ messages: { parts: Part[] }[] }>('GET', `/api/conversations/${id}`);
    expect(JSON.stringify(body.messages[1]?.parts)).toContain('Owls hunt by night [1].');
    expect(JSON.stringify(body.messages[1]?.parts)).not.toContain('answer-cut');
  });

  it('is called by default if CITATION_JUDGE is on, unless a request disables it', async () => {
    const other = await startService({
      PROVIDER_A_BASE_URL: provider.url,
      PROVIDER_A_API_KEY: 'sk-x',
      CITATION_JUDGE: 'on',
    });
    const own = await makeFilled(other);
    says('Owls hunt by night {owls.md}.');
    expect(supportsOf(await ask({ workspaceId: own }, other))).toMatchObject([{ id: '1', support: 'full' }]);
    expect(supportsOf(await ask({ workspaceId: own, judge: false }, other))).toEqual([]);
  });

  it('follows the request, otherwise the workspace, otherwise the settings, without a restart', async () => {
    const other = await startService({ PROVIDER_A_BASE_URL: provider.url, PROVIDER_A_API_KEY: 'sk-x' });
    const own = await makeFilled(other);
    says('Owls hunt by night {owls.md}.');
    const isAsked = async (fields = {}) =>
      supportsOf(await ask({ workspaceId: own, ...fields }, other)).length === 1;
    const setService = (citationJudge: unknown) => other.call('PUT', '/api/settings', { citationJudge });
    const setOwn = (citationJudge: unknown) =>
      other.call('PUT', `/api/workspaces/${own}/settings`, { citationJudge });
    expect(await isAsked()).toBe(false);
    await setService('on');
    expect([await isAsked(), await isAsked({ judge: false })]).toEqual([true, false]);
    await setOwn('off');
    expect([await isAsked(), await isAsked({ judge: true })]).toEqual([false, true]);
    await setService('off');
    await setOwn('on');
    expect([await isAsked(), await isAsked({ judge: false })]).toEqual([true, false]);
    await setOwn(null);
    expect(await isAsked()).toBe(false);
  });

  it('is counted, and not called once a budget is used up', async () => {
    const other = await startService({ PROVIDER_A_BASE_URL: provider.url, PROVIDER_A_API_KEY: 'sk-x' });
    const own = await makeFilled(other);
    const used = async () => {
      const { body } = await other.call<{ totals: Record<string, number> }>('GET', '/api/usage');
      return body.totals;
    };
    says('Owls hunt by night {owls.md}.');
    await ask({ workspaceId: own }, other);
    const once = await used();
    expect(supportsOf(await ask({ workspaceId: own, judge }, other))).toHaveLength(1);
    const thrice = await used();
    expect(thrice.inputTokens).toBe(3 * (once.inputTokens ?? 0));
    const { inputTokens = 0, outputTokens = 0, embeddedTokens = 0 } = thrice;
    const monthlyTokens = inputTokens + outputTokens + embeddedTokens + 20;
    await other.call('PUT', '/api/budgets', [{ scope: 'workspace', id: own, monthlyTokens }]);
    const before = provider.chatRequests;
    const parts = await ask({ workspaceId: own, judge }, other);
    expect(provider.chatRequests).toBe(before + 1);
    expect(supportsOf(parts)).toEqual([]);
    expect(citationsOf(parts)[0]).toMatchObject({ support: 'unjudged', verified: true });
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  });
});
