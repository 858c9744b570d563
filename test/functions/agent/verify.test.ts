import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readDraft } from '../../../lib/verify/draft/read-draft.ts';
import type { DraftCheck } from '../../../lib/verify/request-schema.ts';
import { readStream } from '../../support/agent-client.ts';
import { type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { researchAnswer } from '../../support/research-model.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually, syncWorkspace } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

let provider: FakeOpenai;
let service: Service;
let workspace: TestWorkspace;

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  const connected = { PROVIDER_A_BASE_URL: provider.url, PROVIDER_A_API_KEY: 'sk' };
  service = await startService(connected);
  workspace = await makeAviary();
});

async function makeAviary(): Promise<TestWorkspace> {
  const made = await makeWorkspace(service);
  await mkdir(join(made.root, 'birds'));
  await writeFile(
    join(made.root, 'birds/owls.md'),
    '# Owls\n\nOwls hunt at night in 12 forests. The barn owl weighs 500 grams.\n\nThe eagle owl is not rare in Norway.\n',
  );
  await writeFile(join(made.root, 'birds/hawks.md'), '# Hawks\n\nHawks hunt by day in Norway.\n');
  await writeFile(join(made.root, 'mao.md'), '# 猫头鹰\n\n猫头鹰在夜间捕猎，分布于十二片森林。\n');
  await syncWorkspace(service, made.id);
  return made;
}

async function begin(fields: Record<string, unknown>): Promise<string> {
  const body = { workspaceId: workspace.id, ...fields };
  const { status, body: started } = await service.call<{ runId: string }>('POST', '/api/verify', body);
  expect([status, started]).toMatchObject([202, { runId: expect.any(String) }]);
  return started.runId;
}

async function look(runId: string): Promise<DraftCheck> {
  return (await service.call<DraftCheck>('GET', `/api/verify/${runId}`)).body;
}

async function check(fields: Record<string, unknown>): Promise<DraftCheck> {
  const runId = await begin(fields);
  return eventually(
    () => look(runId),
    ({ status }) => ['done', 'failed', 'stopped'].includes(status),
  );
}

const DRAFT = `# Owls at night

Owls hunt at night in 12 forests. Owls hunt at night in 13 forests. The eagle owl is rare in Norway. Penguins file their taxes in April.
We will describe methods in the next section. Do owls sleep?
`;

describe('POST /api/verify', () => {
  it('returns a verdict with quotes for each sentence of a draft, without a model', async () => {
    const asked = provider.chatRequests;
    const found = await check({ text: DRAFT });
    expect(found).toMatchObject({ status: 'done', judge: false, calls: 0, format: 'txt', error: null });
    expect(found.sentences.map(({ text, verdict }) => [text, verdict])).toEqual([
      ['Owls at night', 'no_claim'],
      ['Owls hunt at night in 12 forests.', 'supported'],
      ['Owls hunt at night in 13 forests.', 'partial'],
      ['The eagle owl is rare in Norway.', 'contradicted'],
      ['Penguins file their taxes in April.', 'not_found'],
      ['We will describe methods in the next section.', 'no_claim'],
      ['Do owls sleep?', 'no_claim'],
    ]);
    expect(found.sentences[1]?.citations[0]).toMatchObject({
      ...{ index: 1, path: 'birds/owls.md', startLine: 3, quote: 'Owls hunt at night in 12 forests.' },
      workspaceId: workspace.id,
    });
    for (const { text, start, end } of found.sentences) expect(DRAFT.slice(start, end)).toBe(text);
    expect(found.counts).toEqual({
      ...{ sentences: 7, claims: 4, checked: 4, supported: 1, partial: 1, contradicted: 1 },
      ...{ not_found: 1, no_claim: 3, unjudged: 0, possible_errors: 3, listed: 0 },
    });
    expect(provider.chatRequests).toBe(asked);
  });

  it("calls the judge once, and the judge can't overrule a missing number", async () => {
    provider.answer = researchAnswer(({ step, sentences }) =>
      step === 'judge'
        ? { verdicts: sentences.map(({ number }) => ({ number, says: 'yes', why: 'sure' })) }
        : undefined,
    );
    const asked = provider.chatRequests;
    const found = await check({ text: DRAFT, judge: true });
    expect(found.sentences.map(({ verdict }) => verdict)).toEqual([
      ...['no_claim', 'supported', 'partial', 'contradicted', 'not_found', 'no_claim', 'no_claim'],
    ]);
    expect(found).toMatchObject({ judge: true, calls: 1 });
    expect(provider.chatRequests).toBe(asked + 1);
  });

  it('streams the run, lists it by its type, and exports it', async () => {
    const runId = await begin({ text: DRAFT, shared: true });
    const { frames, done } = await readStream(service, `/api/agent/runs/${runId}/stream`);
    expect(done).toBe(true);
    const types = frames.map(({ part }) => part.type).filter((type) => type !== 'data-progress');
    expect(types).toEqual(['start', 'data-verdicts', 'data-checked', 'finish']);
    expect(JSON.stringify(frames)).not.toContain('12 forests');
    const listed = await service.call('GET', `/api/agent/runs?workspaceId=${workspace.id}&kind=verify`);
    expect(listed.body).toContainEqual(
      expect.objectContaining({
        id: runId,
        kind: 'verify',
        request: expect.stringMatching(/^# Owls at night Owls hunt/),
      }),
    );
    const md = await service.call('GET', `/api/verify/${runId}/export`);
    expect(md.bytes.toString()).toContain('## Not in the source');
    const json = await service.call<DraftCheck>('GET', `/api/verify/${runId}/export?format=json`);
    expect(json.body.counts.supported).toBe(1);
  });

  it('checks a Chinese draft', async () => {
    const found = await check({
      text: '猫头鹰在夜间捕猎，分布于十二片森林。猫头鹰在夜间捕猎，分布于十三片森林。企鹅在四月报税。我们将在下一节介绍方法。',
    });
    expect(found.sentences.map(({ verdict }) => verdict)).toEqual([
      'supported',
      'partial',
      'not_found',
      'no_claim',
    ]);
  });

  it("writes the verdicts as comments into the author's own DOCX", async () => {
    const golden = join(import.meta.dirname, '../../golden/documents/apes.docx');
    await writeFile(join(workspace.root, 'draft.docx'), await readFile(golden));
    const found = await check({ path: 'draft.docx' });
    expect(found).toMatchObject({ status: 'done', format: 'docx' });
    expect(found.counts.claims).toBeGreaterThan(0);
    const docx = await service.call('GET', `/api/verify/${found.runId}/export?format=docx`);
    expect(docx).toMatchObject({
      status: 200,
      headers: { 'content-type': expect.stringContaining('wordprocessingml') },
    });
    const { bytes } = docx;
    expect(bytes.toString('latin1')).toContain('word/comments.xml');
    expect(await readDraft('a.docx', bytes)).toEqual(await readDraft('a.docx', await readFile(golden)));
  });

  it('accepts a file that is attached to a conversation', async () => {
    const url = `data:text/markdown;base64,${Buffer.from(DRAFT).toString('base64')}`;
    const file = { type: 'file', url, mediaType: 'text/markdown', filename: 'night.md' };
    const messages = [{ id: 'm1', role: 'user', parts: [file, { type: 'text', text: 'Read it.' }] }];
    provider.answer = () => 'Read.';
    await service.call('POST', '/api/chat', { workspaceId: workspace.id, id: 'with-draft', messages });
    const { body } = await service.call<{ messages: { parts: { type: string; url: string }[] }[] }>(
      'GET',
      '/api/conversations/with-draft',
    );
    const kept = body.messages[0]?.parts.find(({ type }) => type === 'file')?.url ?? '';
    expect(kept).toMatch(/^\/api\/conversations\/with-draft\/attachments\/[0-9a-f]{64}$/);
    const found = await check({ attachment: { url: kept } });
    expect(found).toMatchObject({ status: 'done', name: 'night.md', format: 'md' });
    expect(found.counts).toMatchObject({ claims: 4, supported: 1, contradicted: 1 });
  });

  it('excludes the draft from its own evidence', async () => {
    const { id, root } = await makeAviary();
    await writeFile(join(root, 'draft.md'), 'Penguins file their taxes in April.\n');
    await syncWorkspace(service, id);
    const found = await check({ workspaceId: id, path: 'draft.md' });
    expect(found.sentences.map(({ verdict }) => verdict)).toEqual(['not_found']);
    const [sentence] = found.sentences;
    const again = await check({ workspaceId: id, text: sentence?.text, partOf: found.runId });
    expect(again.sentences.map(({ verdict }) => verdict)).toEqual(['not_found']);
    const alone = await check({ workspaceId: id, text: sentence?.text });
    expect(alone.sentences.map(({ verdict }) => verdict)).toEqual(['supported']);
  });
});
