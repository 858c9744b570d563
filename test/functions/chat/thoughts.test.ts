import { beforeAll, expect, it } from '@jest/globals';
import { answerText, readFrames } from '../../support/event-frames.ts';
import { type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { syncWorkspace } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

let openai: FakeOpenai;
let service: Service;
let workspace: TestWorkspace;

const THOUGHT = 'The user asks about owls. Passage [1] helps.';

beforeAll(async () => {
  openai = await startFakeOpenai();
  whenDone(() => openai.stop());
  service = await startService({
    PROVIDER_A_BASE_URL: openai.url,
    LLM_MODEL: 'r1',
    CONVERSATION_TITLES: 'on',
  });
  workspace = await makeWorkspace(service);
  const content = '# Owls\n\nOwls hunt at night in silence.\n';
  await service.call('POST', '/api/files/write', { workspaceId: workspace.id, path: 'owls.md', content });
  await syncWorkspace(service, workspace.id);
});

async function ask(id: string, text: string) {
  const messages = [{ id: `${id}-${text.length}`, role: 'user', parts: [{ type: 'text', text }] }];
  const { body } = await service.call<string>('POST', '/api/chat', {
    workspaceId: workspace.id,
    id,
    messages,
  });
  return readFrames(body).parts;
}

interface Kept {
  title: string;
  messages: { role: string; parts: { type: string; text?: string }[] }[];
}

it.each([
  ['with both tags', `<think>\n${THOUGHT}\n</think>\n\nOwls hunt at night in silence [1].<|im_end|>`],
  ['whose beginning the template has', `${THOUGHT}\n</think>\n\nOwls hunt at night in silence [1].`],
])(
  'chat keeps a thought %s out of citations, the title, the history, and the export',
  async (name, answer) => {
    openai.answer = () => answer;
    const parts = await ask(name, 'When do owls hunt?');
    const citations = parts.filter(({ type }) => type === 'data-citation');
    expect(citations).toHaveLength(1);
    const stored = async () =>
      (await service.call<Kept>('GET', `/api/conversations/${encodeURIComponent(name)}`)).body;
    const kept = await stored();
    const said = kept.messages[1]?.parts.filter(({ type }) => type === 'text' || type === 'reasoning');
    expect(said?.map(({ type, text }) => [type, text?.trim()])).toEqual([
      ['reasoning', THOUGHT],
      ['text', 'Owls hunt at night in silence [1].'],
    ]);
    expect(JSON.stringify(kept)).not.toContain('data-thought');
    expect(kept.title).not.toMatch(/think|user asks/i);
    const { bytes } = await service.call('GET', `/api/conversations/${encodeURIComponent(name)}/export`);
    expect(String(bytes)).not.toMatch(/think|user asks/i);
    openai.answer = () => 'Nothing.';
    await ask(name, 'And bats, when?');
    expect(JSON.stringify(openai.lastChat?.messages)).not.toMatch(/think|user asks/i);
  },
);

it('chat streams thoughts as separate parts', async () => {
  openai.answer = () => ['<thi', 'nk>Hm.</think>', 'Yes.'];
  const parts = await ask('parts', 'When?');
  const types = parts.map(({ type }) => type).filter((type) => /^(text|reasoning)/.test(type));
  expect(types.filter((type, at) => type !== types[at - 1])).toEqual([
    ...['reasoning-start', 'reasoning-delta', 'reasoning-end'],
    ...['text-start', 'text-delta', 'text-end'],
  ]);
  expect(answerText(parts)).toBe('Yes.');
});
