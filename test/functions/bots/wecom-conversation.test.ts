import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { kubeconfigFile } from '../../support/cluster.ts';
import { startFakeKubernetes } from '../../support/fakes/fake-kubernetes.ts';
import { type FakeOpenai, inTurn, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type FakeWecom, startFakeWecom } from '../../support/fakes/fake-wecom.ts';
import { startWecomService, wecomPerson } from '../../support/fakes/wecom-person.ts';
import type { Service } from '../../support/service.ts';
import { whenDone } from '../../support/temp-folder.ts';

const JOB = { name: 'train', command: 'python train.py', image: 'python:3' };
const WORDS_ALONE =
  'ℹ️ The model called no tool, so nothing in the workspace was read or changed. Its answer is only text.';
const LONG = Array.from({ length: 150 }, (_, index) => `Line ${index} of the answer 字😀`).join('\n');

let fake: FakeWecom;
let provider: FakeOpenai;
let service: Service;
let library: string;

beforeAll(async () => {
  fake = await startFakeWecom();
  provider = await startFakeOpenai();
  const cluster = await startFakeKubernetes();
  whenDone(() => Promise.all([provider.stop(), cluster.stop()]));
  service = await startWecomService(fake, {
    PROVIDER_A_BASE_URL: provider.url,
    PROVIDER_A_API_KEY: 'sk-very-secret',
    KUBECONFIG_PATH: await kubeconfigFile(cluster.kubeconfig()),
  });
  library = join(await realpath(service.root), 'library');
  await mkdir(library);
  await writeFile(join(library, 'owls.md'), '# Owls\n\nOwls hunt at night.\n');
});
afterEach(() => {
  expect(service.output()).not.toMatch(/sk-very-secret|corp-secret|QDG6eK/);
});

function asked(): string {
  return JSON.stringify(provider.lastChat?.messages);
}

describe('conversation on WeCom', () => {
  it('binds a workspace, asks, works with a tool and an approval, accepts files, and forgets', async () => {
    const li = wecomPerson(service, fake, 'li');
    expect(await li.asks('/workspace library')).toBe(`Workspace: ${library}`);
    expect(await li.asks('/status')).toBe(
      `Chat ID: li\nWorkspace: ${library}\nMode: agent\nHistory: 0 messages\nProcessing: No`,
    );

    provider.answer = inTurn({ calls: [{ name: 'readFile', input: { path: 'owls.md' } }] }, 'At night.');
    expect(await li.asks('When do owls hunt?')).toBe(
      'At night.\n\nSources:\n[1] `owls.md`, line 3 (facts found, found by the service)',
    );
    expect(asked()).toContain('Owls hunt at night.');

    provider.answer = inTurn({ calls: [{ name: 'submitJob', input: JOB }] }, 'It has begun.', LONG);
    expect(await li.asks('Train it.')).toMatch(
      /^Waiting for your approval:\n[\s\S]*train[\s\S]*\nsubmitJob {\n {2}"name": "train",[^}]*python train.py[^}]*}\nAnswer \/approve or \/deny\.$/,
    );
    await li.say('And what time is it?');
    expect(await li.asks('/status')).toMatch(/Processing: Yes, 1 more queued$/);
    expect(await wecomPerson(service, fake, 'wang').asks('/approve')).toBe(
      '❌ /approve\nNothing is waiting for your approval.',
    );
    await li.say('/approve');
    // The acknowledgment and the run's answer come from two workers.
    const heard = [await li.hears(), await li.hears()];
    expect(heard).toContainEqual(expect.stringMatching(/^Approved: .*train/));
    expect(heard).toContain('It has begun.');
    // The request has already received an empty response, so the answer is sent separately, in parts.
    const pieces = [];
    while (pieces.join('').length < LONG.length) pieces.push(await li.hears());
    expect(pieces.join('').split('\n\n')).toEqual([LONG, WORDS_ALONE]);
    expect(pieces.length).toBeGreaterThan(1);

    fake.media.set('media-1', { name: 'bats.md', bytes: Buffer.from('Bats hunt at dusk.') });
    provider.answer = () => 'It is about bats.';
    expect(await li.asks({ type: 'file', fields: { MediaId: 'media-1', FileName: 'bats.md' } })).toBe(
      `It is about bats.\n\n${WORDS_ALONE}`,
    );
    expect(asked()).toContain('Bats hunt at dusk.');

    expect(await li.asks('/mode ask')).toBe('Mode: ask');
    expect(await li.asks('/clear')).toMatch(/Started a new conversation/);
    expect(await li.asks('/status')).toMatch(/Mode: ask\nHistory: 0 messages/);
    provider.answer = () => 'Hello again.';
    expect(await li.asks('Hello.')).toBe('Hello again.');
    expect(asked()).not.toContain('Bats');
    expect(li.seen).toHaveLength(12 + pieces.length);
  });

  it('is stored as a conversation, and adds a rule for the person who types it', async () => {
    const mei = wecomPerson(service, fake, 'mei');
    await mei.asks('/workspace library');
    const { body: workspaces } = await service.call<{ id: string }[]>('GET', '/api/workspaces');
    const workspaceId = workspaces[0]?.id;
    const path = `/api/workspaces/${workspaceId}/permissions`;
    const rules = [{ tool: 'readFile', pattern: '**', action: 'ask' }];
    expect((await service.call('PUT', path, { rules })).status).toBe(200);
    const read = { calls: [{ name: 'readFile', input: { path: 'owls.md' } }] };
    provider.answer = inTurn(read, '夜里。', read, '还是夜里。');
    expect(await mei.asks('猫头鹰什么时候捕猎？')).toMatch(
      /in this workspace: \/always 1 owls\.md\nAnswer \/approve or \/deny\.$/,
    );
    expect(await mei.asks('/always')).toBe(
      '❌ /always\n没有提供过此规则。请按显示的内容原样发送。\nTo add a rule, send exactly this:\n/always owls.md',
    );
    await mei.say('/always 1 owls.md');
    const heard = [await mei.hears(), await mei.hears()];
    expect(heard).toContain('夜里。');
    expect(heard).toContainEqual(expect.stringContaining('without approval: owls.md'));
    expect((await service.call('GET', path)).body).toMatchObject({
      rules: [{ action: 'ask' }, { pattern: 'owls.md', action: 'allow', addedBy: 'imb:mei' }],
    });
    expect(await mei.asks('真的吗？')).toBe('还是夜里。');

    const list = `/api/conversations?workspaceId=${workspaceId}&q=${encodeURIComponent('捕猎')}`;
    const { body } = await service.call<{ id: string }[]>('GET', list);
    expect(body).toMatchObject([
      { kind: 'bot', title: '猫头鹰什么时候捕猎？', ownerId: 'imb:mei', messageCount: 4, shared: false },
    ]);
    const exported = await service.call<string>('GET', `/api/conversations/${body[0]?.id}/export`);
    expect(exported.body).toContain('> 真的吗？');
    expect(exported.body).toContain('还是夜里。');
  });

  it("reports a message that it can't process", async () => {
    const zoe = wecomPerson(service, fake, 'zoe');
    expect(await zoe.asks({ type: 'image', fields: { MediaId: 'm', PicUrl: 'http://x' } })).toMatch(
      /^❌ I can't read this kind of message \(image\)\./,
    );
    fake.media.set('voice-1', { name: 'voice.amr', bytes: Buffer.from('#!AMR\n0123456789') });
    expect(await zoe.asks({ type: 'voice', fields: { MediaId: 'voice-1', Format: 'amr' } })).toMatch(/^❌ /);
    expect(await zoe.asks({ type: 'file', fields: { MediaId: 'gone', FileName: 'a.md' } })).toMatch(/^❌ /);
    fake.media.set('big', { name: 'big.md', bytes: Buffer.alloc(100 * 1024, 'x') });
    expect(await zoe.asks({ type: 'file', fields: { MediaId: 'big', FileName: 'big.md' } })).toMatch(
      /^❌ big\.md is too large/,
    );
    expect(await zoe.asks('/mode fly')).toBe('❌ /mode\nmode must be one of agent, plan, ask.');
    expect(await zoe.asks('/workspace /etc')).toMatch(/^❌ \/workspace\n/);
  });
});
