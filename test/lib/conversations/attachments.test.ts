import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import { diskObjects } from '../../../lib/adapters/disk/objects.ts';
import { fitContext } from '../../../lib/agent/loop/fit-context.ts';
import { attachEarlier } from '../../../lib/conversations/attachments/attach.ts';
import { readAttachment } from '../../../lib/conversations/attachments/attachment.ts';
import { fetchFile } from '../../../lib/conversations/attachments/fetch-file.ts';
import { keepAttachments, requireRoomFor } from '../../../lib/conversations/attachments/keep.ts';
import { addressOf, MAX_KEPT_FILES, readAddress } from '../../../lib/conversations/attachments/schema.ts';
import { deleteConversation, dropConversations } from '../../../lib/conversations/change.ts';
import { claimTurn } from '../../../lib/conversations/turn/claim-turn.ts';
import { planTurn } from '../../../lib/conversations/turn/plan-turn.ts';
import type { Records } from '../../../lib/ports/records.ts';
import { startPipeline } from '../../support/pipeline.ts';
import { longestSlice, MOST_SLICE_MS } from '../../support/processes/longest-slice.ts';
import { dataUrl, png } from '../../support/samples/pictures.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const ANN: Caller = { id: 'ann', role: 'viewer', workspaceIds: null };
const BEN: Caller = { ...ANN, id: 'ben' };
const { ports: stores, makeWorkspace } = await startPipeline();
const folder = await tempFolder();
const ports = {
  ...stores,
  objects: diskObjects(folder, () => Promise.reject(new Error('no uploads here'))),
};

/** Starts a conversation whose question has just been accepted. */
async function begin(id: string, caller = ANN) {
  const workspace = await makeWorkspace();
  const asked = { id, messages: [{ role: 'user' as const, text: 'Which?' }] };
  const plan = await planTurn(ports, caller, workspace.id, asked);
  const turn = await claimTurn(ports, caller.id, { workspaceId: workspace.id, id }, plan);
  await turn.kept;
  return { workspace: { ...workspace, name: 'w', createdAt: '' }, conversation: turn.conversation };
}

const note = (text: string) => readAttachment(Buffer.from(text), { name: 'a.txt', mediaType: '' }, '');

/** Returns every object below the workspace's prefix. */
async function keptOf(workspaceId: string): Promise<string[]> {
  return readdir(join(folder, 'attachments', workspaceId), { recursive: true }).catch(() => []);
}

/** A store during whose writes the process dies. */
const dying: Records = {
  ...ports.records,
  put: () => Promise.reject(new Error('killed')),
};

describe('attachment', () => {
  it('is deleted with its conversation, or its workspace, if the process died before the message', async () => {
    const { conversation } = await begin('dies');
    const { workspaceId } = conversation;
    const dead = keepAttachments({ ...ports, records: dying }, conversation, [await note('one')]);
    await expect(dead).rejects.toThrow('killed');
    expect((await keptOf(workspaceId)).length).toBeGreaterThan(0);
    await deleteConversation(ports, ANN, 'dies');
    expect(await keptOf(workspaceId)).toEqual([]);
    await keepAttachments({ ...ports, records: dying }, conversation, [await note('late')]).catch(() => {});
    await dropConversations(ports.objects)(ports.records, workspaceId);
    expect(await keptOf(workspaceId)).toEqual([]);
  });

  it('is not stored for a conversation that was deleted in the meantime', async () => {
    const { conversation } = await begin('gone');
    await deleteConversation(ports, ANN, 'gone');
    await keepAttachments(ports, conversation, [await note('one')]);
    expect(await keptOf(conversation.workspaceId)).toEqual([]);
  });

  it.each(['workspace:', '/api/conversations/'])(
    'is rejected quickly if its path has megabytes after %s',
    async (start) => {
      const workspace = { ...(await makeWorkspace()), name: 'w', createdAt: '' };
      const part = { url: start + '../'.repeat(1_950_000) };
      const ms = await longestSlice(async () => {
        const file = fetchFile(ports, { workspace, conversation: undefined }, part);
        await expect(file).rejects.toMatchObject({ status: 400, code: 'invalid_value' });
      });
      expect(ms).toBeLessThan(MOST_SLICE_MS);
    },
  );

  it('is rejected if the conversation is full, unless the conversation already contains it', async () => {
    const { conversation } = await begin('full');
    const one = await note('one');
    const many = Array.from({ length: MAX_KEPT_FILES - 1 }, (_, at) => ({ ...one, hash: String(at) }));
    await keepAttachments(ports, conversation, [one, ...many]);
    await requireRoomFor(ports, conversation, [one]);
    const more = requireRoomFor(ports, conversation, [await note('two')]);
    await expect(more).rejects.toMatchObject({ status: 409 });
  });

  it('is rejected in any conversation while the quota of its owner is used up', async () => {
    const [one, two, three] = [await note('one'), await note('two'), await note('six')];
    const quota = { ...ports, attachmentQuotaBytes: one.bytes.length + two.bytes.length };
    const { conversation: first } = await begin('quota-1', BEN);
    const { conversation: second } = await begin('quota-2', BEN);
    await keepAttachments(ports, first, [one]);
    await keepAttachments(ports, second, [two]);
    await requireRoomFor(quota, second, [two]); // already stored
    await expect(requireRoomFor(quota, second, [three])).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(/Your attachments would take .* ATTACHMENTS_QUOTA_MB/),
    });
    await requireRoomFor(quota, { ...second, ownerId: 'another' }, [three]);
    await deleteConversation(ports, BEN, 'quota-1');
    await requireRoomFor(quota, second, [three]);
  });

  it('is fetched by a URL that can contain any ID', () => {
    const id = 'a b/?#%';
    const hash = '0'.repeat(64);
    expect(readAddress(addressOf(id, hash))).toEqual({ conversationId: id, hash });
    for (const odd of ['/x', '?a', '0']) expect(readAddress(`${addressOf(id, hash)}${odd}`)).toBeUndefined();
    expect(readAddress(`https://a.example${addressOf(id, hash)}`)).toBeUndefined();
  });
});

describe('attachments of earlier messages', () => {
  it('are shown as far as they fit, newest first', async () => {
    const { workspace } = await begin('long');
    const picture = (side: number) => ({
      url: dataUrl(png(side, side), 'image/png'),
      filename: `${side}.png`,
    });
    const messages = Array.from({ length: 13 }, (_, at) => [picture(at + 1)]);
    const found = (await attachEarlier(ports, { workspace }, messages, [])).flat();
    const gone = found.flatMap((each) => ('gone' in each ? [each.name] : []));
    expect(gone).toEqual(['1.png', '2.png', '3.png']);
  });

  it('leave the context before anything else, oldest first', () => {
    const attached = (name: string) => [{ name, text: 'x'.repeat(1000) }];
    const messages = [
      { role: 'user' as const, content: 'one', attachments: attached('a') },
      { role: 'assistant' as const, content: 'said' },
      { role: 'user' as const, content: 'two', attachments: attached('b') },
      { role: 'user' as const, content: 'three', attachments: attached('c') },
    ];
    const names = (limit: number) =>
      fitContext(messages, limit).flatMap((message) =>
        message.role === 'user' ? (message.attachments ?? []).map(({ text }) => text.slice(0, 21)) : [],
      );
    const [whole, left] = ['x'.repeat(21), '[The attachment "a" w'];
    expect(names(2500)).toEqual([left, whole, whole]);
    expect(names(1500)).toEqual([left, left.replace('"a"', '"b"'), whole]);
    expect(fitContext(messages, 1500).map(({ content }) => content)).toEqual(['one', 'said', 'two', 'three']);
  });
});
