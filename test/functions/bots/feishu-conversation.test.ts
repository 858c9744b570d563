import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
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
import { untilWorkedOff } from '../../support/queues.ts';
import { oggOpus } from '../../support/samples/ogg-opus.ts';
import { type Service, startService } from '../../support/service.ts';
import { whenDone } from '../../support/temp-folder.ts';

const TOKEN = 'verification-token';
const ENCRYPT_KEY = 'encrypt-key';
const NOT_THEIRS = 'Only the person who started this run can answer its approvals.';
const READ = { calls: [{ name: 'readFile', input: { path: 'notes.txt' } }] };

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
});
// No test updates a card faster than Feishu allows, or writes a secret.
afterEach(() => {
  expect(feishu.limited.filter((call) => call.startsWith('PATCH'))).toEqual([]);
  for (const secret of [TOKEN, ENCRYPT_KEY, feishu.appSecret, 'The answer is 42'])
    expect(service.output()).not.toContain(secret);
});

async function post(event: unknown) {
  const { body, headers } = feishuCallback(event, { encryptKey: ENCRYPT_KEY });
  return service.call<Record<string, unknown>>('POST', '/api/bot/ima', body, headers);
}

/** Posts an event. Returns the bot's messages once all its work is done or it waits for a person. */
async function send(event: unknown): Promise<ShownMessage[]> {
  const before = feishu.messages.length;
  expect(await post(event)).toMatchObject({ status: 200 });
  await untilWorkedOff(service, 'bot');
  return feishu.messages.slice(before);
}

/** The same for an event with one reply. */
async function sendForOne(event: unknown): Promise<ShownMessage> {
  const shown = await send(event);
  expect(shown).toHaveLength(1);
  return shown[0] as ShownMessage;
}

/** Opens a separate chat, bound to a separate folder. */
async function openChat() {
  const chatId = feishuId('oc');
  const path = join(service.root, chatId);
  await mkdir(path);
  await writeFile(join(path, 'notes.txt'), 'The answer is 42.');
  const say = (message: FeishuTestMessage | string) => {
    const fields = typeof message === 'string' ? { content: { text: message } } : message;
    return sendForOne(feishuMessageEvent(TOKEN, { chatId, ...fields }));
  };
  await say(`/workspace ${chatId}`);
  return {
    chatId,
    path,
    say,
    press: (press: Omit<Parameters<typeof feishuPressEvent>[1], 'chatId'>) =>
      feishuPressEvent(TOKEN, { chatId, ...press }),
    async findWorkspaceId(): Promise<string | undefined> {
      const { body } = await service.call<{ id: string; rootPath: string }[]>('GET', '/api/workspaces');
      return body.find(({ rootPath }) => rootPath === path)?.id;
    },
  };
}

const words = ({ header, elements }: FeishuCard) =>
  [header.title.content, ...elements.map((element) => ('content' in element ? element.content : ''))].join(
    '\n',
  );

function wordsOf({ card }: ShownMessage): string {
  return card === undefined ? '' : words(card);
}

/** Returns the last request to the model as text. */
const asked = () => JSON.stringify(provider.lastChat?.messages);

function buttonsOf({ card }: ShownMessage): ButtonValue[] {
  return (card?.elements ?? []).flatMap((element) =>
    'actions' in element ? element.actions.map(({ value }) => value) : [],
  );
}

describe('conversation on Feishu', () => {
  it('starts with the URL verification', async () => {
    const answer = await post({ type: 'url_verification', challenge: 'c-1', token: TOKEN });
    expect(answer).toMatchObject({ status: 200, body: { challenge: 'c-1' } });
  });

  it('binds a workspace, and stores one record for it', async () => {
    const { say, chatId, path } = await openChat();
    expect(wordsOf(await say(`/workspace ${chatId}`))).toContain('✅ /workspace');
    expect(wordsOf(await say('/workspace'))).toContain(path);
    expect(wordsOf(await say('/workspace nowhere'))).toContain('❌ /workspace');
    expect(wordsOf(await say('/workspace /etc'))).toContain('❌ /workspace');
    const { body } = await service.call<{ rootPath: string }[]>('GET', '/api/workspaces');
    expect(body.filter(({ rootPath }) => rootPath.includes(path))).toHaveLength(1);
    expect(body.every(({ rootPath }) => rootPath.startsWith(`${service.root}/`))).toBe(true);
  });

  it('shows the progress of an answer on the card, then remembers the conversation', async () => {
    const { say } = await openChat();
    provider.answer = inTurn(READ, 'It is **42**.');
    const shown = await say('What is the answer?');
    expect(wordsOf(shown)).toContain('It is **42**.');
    expect(wordsOf(shown)).toContain('✅ **readFile**');
    expect(shown.states.length).toBeGreaterThan(1);
    expect(shown.states[0]?.header.template).toBe('blue');
    expect(asked()).toContain('The answer is 42.');

    provider.answer = inTurn('As I said.');
    await say('And why?');
    expect(asked()).toContain('What is the answer?');
    expect(asked()).toContain('It is **42**.');
  });

  it('waits for an approval, which only the person who asked can give with the button', async () => {
    const { say, press } = await openChat();
    const call = {
      name: 'submitJob',
      input: { name: 'train', command: 'python train.py', image: 'python:3' },
    };
    provider.answer = inTurn({ calls: [call] }, 'So be it.');
    const asking = await say('Train it.');
    expect(wordsOf(asking)).toContain('Submit job train');
    expect(wordsOf(asking)).toContain('python train.py');
    expect(buttonsOf(asking)).toHaveLength(2);
    const answer = { value: buttonsOf(asking)[0], cardId: asking.id };

    expect(wordsOf(await say('/status'))).toContain('**Processing**: Yes');
    expect(wordsOf(await sendForOne(press({ ...answer, senderId: 'ou_other' })))).toContain(NOT_THEIRS);
    expect(buttonsOf(asking)).toHaveLength(2);

    expect((await post(press(answer))).body).toMatchObject({ toast: { type: 'info' } });
    await untilWorkedOff(service, 'bot');
    expect(wordsOf(asking)).toContain('So be it.');
    expect(asking.card?.header.template).toBe('green');
    expect(buttonsOf(asking)).toHaveLength(0);
  });

  it('is stored as a conversation that can be read, renamed, and deleted through the API, but not continued', async () => {
    const { say, findWorkspaceId } = await openChat();
    provider.answer = inTurn(READ, 'It is **42**.', 'As I said.');
    for (const question of ['What is the answer?', 'And why?', 'Really?']) await say(question);
    const workspaceId = await findWorkspaceId();
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
    await say('Say the answer again.');
    expect(asked()).toContain('Say the answer again.');
    expect(asked()).not.toContain('It is **42**.');
  });

  it('adds a rule by the confirmation button, only for the person who asked', async () => {
    const { say, press, findWorkspaceId } = await openChat();
    const path = `/api/workspaces/${await findWorkspaceId()}/permissions`;
    const rules = [{ tool: 'readFile', pattern: '**', action: 'ask' }];
    expect((await service.call('PUT', path, { rules })).status).toBe(200);
    provider.answer = inTurn(READ, 'Read.', READ, 'Read again.');
    const asking = await say('Read the notes.');
    expect(buttonsOf(asking)).toHaveLength(3);
    const value = buttonsOf(asking)[2];
    expect(value).toMatchObject({ approved: true, always: 'notes.txt' });
    const byAnother = press({ value, senderId: 'ou_other', cardId: asking.id });
    expect(wordsOf(await sendForOne(byAnother))).toContain(NOT_THEIRS);
    const always = press({ value, cardId: asking.id, eventId: feishuId('always') });
    expect(wordsOf(await sendForOne(always))).toContain('notes.txt');
    expect(wordsOf(asking)).toContain('Read.');
    const added = { rules: [{ action: 'ask' }, { pattern: 'notes.txt', addedBy: 'ima:ou_asker' }] };
    expect((await service.call('GET', path)).body).toMatchObject(added);
    expect(wordsOf(await say('Once more.'))).toContain('Read again.');
    expect((await service.call('PUT', path, { rules: [] })).status).toBe(200);
    expect(await send(always)).toEqual([]);
    expect((await service.call('GET', path)).body).toMatchObject({ rules: [] });
  });

  it('adds a text file to the conversation, and explains why it rejects others', async () => {
    const { say } = await openChat();
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

  it('transcribes a voice message, with OpenAI if possible, otherwise with Feishu', async () => {
    const { say } = await openChat();
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

  it('answers a redelivered message once', async () => {
    const { say, chatId } = await openChat();
    provider.answer = inTurn('Once.');
    const fields = { chatId, content: { text: 'Say it.' }, messageId: feishuId('om') };
    const event = feishuMessageEvent(TOKEN, { ...fields, eventId: feishuId('again') });
    const before = feishu.messages.length;
    const answers = await Promise.all([post(event), post(event)]);
    expect(answers).toMatchObject([
      { status: 200, body: { ok: true } },
      { status: 200, body: { ok: true } },
    ]);
    await untilWorkedOff(service, 'bot');
    expect(await send(event)).toEqual([]);
    const other = { ...event, header: { ...event.header, event_id: feishuId('again') } };
    expect(await send(other)).toEqual([]);
    await say('/status');
    expect(feishu.messages).toHaveLength(before + 2);
  });

  it('forgets the conversation, and keeps the workspace and mode', async () => {
    const { say, chatId, path } = await openChat();
    provider.answer = inTurn('Hello.');
    await say('Hello?');
    expect(wordsOf(await say('/mode plan'))).toContain('✅ /mode');
    expect(wordsOf(await say('/status'))).toContain('**History**: 2 messages');
    await say('/clear');
    const bot = { key: '@_user_1', id: { open_id: 'ou_bot' }, name: 'Bot', mentioned_type: 'bot' };
    const group: FeishuTestMessage = { chatType: 'group', mentions: [bot] };
    const status = wordsOf(await say({ ...group, content: { text: '@_user_1 /STATUS' } }));
    expect(status).toContain('**History**: 0 messages');
    expect(status).toContain('**Mode**: plan');
    expect(status).toContain(path);
    expect(status).toContain(`**Chat ID**: ${chatId}`);
  });
});
