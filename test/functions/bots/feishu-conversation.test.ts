import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ButtonValue, FeishuCard } from '../../../lib/adapters/feishu/card.ts';
import { kubeconfigFile } from '../../support/cluster.ts';
import {
  type FakeFeishu,
  feishuEnvironment,
  type ShownMessage,
  startFakeFeishu,
} from '../../support/fakes/fake-feishu.ts';
import { startFakeKubernetes } from '../../support/fakes/fake-kubernetes.ts';
import { type FakeOpenai, inTurn, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import {
  type FeishuTestMessage,
  feishuCallback,
  feishuId,
  feishuMessageEvent,
  feishuPressEvent,
} from '../../support/fakes/feishu-events.ts';
import { oggOpus } from '../../support/samples/ogg-opus.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';

const TOKEN = 'verification-token';
const ENCRYPT_KEY = 'encrypt-key';
const PATIENCE_MS = 30_000;

let feishu: FakeFeishu;
let provider: FakeOpenai;
let service: Service;

beforeAll(async () => {
  const cluster = await startFakeKubernetes();
  [feishu, provider] = await Promise.all([startFakeFeishu(), startFakeOpenai()]);
  whenDone(() => Promise.all([feishu.stop(), provider.stop(), cluster.stop()]));
  service = await startService({
    PROVIDER_A_BASE_URL: provider.url,
    KUBECONFIG_PATH: await kubeconfigFile(cluster.kubeconfig()),
    ...feishuEnvironment(feishu, TOKEN),
    IMA_ENCRYPT_KEY: ENCRYPT_KEY,
  });
  await mkdir(join(service.root, 'papers'));
  await writeFile(join(service.root, 'papers', 'notes.txt'), 'The answer is 42.');
});

async function post(event: unknown) {
  const { body, headers } = feishuCallback(event, { encryptKey: ENCRYPT_KEY });
  return service.call<Record<string, unknown>>('POST', '/api/bot/ima', body, headers);
}

/** Posts a message of a person; answers when the bot has shown the last word on it. */
async function say(message: FeishuTestMessage): Promise<ShownMessage> {
  const before = feishu.messages.length;
  expect(await post(feishuMessageEvent(TOKEN, message))).toMatchObject({ status: 200, body: { ok: true } });
  return settled(before);
}

const text = (words: string): FeishuTestMessage => ({ content: { text: words } });

function settled(index: number): Promise<ShownMessage> {
  return eventually(
    async () => feishu.messages[index],
    (shown) => shown?.text !== undefined || ['green', 'red'].includes(shown?.card?.header.template ?? ''),
    PATIENCE_MS,
  ) as Promise<ShownMessage>;
}

const words = ({ header, elements }: FeishuCard) =>
  [header.title.content, ...elements.map((element) => ('content' in element ? element.content : ''))].join(
    '\n',
  );

function wordsOf({ card }: ShownMessage): string {
  return card === undefined ? '' : words(card);
}

/** What the model was last asked, as text. */
const asked = () => JSON.stringify(provider.lastChat?.messages);

function buttonsOf({ card }: ShownMessage): ButtonValue[] {
  return (card?.elements ?? []).flatMap((element) =>
    'actions' in element ? element.actions.map(({ value }) => value) : [],
  );
}

describe('a conversation on Feishu', () => {
  it('begins with the check of the address', async () => {
    const answer = await post({ type: 'url_verification', challenge: 'c-1', token: TOKEN });
    expect(answer).toMatchObject({ status: 200, body: { challenge: 'c-1' } });
  });

  it('binds a workspace, of which there is one record then', async () => {
    expect(wordsOf(await say(text('/workspace papers')))).toContain('✅ /workspace');
    expect(wordsOf(await say(text('/workspace')))).toContain(join(service.root, 'papers'));
    expect(wordsOf(await say(text('/workspace nowhere')))).toContain('❌ /workspace');
    expect(wordsOf(await say(text('/workspace /etc')))).toContain('❌ /workspace');
    const { body } = await service.call<{ rootPath: string }[]>('GET', '/api/workspaces');
    expect(body.map(({ rootPath }) => rootPath)).toEqual([join(service.root, 'papers')]);
  });

  it('asks, and the card shows what is done until it is done', async () => {
    provider.answer = inTurn(
      { calls: [{ name: 'readFile', input: { path: 'notes.txt' } }] },
      'It is **42**.',
    );
    const shown = await say(text('What is the answer?'));
    expect(wordsOf(shown)).toContain('It is **42**.');
    expect(wordsOf(shown)).toContain('✅ **readFile**');
    expect(shown.states.length).toBeGreaterThan(1);
    expect(shown.states[0]?.header.template).toBe('blue');
    expect(asked()).toContain('The answer is 42.');
  });

  it('remembers what was said', async () => {
    provider.answer = inTurn('As I said.');
    await say(text('And why?'));
    expect(asked()).toContain('What is the answer?');
    expect(asked()).toContain('It is **42**.');
  });

  it('waits for an approval, which only who asked can give, by the button', async () => {
    const call = {
      name: 'submitJob',
      input: { name: 'train', command: 'python train.py', image: 'python:3' },
    };
    provider.answer = inTurn({ calls: [call] }, 'So be it.');
    const index = feishu.messages.length;
    await post(feishuMessageEvent(TOKEN, text('Train it.')));
    const waiting = (await eventually(
      async () => feishu.messages[index],
      (shown) => shown !== undefined && buttonsOf(shown).length === 2,
      PATIENCE_MS,
    )) as ShownMessage;
    expect(wordsOf(waiting)).toContain('Submit job train');
    expect(wordsOf(waiting)).toContain('python train.py');
    const [approve] = buttonsOf(waiting);

    expect(wordsOf(await say(text('/status')))).toContain('**Processing**: Yes');
    const before = feishu.messages.length;
    await post(feishuPressEvent(TOKEN, { value: approve, senderId: 'ou_other', cardId: waiting.id }));
    expect(wordsOf(await settled(before))).toContain(
      'Only the person who started this run can answer its approvals.',
    );
    expect(buttonsOf(feishu.messages[index] as ShownMessage)).toHaveLength(2);

    const press = feishuPressEvent(TOKEN, { value: approve, cardId: waiting.id });
    expect((await post(press)).body).toMatchObject({ toast: { type: 'info' } });
    const ended = await settled(index);
    expect(wordsOf(ended)).toContain('So be it.');
    expect(buttonsOf(ended)).toHaveLength(0);
  });

  it('is kept as a conversation, which is read, renamed and deleted, and not written to, over the API', async () => {
    const { body: workspaces } = await service.call<{ id: string }[]>('GET', '/api/workspaces');
    const workspaceId = workspaces[0]?.id;
    const { body } = await service.call<{ id: string }[]>(
      'GET',
      `/api/conversations?workspaceId=${workspaceId}&q=answer`,
    );
    expect(body).toMatchObject([{ kind: 'bot', mode: 'agent', ownerId: 'ima:ou_asker', messageCount: 6 }]);
    const path = `/api/conversations/${body[0]?.id}`;
    const messages = [{ id: 'm', role: 'user', content: 'And I?' }];
    const said = { id: body[0]?.id, workspaceId, cwd: '', messages };
    for (const to of ['/api/chat', '/api/agent']) {
      const { cwd, ...rest } = said;
      const sent = await service.call('POST', to, to === '/api/agent' ? { cwd, ...rest } : rest);
      expect(sent.status).toBe(403);
    }
    expect((await service.call('PUT', path, { title: 'Forty-two', pinned: true })).status).toBe(200);
    expect((await service.call('GET', path)).body).toMatchObject({
      ...{ title: 'Forty-two', pinned: true, kind: 'bot' },
      messages: [{ role: 'user' }, { role: 'assistant' }, {}, {}, {}, {}],
    });
    expect((await service.call('DELETE', path)).status).toBe(200);
    expect((await service.call('GET', path)).status).toBe(404);
    provider.answer = inTurn('What answer?');
    await say(text('Say the answer again.'));
    expect(asked()).not.toContain('It is **42**.');
  });

  it('adds a rule by the button that asks once more, for who asked alone', async () => {
    const { body: workspaces } = await service.call<{ id: string }[]>('GET', '/api/workspaces');
    const path = `/api/workspaces/${workspaces[0]?.id}/permissions`;
    const rules = [{ tool: 'readFile', pattern: '**', action: 'ask' }];
    expect((await service.call('PUT', path, { rules })).status).toBe(200);
    const read = { calls: [{ name: 'readFile', input: { path: 'notes.txt' } }] };
    provider.answer = inTurn(read, 'Read.', read, 'Read again.');
    const index = feishu.messages.length;
    await post(feishuMessageEvent(TOKEN, text('Read the notes.')));
    const waiting = (await eventually(
      async () => feishu.messages[index],
      (shown) => shown !== undefined && buttonsOf(shown).length === 3,
      PATIENCE_MS,
    )) as ShownMessage;
    const value = buttonsOf(waiting)[2];
    expect(value).toMatchObject({ approved: true, always: 'notes.txt' });
    const before = feishu.messages.length;
    await post(feishuPressEvent(TOKEN, { value, senderId: 'ou_other', cardId: waiting.id }));
    expect(wordsOf(await settled(before))).toContain(
      'Only the person who started this run can answer its approvals.',
    );
    const press = feishuPressEvent(TOKEN, { value, cardId: waiting.id, eventId: 'always-1' });
    await post(press);
    expect(wordsOf(await settled(index))).toContain('Read.');
    const added = { rules: [{ action: 'ask' }, { pattern: 'notes.txt', addedBy: 'ima:ou_asker' }] };
    expect((await service.call('GET', path)).body).toMatchObject(added);
    expect(wordsOf(await say(text('Once more.')))).toContain('Read again.');
    expect((await service.call('PUT', path, { rules: [] })).status).toBe(200);
    await post(press);
    await say(text('/status'));
    expect((await service.call('GET', path)).body).toMatchObject({ rules: [] });
  });

  it('takes a text file into the conversation, and says a clear word on others', async () => {
    provider.answer = inTurn('A table of two rows.');
    const messageId = feishuId('om');
    feishu.resources.set(`${messageId}/file_1`, Buffer.from('name,age\nAda,36\n'));
    const file = { type: 'file', content: { file_key: 'file_1', file_name: 'people.csv' } };
    expect(wordsOf(await say({ ...file, messageId }))).toContain('A table of two rows.');
    expect(asked()).toContain('Ada,36');

    const large = feishuId('om');
    feishu.resources.set(`${large}/file_1`, Buffer.alloc(100 * 1024, 'a'));
    expect(wordsOf(await say({ ...file, messageId: large }))).toContain('100 KB');
    const binary = feishuId('om');
    feishu.resources.set(`${binary}/file_1`, Buffer.from([0, 1, 2, 255, 0]));
    expect(wordsOf(await say({ ...file, messageId: binary }))).toContain("isn't a text file");
    const image = await say({ type: 'image', content: { image_key: 'img_1' } });
    expect(`${image.text ?? ''}${wordsOf(image)}`).toMatch(/image/);
  });

  it('hears a voice message, by OpenAI where it can, else by the platform', async () => {
    const audio = { type: 'audio', content: { file_key: 'audio_1', duration: 2000 } };
    const recording = () => {
      const messageId = feishuId('om');
      feishu.resources.set(`${messageId}/audio_1`, oggOpus(2));
      return { ...audio, messageId };
    };
    provider.answer = inTurn('Heard.');
    provider.transcript = 'what was said to provider A';
    expect(wordsOf(await say(recording()))).toContain('Heard.');
    expect(asked()).toContain('what was said to provider A');

    provider.transcript = undefined;
    feishu.spoken = 'what was said to the platform';
    expect(wordsOf(await say(recording()))).toContain('Heard.');
    expect(asked()).toContain('what was said to the platform');
  });

  it('answers a message that is delivered again once', async () => {
    provider.answer = inTurn('Once.');
    const event = feishuMessageEvent(TOKEN, {
      ...text('Say it.'),
      eventId: 'again-1',
      messageId: feishuId('om'),
    });
    const before = feishu.messages.length;
    await Promise.all([post(event), post(event)]);
    await settled(before);
    expect((await post(event)).status).toBe(200);
    expect((await post({ ...event, header: { ...event.header, event_id: 'again-2' } })).status).toBe(200);
    await say(text('/status'));
    expect(feishu.messages).toHaveLength(before + 2);
  });

  it('forgets what was said, and keeps workspace and mode', async () => {
    expect(wordsOf(await say(text('/mode plan')))).toContain('✅ /mode');
    await say(text('/clear'));
    const bot = { key: '@_user_1', id: { open_id: 'ou_bot' }, name: 'Bot', mentioned_type: 'bot' };
    const group: FeishuTestMessage = { chatType: 'group', mentions: [bot] };
    const status = wordsOf(await say({ ...group, ...text('@_user_1 /STATUS') }));
    expect(status).toContain('**History**: 0 messages');
    expect(status).toContain('**Mode**: plan');
    expect(status).toContain(join(service.root, 'papers'));
    expect(status).toContain('**Chat ID**: oc_chat');
  });

  it('never changes a card faster than the platform allows, and writes no secret', async () => {
    expect(feishu.limited.filter((call) => call.startsWith('PATCH'))).toEqual([]);
    for (const secret of [TOKEN, ENCRYPT_KEY, feishu.appSecret, 'The answer is 42']) {
      expect(service.output()).not.toContain(secret);
    }
  });
});
