import { cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { JUDGE_TOKENS } from '../../../lib/api-contract/price-of.ts';
import { EXAMPLES } from '../../../lib/example/built.ts';
import { estimateTokens } from '../../../lib/text/estimate-tokens.ts';
import { readFrames } from '../../support/event-frames.ts';
import { type ChatRequest, type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { syncWorkspace } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const GUIDES = resolve(import.meta.dirname, '../../../docs/guides');
const QUESTIONS = [
  'How do budgets stop model calls?',
  'Which actions of the agent need an approval?',
  'How are scheduled tasks run and stopped?',
  'What does a research report check?',
  'How do members of a workspace get their role?',
  'How is text in scanned pages recognized?',
];

let provider: FakeOpenai;
let service: Service;

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  service = await startService({ PROVIDER_A_BASE_URL: provider.url, CITATION_JUDGE: 'on' });
});

interface Cost {
  answerInput: number;
  input: number;
  output: number;
  claims: number;
}

function tokensOf({ messages }: ChatRequest): number {
  return messages.reduce((sum, { content }) => sum + estimateTokens(String(content)), 0);
}

/** Asks a question, and returns the tokens of the answer's call and of its judge's. */
async function costOf(workspaceId: string, question: string, answer: (prompt: string) => string) {
  const cost: Cost = { answerInput: 0, input: 0, output: 0, claims: 0 };
  provider.answer = (request) => {
    const prompt = String(request.messages.at(-1)?.content);
    if (!String(request.messages[0]?.content).startsWith('You judge sentences')) {
      cost.answerInput = tokensOf(request);
      return answer(prompt);
    }
    cost.claims = prompt.match(/<sentence-/g)?.length ?? 0;
    const why = 'The quotes give the same figures for the same place and time.';
    const verdicts = Array.from({ length: cost.claims }, (_, at) => ({ number: at + 1, says: 'yes', why }));
    const text = JSON.stringify({ verdicts });
    [cost.input, cost.output] = [tokensOf(request), estimateTokens(text)];
    return text;
  };
  const messages = [{ role: 'user', content: question }];
  const { body } = await service.call<string>('POST', '/api/chat', { workspaceId, messages });
  expect(readFrames(body).parts.at(-1)).toMatchObject({ type: 'finish' });
  return cost;
}

/** The number and the text of each passage of a prompt. */
function passagesIn(prompt: string) {
  const all = prompt.matchAll(/<passage-\w+ number="(\d+)"[^>]*>\n([\s\S]*?)\n<\/passage-/g);
  return [...all].map(([, number, text = '']) => ({ number, text }));
}

/** Returns two sentences of each of the first four passages. */
function quoting(prompt: string): string {
  const sentences = passagesIn(prompt)
    .slice(0, 4)
    .flatMap(({ number, text }) => {
      const found = text.match(/(?<=^|[.\n] )[A-Z][^.|\n]{60,220}\./gm) ?? [];
      return found.slice(0, 2).map((sentence) => `${sentence.slice(0, -1)} [${number}].`);
    });
  return sentences.join(' ');
}

describe('cost of the citation judge', () => {
  it('is one more call per answer, with the number of tokens that the console states', async () => {
    const costs: Cost[] = [];
    for (const language of ['en', 'zh-CN'] as const) {
      const { body } = await service.call<{ id: string }>('POST', '/api/workspaces/example', { language });
      await syncWorkspace(service, body.id);
      for (const { question, answer, citations } of EXAMPLES[language].turns) {
        const numbered = (prompt: string) =>
          answer.replace(/\[(\d+)\]/g, (_, index) => {
            const quote = citations.find((each) => each.index === Number(index))?.quote ?? '?';
            const flat = (text: string) => text.replace(/\s+/g, '');
            const passage = passagesIn(prompt).find(({ text }) => flat(text).includes(flat(quote)));
            return passage === undefined ? '' : `[${passage.number}]`;
          });
        costs.push(await costOf(body.id, question, numbered));
      }
    }
    const { id, root } = await makeWorkspace(service, 'guides');
    await cp(GUIDES, join(root, 'guides'), { recursive: true });
    await syncWorkspace(service, id);
    for (const question of QUESTIONS) costs.push(await costOf(id, question, quoting));
    const median = (of: (cost: Cost) => number) =>
      costs.map(of).toSorted((a, b) => a - b)[costs.length / 2] ?? 0;
    // The guides, and so their sentences, change with each release; the console says "about".
    expect(Math.abs(median(({ claims }) => claims) - 5.5)).toBeLessThan(2);
    expect(Math.abs(median(({ input }) => input) / JUDGE_TOKENS.input - 1)).toBeLessThan(0.25);
    expect(Math.abs(median(({ output }) => output) / JUDGE_TOKENS.output - 1)).toBeLessThan(0.25);
    const ratio = median(({ input }) => input) / median(({ answerInput }) => answerInput);
    expect(ratio).toBeLessThan(0.75);
  });
});
