import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Caller, LOCAL } from '../../lib/access/caller.ts';
import { AUDIT, auditEntries } from '../../lib/audit/schema.ts';
import {
  addMemory,
  changeMemory,
  deleteMemory,
  dropMemories,
  dropMemoriesOf,
  listMemories,
} from '../../lib/memories/memories.ts';
import { findKnownFacts } from '../../lib/memories/prompt-facts.ts';
import { MAX_FACTS } from '../../lib/memories/schema.ts';
import type { Clock } from '../../lib/ports/clock.ts';
import type { Records } from '../../lib/ports/records.ts';
import { type Workspace, workspaces } from '../../lib/workspaces/schema.ts';
import { killable } from '../support/processes/killable.ts';
import { tempFolder } from '../support/temp-folder.ts';

const BEGAN = Date.parse('2026-11-30T12:00:00.000Z');

/** Facts of people and workspaces, on a store of records. */
export function describeMemories(name: string, open: (clock: Clock) => Promise<Records>): void {
  describe(`memories on ${name}`, () => {
    let now = BEGAN;
    const clock = { now: () => now };
    const store = open(clock);
    let ports: { records: Records; clock: Clock };
    let ann: Caller;
    let place: Workspace;

    beforeEach(async () => {
      now = BEGAN;
      ports = { records: await store, clock };
      ann = { id: `ann-${randomUUID()}`, role: 'member', workspaceIds: null };
      place = await makeWorkspace();
    });

    async function makeWorkspace(fields: Partial<Workspace> = {}): Promise<Workspace> {
      const createdAt = new Date(now).toISOString();
      const made = { id: randomUUID(), name: 'w', rootPath: await tempFolder(), createdAt, ...fields };
      await workspaces.create(ports.records, made);
      return made;
    }

    const texts = async (caller: Caller, workspace?: Workspace) =>
      (await listMemories(ports.records, caller, workspace)).map(({ text }) => text);

    it('lists, changes, and deletes the facts of a person, and of a workspace', async () => {
      const own = await addMemory(ports, ann, undefined, { text: 'I use SI units.' });
      const common = await addMemory(ports, ann, place, { text: 'Site B is the tower.' });
      expect(own).toEqual({
        ...{ id: expect.stringMatching(/^person-[0-9a-f]{16}$/), scope: 'person', workspaceId: null },
        ...{ text: 'I use SI units.', shared: false, createdBy: ann.id },
        ...{ createdAt: '2026-11-30T12:00:00.000Z', updatedAt: '2026-11-30T12:00:00.000Z' },
      });
      expect(common).toMatchObject({ scope: 'workspace', workspaceId: place.id, shared: true });
      await addMemory(ports, ann, undefined, { text: 'I read German.' });
      expect(await texts(ann)).toEqual(['I read German.', 'I use SI units.']);
      const changed = await changeMemory(ports, ann, own.id, { text: 'I use feet.', shared: true });
      expect(changed).toMatchObject({ id: own.id, text: 'I use feet.', shared: true });
      expect(await changeMemory(ports, ann, common.id, { shared: false })).toMatchObject({ shared: true });
      await deleteMemory(ports, ann, own.id);
      await deleteMemory(ports, ann, common.id);
      expect([await texts(ann), await texts(ann, place)]).toEqual([['I read German.'], []]);
      for (const id of [own.id, common.id, 'person-1', 'x', `${randomUUID()}-0123456789abcdef`])
        await expect(deleteMemory(ports, ann, id)).rejects.toMatchObject({ status: 404 });
    });

    it('uses facts of a person in shared answers by default only without sign-in', async () => {
      const local: Caller = { id: LOCAL, role: 'admin', workspaceIds: null };
      const text = `From ${randomUUID()}.`;
      expect(await addMemory(ports, local, undefined, { text })).toMatchObject({ shared: true });
      expect(await addMemory(ports, ann, undefined, { text })).toMatchObject({ shared: false });
    });

    it('returns a fact that is already saved, and stores no more than the limit, however many add at once', async () => {
      const add = (text: string) => addMemory(ports, ann, place, { text });
      const [one, again] = [await add('The same.'), await add('The same.')];
      expect(again).toEqual(one);
      for (let at = 2; at < MAX_FACTS; at++) await add(`Fact ${at}.`);
      const racing = await Promise.allSettled(['a', 'b', 'c', 'd'].map((text) => add(text)));
      const codes = racing.map((each) => (each.status === 'rejected' ? each.reason.code : 'added'));
      expect(codes.sort()).toEqual(['added', ...Array(3).fill('too_many_memories')]);
      expect(await texts(ann, place)).toHaveLength(MAX_FACTS);
    });

    it('loses no change of another writer', async () => {
      const { id, updatedAt } = await addMemory(ports, ann, place, { text: 'One.' });
      const first = await changeMemory(ports, ann, id, { text: 'Two.', ifUpdatedAt: updatedAt });
      expect(first.updatedAt > updatedAt).toBe(true); // also in the same millisecond
      const late = changeMemory(ports, ann, id, { text: 'Three.', ifUpdatedAt: updatedAt });
      await expect(late).rejects.toMatchObject({ code: 'changed_since_read', field: 'ifUpdatedAt' });
      const both = [
        changeMemory(ports, ann, id, { text: 'Four.' }),
        addMemory(ports, ann, place, { text: 'Five.' }),
      ];
      await Promise.all(both);
      expect((await texts(ann, place)).sort()).toEqual(['Five.', 'Four.']);
    });

    it('lets only members of a workspace write its facts, and only the person their own', async () => {
      const list = [
        { subject: ann.id, role: 'member' as const },
        { subject: 'reader', role: 'viewer' as const },
      ];
      const closed = await makeWorkspace({ members: list });
      const reader: Caller = { ...ann, id: 'reader' };
      const stranger: Caller = { ...ann, id: 'stranger' };
      const common = await addMemory(ports, ann, closed, { text: 'A secret of the group.' });
      const own = await addMemory(ports, ann, undefined, { text: 'A secret of Ann.' });
      for (const caller of [reader, stranger]) {
        await expect(addMemory(ports, caller, closed, { text: 'x' })).rejects.toMatchObject({ status: 403 });
        const change = changeMemory(ports, caller, common.id, { text: 'x' });
        await expect(change).rejects.toMatchObject({ status: 403 });
        await expect(deleteMemory(ports, caller, common.id)).rejects.toMatchObject({ status: 403 });
        await expect(deleteMemory(ports, caller, own.id)).rejects.toMatchObject({ status: 404 });
        await expect(changeMemory(ports, caller, own.id, { text: 'x' })).rejects.toMatchObject({
          status: 404,
        });
        expect(await texts(caller)).toEqual([]);
      }
      expect(await texts(ann, closed)).toEqual(['A secret of the group.']);
    });

    it('reads the facts for a question about several workspaces at once, and the own ones that may be used', async () => {
      const [second, third] = [await makeWorkspace({ name: 'A "B"\n' }), await makeWorkspace()];
      await addMemory(ports, ann, undefined, { text: 'Private [1].' });
      await addMemory(ports, ann, undefined, { text: 'For all.', shared: true });
      await addMemory(ports, ann, place, { text: 'Of the first.' });
      await addMemory(ports, ann, second, { text: 'Of the second.' });
      await addMemory(ports, ann, third, { text: 'Of the third.' });
      const asked = { callerId: ann.id, workspaces: [place, second] };
      const read = async (own: 'all' | 'shared' | 'none') =>
        (await findKnownFacts(ports.records, { ...asked, own })).map((each) => each.texts);
      const ofBoth = [['Of the first.'], ['Of the second.']];
      const sorted = async (own: 'all' | 'shared' | 'none') => (await read(own)).slice(-2).sort();
      expect((await read('all'))[0]).toEqual(['For all.', 'Private (1).']);
      expect((await read('shared'))[0]).toEqual(['For all.']);
      expect((await read('none')).sort()).toEqual(ofBoth);
      expect([await sorted('all'), await sorted('shared')]).toEqual([ofBoth, ofBoth]);
      const stranger = { ...asked, callerId: 'stranger', own: 'all' as const };
      const known = await findKnownFacts(ports.records, stranger);
      expect(known.map((each) => each.texts).sort()).toEqual(ofBoth);
      expect(known.map(({ label }) => label)).toContain(String.raw`Of the workspace "A \"B\"\n":`);
    });

    it('removes the facts of a deleted workspace, and those of an erased person', async () => {
      await addMemory(ports, ann, place, { text: 'Common.' });
      await addMemory(ports, ann, undefined, { text: 'Own.' });
      await dropMemories(ports.records, place.id);
      await dropMemories(ports.records, place.id);
      expect([await texts(ann, place), await texts(ann)]).toEqual([[], ['Own.']]);
      expect([
        await dropMemoriesOf(ports.records, ann.id),
        await dropMemoriesOf(ports.records, ann.id),
      ]).toEqual([true, false]);
      expect(await texts(ann)).toEqual([]);
    });

    it('audits each change with the ID of the fact, never with its text', async () => {
      const { id } = await addMemory(ports, ann, place, { text: 'Confidential owls.' });
      await changeMemory(ports, ann, id, { text: 'Confidential hawks.' });
      await deleteMemory(ports, ann, id);
      await expect(deleteMemory(ports, ann, id)).rejects.toMatchObject({ status: 404 });
      const reader: Caller = { ...ann, role: 'viewer' };
      await expect(addMemory(ports, reader, place, { text: 'x' })).rejects.toMatchObject({ status: 403 });
      const entries = await Array.fromAsync(auditEntries.all(ports.records, { partition: AUDIT }));
      const own = entries.filter(({ actor, workspaceId }) => actor === ann.id && workspaceId === place.id);
      expect(own.map(({ action, outcome, about }) => [action, outcome, about === id])).toEqual([
        ['memories.add', 'done', true],
        ['memories.change', 'done', true],
        ['memories.delete', 'done', true],
        ['memories.delete', 'refused', true],
        ['memories.add', 'refused', false],
      ]);
      expect(JSON.stringify(entries)).not.toContain('Confidential');
    });

    /** Adds a fact in a process that is killed at a call; returns whether it reached its end. */
    async function addKilled(lives: number): Promise<boolean> {
      const process = killable(ports, ['records'], lives);
      const work = addMemory(process.ports, ann, place, { text: 'Added.' });
      work.catch(() => undefined);
      const ended = await Promise.race([work.then(() => true), process.died.then(() => false)]);
      process.bury();
      return ended;
    }

    it('has each fact whole or not at all if the process is killed at any call, and a repetition adds none twice', async () => {
      const silenced = jest.spyOn(process.stdout, 'write').mockReturnValue(true); // dead processes report it
      await addMemory(ports, ann, place, { text: 'Before.' });
      let hasEnded = false;
      for (let lives = 0; !hasEnded; lives++) {
        hasEnded = await addKilled(lives);
        expect(['Added.,Before.', 'Before.']).toContain(String(await texts(ann, place)));
        const { id } = await addMemory(ports, ann, place, { text: 'Added.' });
        expect(await texts(ann, place)).toEqual(['Added.', 'Before.']);
        await deleteMemory(ports, ann, id);
        now += 1;
      }
      silenced.mockRestore();
    });
  });
}
