import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CitationSupport } from '../../../lib/api-contract/citation.ts';
import { readStream } from '../../support/agent-client.ts';
import { type Part, readFrames } from '../../support/event-frames.ts';
import { startFakeEntailment } from '../../support/fakes/fake-entailment.ts';
import { type ChatRequest, type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { syncWorkspace } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const TEXT = '# Owls\n\nOwls hunt by night in 12 forests. They are never loud.\n';
const ANSWER =
  'By night, 12 forests hear owls hunt [1]. In 12 forests, owls sleep by night [1]. Of owls, forests have 12 by night [1]. Owls hunt in 13 forests [1].';

const entailment = await startFakeEntailment();
let provider: FakeOpenai;
let rig: { service: Service; workspaceId: string };

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  rig = await startRig(entailment.url);
});

async function startRig(url: string) {
  const service = await startService({
    ...{ PROVIDER_A_BASE_URL: provider.url, PROVIDER_A_API_KEY: 'sk-x' },
    ...{ ENTAILMENT_BASE_URL: url, ENTAILMENT_MODEL: 'tiny-nli' },
  });
  const { id, root } = await makeWorkspace(service);
  await writeFile(join(root, 'owls.md'), TEXT);
  await syncWorkspace(service, id);
  return { service, workspaceId: id };
}

const isJudge = ({ messages }: ChatRequest) => String(messages[0]?.content).startsWith('You judge sentences');

beforeEach(() => {
  entailment.asked = [];
  entailment.label = (hypothesis) => {
    if (hypothesis.includes('sleep')) return 'contradiction';
    return hypothesis.includes('hear') ? 'entailment' : 'neutral';
  };
});

function supportIn(parts: Part[]): CitationSupport | undefined {
  return parts.find(({ type }) => type === 'data-citation-support')?.data as CitationSupport | undefined;
}

async function ask(fields: object = {}, { service, workspaceId } = rig): Promise<Part[]> {
  const messages = [{ id: 'q1', role: 'user', content: 'When do owls hunt?' }];
  const body = { workspaceId, messages, ...fields };
  return readFrames((await service.call<string>('POST', '/api/chat', body)).body).parts;
}

const BY_NLI = [
  { support: 'full', by: 'nli', judged: true },
  { support: 'contradicted', by: 'nli', judged: true },
  { support: 'unjudged', by: 'code' },
  { support: 'partial', by: 'code' },
];

describe('entailment model', () => {
  it('judges the chat sentences in which code found all facts, each with the quote at its location', async () => {
    provider.answer = () => ANSWER;
    const parts = await ask();
    expect(supportIn(parts)?.claims).toMatchObject(BY_NLI);
    expect(entailment.asked.map(([, hypothesis]) => hypothesis)).toEqual([
      'By night, 12 forests hear owls hunt.',
      'In 12 forests, owls sleep by night.',
      'Of owls, forests have 12 by night.',
    ]);
    expect(entailment.asked[0]?.[0]).toMatch(/Owls hunt by night in 12 forests\. They are never loud\./);
    expect(parts.at(-1)?.type).toBe('finish');
  });

  it("leaves the other sentences to a judge, which doesn't get the decided sentences", async () => {
    let judged = '';
    provider.answer = (request) => {
      if (!isJudge(request)) return ANSWER;
      judged = JSON.stringify(request.messages);
      return '{"verdicts":[{"number":1,"says":"yes","why":"So it is."}]}';
    };
    expect(supportIn(await ask({ judge: true }))?.claims).toMatchObject([
      ...BY_NLI.slice(0, 2),
      { support: 'full', by: 'model', reason: 'So it is.' },
      BY_NLI[3],
    ]);
    expect(judged).not.toMatch(/hear|sleep/);
  });

  it('judges the answer of an agent in the same way', async () => {
    const answers = [{ calls: [{ name: 'searchWorkspace', input: { query: 'owls hunt' } }] }, ANSWER];
    provider.answer = () => answers.shift() ?? '';
    const messages = [{ role: 'user', content: 'When do owls hunt?' }];
    const { service, workspaceId } = rig;
    const { frames } = await readStream(service, '/api/agent', { body: { workspaceId, cwd: '', messages } });
    expect(supportIn(frames.map(({ part }) => part))?.claims).toMatchObject(BY_NLI);
  });

  it('is counted in the usage', async () => {
    provider.answer = () => ANSWER;
    await ask();
    const { body } = await rig.service.call('GET', '/api/usage?groupBy=model');
    expect(JSON.stringify(body)).toContain('tiny-nli');
  });

  it('leaves an answer unchanged if it fails', async () => {
    const failing = await startFakeEntailment();
    failing.status = 500;
    provider.answer = () => ANSWER;
    const parts = await ask({}, await startRig(failing.url));
    expect(supportIn(parts)).toBeUndefined();
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  });
});
