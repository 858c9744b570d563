import { mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { AUDIT, auditEntries } from '../../../../lib/audit/schema.ts';
import { parseCommand } from '../../../../lib/bots/work/commands.ts';
import type { BotContent } from '../../../../lib/ports/chat-platform.ts';
import { createWorkspace } from '../../../../lib/workspaces/registry.ts';
import { workspaces } from '../../../../lib/workspaces/schema.ts';
import { inTurn, MEMBER, says } from '../../../support/agent.ts';
import { type BotRig, lastShown, startBotRig } from '../../../support/bots.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

async function command(rig: BotRig, text: string, fields = {}): Promise<BotContent & { kind: 'command' }> {
  await rig.say(text, fields);
  const shown = lastShown(rig.feishu).at(-1);
  if (shown?.kind !== 'command') throw new Error(`not a command: ${JSON.stringify(shown)}`);
  return shown;
}

describe('text', () => {
  it.each([
    ['/help', { name: 'help', words: '' }],
    [' /STATUS ', { name: 'status', words: '' }],
    ['/workspace  /a b/c ', { name: 'workspace', words: '/a b/c' }],
    ['/deny 2', { name: 'deny', words: '2' }],
    ['／status', { name: 'status', words: '' }],
    ['／ｓｔａｔｕｓ\u3000', { name: 'status', words: '' }],
    ['／Ｍｏｄｅ　ｐｌａｎ', { name: 'mode', words: 'plan' }],
    ['/approve １', { name: 'approve', words: '1' }],
    ['／deny ２ 不要（删）', { name: 'deny', words: '2 不要（删）' }],
    ['／workspace ／ａ', { name: 'workspace', words: '／ａ' }],
    ['／核对 全文：（ＡＢ）', { name: 'check', words: '全文：（ＡＢ）' }],
    ['/refuse 2\nbecause\nof that', { name: 'refuse', words: '2\nbecause\nof that' }],
  ])('%j is a command', (text, expected) => expect(parseCommand(text)).toEqual(expected));

  it.each([
    'status',
    'what does /status do?',
    '/unknown',
    '/statusx',
    '/etc/passwd',
    '/constructor',
    '/__proto__',
    '//help',
    '／／help',
    '答：／status',
    '',
  ])('%j is for the model', (text) => expect(parseCommand(text)).toBeUndefined());
});

describe('bot commands', () => {
  it('pass an unknown command to the model', async () => {
    const rig = await startBotRig();
    rig.model.answer = inTurn(says('No such thing.'));
    await rig.say('/dance now');
    expect(rig.model.requests[0]?.messages).toEqual([{ role: 'user', content: '/dance now' }]);
  });

  it('/help lists all of them and the modes', async () => {
    const { ok, text } = await command(await startBotRig(), '/help');
    expect(ok).toBe(true);
    for (const word of ['/workspace', '/mode', '/status', '/clear', '/approve', '/deny', 'plan', 'ask'])
      expect(text).toContain(word);
  });

  it('/status of a new chat shows the first of WORKSPACE_ROOTS and the mode agent', async () => {
    const rig = await startBotRig();
    expect((await command(rig, '/status')).text).toBe(
      `**Chat ID**: oc_1\n**Workspace**: ${rig.root}\n**Mode**: agent\n**History**: 0 messages\n**Processing**: No`,
    );
  });

  it('/mode changes the permissions of the next run', async () => {
    const rig = await startBotRig();
    rig.model.answer = inTurn(says('Yes.'));
    expect(await command(rig, '/mode PLAN')).toMatchObject({ ok: true, text: 'Mode: plan' });
    await rig.say('Hi');
    expect(rig.model.requests[0]?.system).toContain('plan');
    expect(await rig.chat()).toMatchObject({ mode: 'plan' });
  });

  it.each(['/mode', '/mode god', '/mode agent plan'])(
    '%s is rejected with the valid values',
    async (text) => {
      const rig = await startBotRig();
      expect(await command(rig, text)).toMatchObject({
        ok: false,
        text: 'mode must be one of agent, plan, ask.',
      });
      expect(await rig.chat()).toMatchObject({ mode: 'agent' });
    },
  );

  it('/clear forgets the conversation, and keeps the workspace and mode', async () => {
    const rig = await startBotRig();
    rig.model.answer = inTurn(says('Yes.'));
    await rig.say('/mode ask');
    await rig.say('/workspace project');
    await rig.say('Hi');
    expect(await rig.remembered()).toHaveLength(2);
    expect(await command(rig, '/clear')).toMatchObject({ ok: true });
    expect(await rig.chat()).toMatchObject({
      conversationId: null,
      mode: 'ask',
      workspacePath: join(rig.root, 'project'),
    });
  });

  it.each(['/approve', '/deny', '/refuse', '/approve 1'])('%s is rejected if nothing waits', async (text) => {
    const rig = await startBotRig();
    expect(await command(rig, text)).toMatchObject({
      ok: false,
      text: 'Nothing is waiting for your approval.',
    });
  });
});

describe('/workspace', () => {
  it('is in the audit log, successful or not, with the resulting workspace', async () => {
    const rig = await startBotRig();
    const { records } = rig.ports;
    await command(rig, '/workspace project');
    const [made] = (await workspaces.list(records, { partition: 'WORKSPACE' })).items;
    const members = [{ subject: 'another', role: 'member' as const }];
    await workspaces.update(records, { id: made?.id ?? '' }, { set: { members } });
    expect((await command(rig, '/workspace project')).ok).toBe(false);
    await command(rig, '/workspace /etc');
    const { items } = await auditEntries.list(records, { partition: AUDIT });
    expect(items.map(({ outcome, workspaceId, about }) => [outcome, workspaceId, about])).toEqual([
      ['done', made?.id, 'ima oc_1 project'],
      ['refused', made?.id, 'ima oc_1 project'],
      ['refused', null, 'ima oc_1 /etc'],
    ]);
  });

  it('binds a directory, by its real path, and shows it', async () => {
    const rig = await startBotRig();
    await symlink(join(rig.root, 'project'), join(rig.root, 'link'));
    const location = join(rig.root, 'project');
    for (const path of ['project', location, 'link', './project/../project/'])
      expect(await command(rig, `/workspace ${path}`)).toMatchObject({
        ok: true,
        text: `Workspace: ${location}`,
      });
    expect(await command(rig, '/workspace')).toMatchObject({ ok: true, text: `Workspace: ${location}` });
    const { items } = await workspaces.list(rig.ports.records, { partition: 'WORKSPACE' });
    expect(items.filter(({ rootPath }) => rootPath === location)).toHaveLength(1);
  });

  it('is the workspace of the next run', async () => {
    const rig = await startBotRig();
    rig.model.answer = inTurn(says('Yes.'));
    await rig.say('/workspace project');
    await rig.say('Hi');
    expect(lastShown(rig.feishu).at(-1)).toMatchObject({
      kind: 'final',
      workspace: join(rig.root, 'project'),
    });
  });

  it('accepts a directory inside an existing workspace, and works there', async () => {
    const rig = await startBotRig();
    await mkdir(join(rig.root, 'project/deep'));
    const { workspace } = await createWorkspace(rig.ports, MEMBER, { path: 'project' });
    await rig.say('/workspace project/deep');
    await rig.say('Hi');
    const [run] = (await rig.ports.records.query({ partition: `AGENT_RUNS#${workspace.id}`, byIndex: true }))
      .records;
    expect(run?.value).toMatchObject({ workspaceId: workspace.id, cwd: 'deep' });
  });

  it.each([
    [
      'outside the roots',
      '/etc',
      'path must be inside one of the allowed folders. An administrator can allow others, in the settings or with WORKSPACE_ROOTS.',
    ],
    [
      'above the roots',
      '..',
      'path must be inside one of the allowed folders. An administrator can allow others, in the settings or with WORKSPACE_ROOTS.',
    ],
    [
      'through a link to the outside',
      'out',
      'path must be inside one of the allowed folders. An administrator can allow others, in the settings or with WORKSPACE_ROOTS.',
    ],
    ["that doesn't exist", 'nowhere', "path isn't an existing directory."],
    ['of a file', 'file', "path isn't an existing directory."],
    ['with a NUL', 'a\0b', "path can't contain a NUL character."],
    ['that is too long', 'a/'.repeat(3000), 'path can have at most 4096 characters.'],
    ['with a name that is too long', 'a'.repeat(300), "path isn't an existing directory."],
    ['with an unpaired surrogate', 'a\ud800', "path isn't an existing directory."],
    [
      'around another workspace',
      'outer',
      "path overlaps another workspace. Choose a folder that isn't inside, or a parent of, an existing workspace.",
    ],
  ])('rejects a path %s', async (_what, path, text) => {
    const rig = await startBotRig();
    await symlink(await realpath(await tempFolder()), join(rig.root, 'out'));
    await writeFile(join(rig.root, 'file'), 'x');
    await mkdir(join(rig.root, 'outer'));
    await createWorkspace(rig.ports, MEMBER, { path: 'outer/inner' });
    expect(await command(rig, `/workspace ${path}`)).toEqual({
      kind: 'command',
      command: 'workspace',
      ok: false,
      text,
    });
    expect(await rig.chat()).toMatchObject({ workspacePath: rig.root });
  });

  it('reports the deletion of its workspace at the next request', async () => {
    const rig = await startBotRig();
    await rig.say('/workspace project');
    await rig.say('Hi');
    await createWorkspace(rig.ports, MEMBER, { path: 'other' });
    await rm(join(rig.root, 'project'), { recursive: true });
    await rig.say('Still there?');
    expect(lastShown(rig.feishu).at(-1)).toEqual({
      kind: 'error',
      text: 'The directory of this chat no longer exists. Choose another one with /workspace.',
    });
  });
});

describe('root of a new chat', () => {
  it('allows workspaces inside it, created before and after', async () => {
    const rig = await startBotRig();
    await createWorkspace(rig.ports, MEMBER, { path: 'before' });
    await rig.say('Hi');
    expect(lastShown(rig.feishu)).toMatchObject([{ kind: 'final', workspace: rig.root }]);
    await expect(createWorkspace(rig.ports, MEMBER, { path: 'after' })).resolves.toMatchObject({
      created: true,
    });
  });

  it('has one record for concurrent first requests', async () => {
    const rig = await startBotRig();
    await rig.say('Hi');
    await rig.say('Hi', { chatId: 'oc_2' });
    const { created, workspace } = await createWorkspace(rig.ports, MEMBER, { path: '.' });
    expect(created).toBe(false);
    const { items } = await workspaces.list(rig.ports.records, { partition: 'WORKSPACE' });
    expect(items.filter(({ rootPath }) => rootPath === rig.root)).toEqual([workspace]);
  });

  it('is its existing workspace, if any', async () => {
    const rig = await startBotRig();
    const { workspace } = await createWorkspace(rig.ports, MEMBER, { path: '.' });
    await rig.say('Hi');
    const { items } = await workspaces.list(rig.ports.records, { partition: 'WORKSPACE' });
    expect(items.filter(({ rootPath }) => rootPath === rig.root)).toEqual([workspace]);
  });
});
