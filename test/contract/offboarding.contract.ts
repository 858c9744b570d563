import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Caller, LOCAL } from '../../lib/access/caller.ts';
import type { Member } from '../../lib/access/members.ts';
import { diskObjects } from '../../lib/adapters/disk/objects.ts';
import { AUDIT, auditEntries } from '../../lib/audit/schema.ts';
import { findAttachment, keepAttachments } from '../../lib/conversations/attachments/keep.ts';
import { readMessages } from '../../lib/conversations/branches.ts';
import { changeConversation, deleteConversation } from '../../lib/conversations/change.ts';
import { findConversation, findOwn } from '../../lib/conversations/find.ts';
import { listConversations } from '../../lib/conversations/list.ts';
import { textOf, toMessage } from '../../lib/conversations/messages.ts';
import {
  type Conversation,
  conversationPartition,
  conversations,
  handOvers,
  keyOf,
  members,
} from '../../lib/conversations/schema.ts';
import { claimTurn } from '../../lib/conversations/turn/claim-turn.ts';
import { endTurn } from '../../lib/conversations/turn/end-turn.ts';
import { planTurn } from '../../lib/conversations/turn/plan-turn.ts';
import { feedbackOf, giveFeedback } from '../../lib/feedback/feedback.ts';
import { addMemory, listMemories } from '../../lib/memories/memories.ts';
import { exportPerson } from '../../lib/offboarding/export.ts';
import { listHoldings } from '../../lib/offboarding/holdings.ts';
import { findOffboarding, requestErasure, requestHandOver } from '../../lib/offboarding/request.ts';
import { offboardingKey } from '../../lib/offboarding/schema.ts';
import { sweepOffboardings } from '../../lib/offboarding/sweep.ts';
import { workOnOffboarding } from '../../lib/offboarding/work.ts';
import { people } from '../../lib/people/schema.ts';
import type { Clock } from '../../lib/ports/clock.ts';
import type { Queue } from '../../lib/ports/queue.ts';
import type { Records } from '../../lib/ports/records.ts';
import { stopTask } from '../../lib/tasks/owner.ts';
import { tasks } from '../../lib/tasks/schema.ts';
import { createTask } from '../../lib/tasks/tasks.ts';
import { changeToken } from '../../lib/tokens/change.ts';
import { listPeople } from '../../lib/tokens/list-people.ts';
import { rotateToken } from '../../lib/tokens/rotate.ts';
import { createToken, findToken, revokeToken } from '../../lib/tokens/tokens.ts';
import { workspaces } from '../../lib/workspaces/schema.ts';
import { killable } from '../support/processes/killable.ts';
import { ADMIN } from '../support/tasks.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ALL = ['conversations' as const, 'tasks' as const, 'workspaces' as const];

/** Handing over and erasing what a person owns, on a store of records. */
export function describeOffboarding(name: string, open: (clock: Clock) => Promise<Records>): void {
  describe(`offboarding on ${name}`, () => {
    let now: number;
    const clock = { now: () => now };
    const sent: unknown[] = [];
    const agentQueue = { send: async (all: unknown[]) => void sent.push(...all) } as unknown as Queue;
    const objects = tempFolder().then((folder) =>
      diskObjects(folder, () => Promise.reject(new Error('no uploads here'))),
    );
    const store = open(clock);
    const touched: string[] = [];
    const filesChanged = async (workspaceId: string) => void touched.push(workspaceId);

    async function portsOf() {
      return { records: await store, objects: await objects, clock, agentQueue, filesChanged };
    }
    let ports: Awaited<ReturnType<typeof portsOf>>;

    beforeEach(async () => {
      now = Date.now();
      ports = await portsOf();
    });

    async function join(name: string): Promise<Caller> {
      const { id } = await createToken(ports, ADMIN, { name, role: 'member' });
      return { id, role: 'member', workspaceIds: null };
    }

    async function makeWorkspace(members: Member[] = []) {
      const rootPath = await tempFolder();
      const createdAt = new Date(now).toISOString();
      const workspace = { id: randomUUID(), name: 'w', rootPath, createdAt, members };
      await workspaces.create(ports.records, workspace);
      return workspace;
    }
    type Made = Awaited<ReturnType<typeof makeWorkspace>>;

    async function ask(
      caller: Caller,
      { id: workspaceId }: Made,
      id: string,
      text: string,
    ): Promise<Conversation> {
      const plan = await planTurn(ports, caller, workspaceId, { id, messages: [{ role: 'user', text }] });
      const turn = await claimTurn(ports, caller.id, { workspaceId, id }, plan);
      await turn.kept;
      const answer = { id: turn.id, role: 'assistant' as const, parts: [{ type: 'text', text: 'Yes.' }] };
      await endTurn(ports, turn.conversation, answer, plan.question);
      return findConversation(ports.records, caller, id);
    }

    async function attach(whose: Conversation): Promise<void> {
      const file = { hash: 'a'.repeat(64), name: 'a.txt', mediaType: 'text/plain', isCut: false };
      await keepAttachments(ports, whose, [{ ...file, bytes: Buffer.from('owls'), text: 'owls' }]);
    }

    async function schedule(caller: Caller, { id }: Made) {
      const workspace = await workspaces.get(ports.records, { id });
      const plain = { name: 'nightly', taskType: 'source_sync', schedule: '0 3 * * *' } as const;
      const rest = { timezone: 'UTC', config: null, isEnabled: true };
      return createTask(ports, caller, workspace ?? null, { ...plain, ...rest });
    }

    async function texts(caller: Caller, id: string): Promise<string[]> {
      const kept = await readMessages(ports.records, await findConversation(ports.records, caller, id));
      return kept.map((each) => textOf(toMessage(each)));
    }

    async function listed(caller: Caller, { id: workspaceId }: Made): Promise<string[]> {
      const { items } = await listConversations(ports.records, caller, { workspaceId, limit: 100 });
      return items.map(({ id }) => id).sort();
    }

    async function holdings(personId: string) {
      const found = [];
      let cursor: string | undefined;
      do {
        const page = await listHoldings(ports, ADMIN, { personId, limit: 100, cursor });
        found.push(...page.items);
        cursor = page.cursor;
      } while (cursor !== undefined);
      return found;
    }

    /** Continues until the request is finished, a minute per pass. */
    async function finish(personId: string, passMs?: number) {
      for (let passes = 0; passes < 1000; passes++) {
        const { key } = await findOffboarding(ports.records, ADMIN, personId);
        await workOnOffboarding(ports, key, passMs);
        const state = await findOffboarding(ports.records, ADMIN, personId);
        if (state.finishedAt !== null) return state;
        now += 61_000;
      }
      throw new Error('it never finished');
    }

    async function audit(personId: string): Promise<string[]> {
      const entries = await Array.fromAsync(auditEntries.all(ports.records, { partition: AUDIT }));
      const about = entries.filter(({ about: text }) => text?.includes(personId));
      return about.map(({ action, outcome, actor }) => `${actor} ${action} ${outcome}`);
    }

    /** Ann owns something of each kind, in a workspace that Ben may use, and a chat in another workspace. */
    async function team() {
      const [ann, ben, cat] = [await join('ann'), await join('ben'), await join('cat')];
      const list: Member[] = [
        { subject: ann.id, role: 'admin' },
        { subject: ben.id, role: 'member' },
      ];
      const place = await makeWorkspace(list);
      const other: Member[] = [
        { subject: ann.id, role: 'member' },
        { subject: cat.id, role: 'admin' },
      ];
      const closed = await makeWorkspace(other);
      const own = await ask(ann, place, `own-${ann.id}`, 'Of Ann');
      await attach(own);
      await ask(ann, place, `shown-${ann.id}`, 'To all');
      const mine = { title: undefined, pinned: undefined, shared: true };
      await changeConversation(ports.records, ann, `shown-${ann.id}`, mine);
      await ask(ann, closed, `closed-${ann.id}`, 'Not for Ben');
      const task = await schedule(ann, place);
      const ids = { own: `own-${ann.id}`, shown: `shown-${ann.id}`, closed: `closed-${ann.id}` };
      return { ann, ben, cat, place, closed, own, task, ids };
    }

    it('shows what a person owns, and the workspaces where the person is the only administrator', async () => {
      const { ann, cat, place, closed, task } = await team();
      const [inClosed, inPlace] = (await holdings(ann.id)).toSorted(
        (a, b) => a.conversations - b.conversations,
      );
      const named = [{ id: task.id, name: 'nightly' }];
      const here = {
        workspaceId: place.id,
        conversations: 2,
        tasks: named,
        isMember: true,
        isOnlyAdmin: true,
      };
      expect(inPlace).toMatchObject(here);
      const there = {
        workspaceId: closed.id,
        conversations: 1,
        tasks: [],
        isMember: true,
        isOnlyAdmin: false,
      };
      expect(inClosed).toMatchObject(there);
      await expect(listHoldings(ports, cat, { personId: ann.id, limit: 9 })).rejects.toMatchObject({
        status: 403,
      });
      await workspaces.update(ports.records, place, {
        set: { members: [...place.members, { subject: cat.id, role: 'admin' }] },
      });
      const isOnly = async () => (await holdings(ann.id)).some((each) => each.isOnlyAdmin);
      expect(await isOnly()).toBe(true); // the other entry's token has the role member
      await changeToken(ports, ADMIN, cat.id, { role: 'admin' });
      expect(await isOnly()).toBe(false);
      await changeToken(ports, ADMIN, cat.id, { workspaceIds: [closed.id] });
      expect(await isOnly()).toBe(true);
      await changeToken(ports, ADMIN, cat.id, { workspaceIds: null });
      expect(await isOnly()).toBe(false);
      await revokeToken(ports, ADMIN, cat.id);
      expect(await isOnly()).toBe(true);
    });

    it('finds what the local user owns under a token that continues it', async () => {
      const token = await createToken(ports, ADMIN, { name: 'me', role: 'member' }, LOCAL);
      const ben = await join('ben');
      const place = await makeWorkspace();
      await ask({ id: LOCAL, role: 'member', workspaceIds: null }, place, `local-${token.id}`, 'Mine');
      expect(await holdings(token.id)).toMatchObject([{ workspaceId: place.id, conversations: 1 }]);
      const { items } = await listPeople(ports, ADMIN, { limit: 1000 });
      expect(items.find(({ name }) => name === 'me')?.id).toBe(LOCAL);
      await requestHandOver(ports, ADMIN, { personId: token.id, to: ben.id, kinds: ALL });
      await revokeToken(ports, ADMIN, token.id);
      await finish(LOCAL);
      expect(await holdings(token.id)).toEqual([]);
    });

    it('hands over conversations, tasks, and member lists, except those that the receiver may not use', async () => {
      const { ann, ben, place, closed, own, task, ids } = await team();
      await revokeToken(ports, ADMIN, ann.id);
      const stored = await tasks.get(ports.records, task);
      if (stored) await stopTask(ports, stored, 'The token was revoked.');
      expect(await tasks.get(ports.records, task)).toMatchObject({ isEnabled: false, nextRunAt: null });
      await requestHandOver(ports, ADMIN, { personId: ann.id, to: ben.id, kinds: ALL });
      expect(sent.at(-1)).toEqual({ body: { runId: '', leaver: offboardingKey(ann.id).key } });
      const state = await finish(ann.id);
      expect(state.done).toEqual({ conversations: 2, tasks: 1, workspaces: 1 });
      expect(state.left).toEqual({ conversations: 1, tasks: 0, workspaces: 0 });
      expect(await listed(ben, place)).toEqual([ids.own, ids.shown]);
      expect(await texts(ben, ids.own)).toEqual(['Of Ann', 'Yes.']);
      expect((await workspaces.get(ports.records, place))?.members).toEqual([
        { subject: ben.id, role: 'admin' },
      ]);
      expect((await workspaces.get(ports.records, closed))?.members).toEqual(closed.members);
      const moved = await tasks.get(ports.records, task);
      expect(moved).toMatchObject({ isEnabled: true, stoppedAt: null, savedBy: { id: ben.id } });
      expect(moved?.nextRunAt).toBe(task.nextRunAt);
      await expect(findConversation(ports.records, ann, ids.own)).rejects.toMatchObject({ status: 404 });
      expect(await findAttachment(ports, own, 'a'.repeat(64))).toMatchObject({ stored: { ownerId: ben.id } });
      expect(await audit(ann.id)).toContain('service people.hand-over done');
      expect(await audit(task.id)).toContain('service tasks.stop done');
    });

    it('lets the receiver continue, share, hand over, and delete a conversation', async () => {
      const { ann, ben, cat, place, own, ids } = await team();
      await requestHandOver(ports, ADMIN, {
        personId: ann.id,
        to: ben.id,
        kinds: ['conversations', 'workspaces'],
      });
      await finish(ann.id);
      await ask(ben, place, ids.own, 'And Ben');
      expect(await texts(ben, ids.own)).toEqual(['Of Ann', 'Yes.', 'And Ben', 'Yes.']);
      const shared = { title: 'His', pinned: undefined, shared: true };
      await changeConversation(ports.records, ben, ids.own, shared);
      const members: Member[] = [ben, cat].map(({ id: subject }) => ({ subject, role: 'admin' }));
      await workspaces.update(ports.records, place, { set: { members } });
      await requestHandOver(ports, ADMIN, { personId: ben.id, to: cat.id, kinds: ['conversations'] });
      await finish(ben.id);
      expect(await handOvers.get(ports.records, { key: keyOf(ben.id, ids.own) })).toBeUndefined();
      expect((await findOwn(ports.records, cat, ids.own))?.key).toBe(own.key);
      await deleteConversation(ports, cat, ids.own);
      expect(await conversations.get(ports.records, own)).toBeUndefined();
      expect(await isListed(own)).toBe(false);
      expect(await handOvers.get(ports.records, { key: keyOf(cat.id, ids.own) })).toBeUndefined();
      expect(await findAttachment(ports, own, 'a'.repeat(64))).toBeUndefined();
    });

    async function isListed({ workspaceId, key }: Conversation): Promise<boolean> {
      return (await members.get(ports.records, { workspaceId, key })) !== undefined;
    }

    /**
     * Works on a request. Each life is killed at a later call, until one gets to the end. Returns the number
     * of kills.
     */
    async function workKilled(key: string, check = async () => {}): Promise<number> {
      for (let lives = 1; ; lives++) {
        const process = killable(ports, ['records', 'objects'], lives);
        const work = workOnOffboarding(process.ports, key);
        work.catch(() => undefined);
        const ended = await Promise.race([work.then(() => true), process.died.then(() => false)]);
        process.bury();
        await check();
        if (ended) return lives - 1;
      }
    }

    it('gives each conversation exactly one owner and loses nothing, even if it is killed at any call', async () => {
      const { ann, ben, place, ids, task } = await team();
      await requestHandOver(ports, ADMIN, { personId: ann.id, to: ben.id, kinds: ALL });
      const { key } = offboardingKey(ann.id);
      const kills = await workKilled(key, async () => {
        const owners = await Promise.all([ann, ben].map((each) => findOwn(ports.records, each, ids.own)));
        expect(owners.filter((each) => each !== undefined)).toHaveLength(1);
      });
      expect(kills).toBeGreaterThan(10); // more if earlier tests created workspaces
      await finish(ann.id);
      expect(await listed(ben, place)).toEqual([ids.own, ids.shown]);
      expect(await texts(ben, ids.own)).toEqual(['Of Ann', 'Yes.']);
      expect(await tasks.get(ports.records, task)).toMatchObject({ savedBy: { id: ben.id } });
    });

    it('erases a person even if it is killed at any call, except if a list would lose its last administrator', async () => {
      const { ann, ben, place, closed, own, task, ids } = await team();
      await expect(requestErasure(ports, ADMIN, ann.id)).rejects.toMatchObject({ code: 'person_active' });
      await addMemory(ports, ann, undefined, { text: 'I use SI units.' });
      await addMemory(ports, ann, place, { text: 'Site B is the tower.' });
      await revokeToken(ports, ADMIN, ann.id);
      await ask(ben, place, `shared-${ben.id}`, 'Of Ben');
      const shared = { title: undefined, pinned: undefined, shared: true };
      const bens = await changeConversation(ports.records, ben, `shared-${ben.id}`, shared);
      const [, answer] = await readMessages(ports.records, bens);
      const rated = { conversationId: bens.id, messageId: answer?.id ?? '' };
      await giveFeedback(ports, ann, rated, { rating: 'up', reasons: [], comment: '' });
      expect(await Array.fromAsync(feedbackOf(ports.records, ann.id))).toHaveLength(1);
      await requestErasure(ports, ADMIN, ann.id);
      const { key } = offboardingKey(ann.id);
      await workKilled(key);
      const state = await finish(ann.id);
      expect(await listMemories(ports.records, ann)).toEqual([]);
      expect(await listMemories(ports.records, ben, place)).toHaveLength(1);
      expect(state.left).toEqual({ conversations: 0, tasks: 0, workspaces: 1 });
      expect(await listed(ben, place)).toEqual([bens.id]);
      expect(await Array.fromAsync(feedbackOf(ports.records, ann.id))).toEqual([]);
      const partition = conversationPartition(own.key);
      expect(await ports.records.query({ partition })).toMatchObject({ records: [] });
      expect(await isListed(own)).toBe(false);
      expect(await findAttachment(ports, own, 'a'.repeat(64))).toBeUndefined();
      await expect(findConversation(ports.records, ann, ids.closed)).rejects.toMatchObject({ status: 404 });
      expect(await tasks.get(ports.records, task)).toBeUndefined();
      expect((await workspaces.get(ports.records, place))?.members).toEqual(place.members);
      expect((await workspaces.get(ports.records, closed))?.members).toEqual(closed.members.slice(1));
      expect(await people.get(ports.records, ann)).toBeUndefined();
      expect((await findToken(ports.records, ann.id))?.name).toBe('erased');
      expect(await audit(ann.id)).toContain('service people.erase done');
    });

    it('leaves no way back for the expired token of an erased person', async () => {
      const expiresAt = new Date(now + 60_000).toISOString();
      const { id } = await createToken(ports, ADMIN, { name: 'ann', role: 'member', expiresAt });
      now += 60_000;
      await requestErasure(ports, ADMIN, id);
      await finish(id);
      const renewed = rotateToken(ports, ADMIN, id, { overlapHours: 0, expiresAt: null });
      await expect(renewed).rejects.toMatchObject({ code: 'token_ended' });
    });

    it('hands over between users of an issuer, with their groups', async () => {
      const [sub, other] = [`https://issuer.example|${randomUUID()}`, `ben ${randomUUID()}@example.org`];
      const seen = {
        kind: 'user' as const,
        name: 'Ann',
        email: null,
        role: 'member' as const,
        workspaceIds: null,
      };
      const seenAt = new Date(now).toISOString();
      await people.put(ports.records, { id: sub, ...seen, seenAt });
      await people.put(ports.records, { id: other, ...seen, name: 'Ben', groups: ['owls'], seenAt });
      const place = await makeWorkspace([{ group: 'owls', role: 'member' }]);
      const ann: Caller = { id: sub, role: 'member', workspaceIds: null, groups: ['owls'] };
      const ben: Caller = { ...ann, id: other };
      await ask(ann, place, `oidc-${sub.length}`, 'Of Ann');
      const task = await schedule(ann, place);
      await requestHandOver(ports, ADMIN, { personId: sub, to: other, kinds: ALL });
      expect((await finish(sub)).left).toEqual({ conversations: 0, tasks: 0, workspaces: 0 });
      expect(await texts(ben, `oidc-${sub.length}`)).toEqual(['Of Ann', 'Yes.']);
      const savedBy = { id: other, role: 'member', workspaceIds: null, groups: ['owls'] };
      expect(await tasks.get(ports.records, task)).toMatchObject({ savedBy });
      await requestErasure(ports, ADMIN, sub);
      await finish(sub);
      expect(await people.get(ports.records, { id: sub })).toBeUndefined();
      expect(await people.get(ports.records, { id: other })).toMatchObject({ name: 'Ben' });
    });

    it("leaves a member list that excludes the receiver's credential, or for which the credential expires too soon", async () => {
      const { ann, place } = await team();
      const bound = { name: 'dan', role: 'admin' as const, workspaceIds: [randomUUID()] };
      const former = await join('eve');
      for (const to of [(await createToken(ports, ADMIN, bound)).id, former.id]) {
        await requestHandOver(ports, ADMIN, { personId: ann.id, to, kinds: ALL });
        if (to === former.id) await revokeToken(ports, ADMIN, to);
        const { done, left } = await finish(ann.id);
        expect([done.workspaces, left]).toEqual([0, { conversations: 3, tasks: 1, workspaces: 1 }]);
        expect((await workspaces.get(ports.records, place))?.members).toEqual(place.members);
      }
    });

    it('finishes even if no single pass has enough time', async () => {
      const { ann, ben } = await team();
      await requestHandOver(ports, ADMIN, { personId: ann.id, to: ben.id, kinds: ALL });
      const handedOver = await finish(ann.id, 0);
      expect(handedOver.done).toEqual({ conversations: 2, tasks: 1, workspaces: 1 });
      expect(handedOver.left).toEqual({ conversations: 1, tasks: 0, workspaces: 0 });
      await revokeToken(ports, ADMIN, ann.id);
      await requestErasure(ports, ADMIN, ann.id);
      const erased = await finish(ann.id, 0);
      expect(erased.done).toEqual({ conversations: 1, tasks: 0, workspaces: 1 });
      expect(await holdings(ann.id)).toEqual([]);
    });

    it('finds what belongs to a token that continues the time without sign-in', async () => {
      const owner: Caller = { id: LOCAL, role: 'admin', workspaceIds: null };
      const [one, other] = await Promise.all(
        ['one', 'other'].map((name) => createToken(ports, ADMIN, { name, role: 'admin' }, LOCAL)),
      );
      const [ben, place] = [await join('ben'), await makeWorkspace()];
      const personId = one?.id ?? '';
      await ask(owner, place, 'solo', 'Before the team');
      expect(await holdings(personId)).toMatchObject([{ workspaceId: place.id, conversations: 1 }]);
      await revokeToken(ports, ADMIN, personId);
      const active = { code: 'person_active' };
      await expect(requestErasure(ports, ADMIN, personId)).rejects.toMatchObject(active);
      await expect(requestErasure(ports, ADMIN, LOCAL)).rejects.toMatchObject(active);
      await requestHandOver(ports, ADMIN, { personId, to: ben.id, kinds: ALL });
      expect((await finish(personId)).done.conversations).toBe(1);
      expect(await texts(ben, 'solo')).toEqual(['Before the team', 'Yes.']);
      await revokeToken(ports, ADMIN, other?.id ?? '');
      await requestErasure(ports, ADMIN, personId);
      await finish(LOCAL);
    });

    it('rejects unknown and former receivers, and a second concurrent request', async () => {
      const { ann, ben, cat } = await team();
      const handOver = (to: string) => requestHandOver(ports, ADMIN, { personId: ann.id, to, kinds: ALL });
      await expect(handOver('nobody')).rejects.toMatchObject({ code: 'person_not_found' });
      await expect(handOver(ann.id)).rejects.toMatchObject({ code: 'invalid_value' });
      await revokeToken(ports, ADMIN, cat.id);
      await expect(handOver(cat.id)).rejects.toMatchObject({ code: 'person_gone' });
      await expect(
        requestHandOver(ports, ben, { personId: ann.id, to: ben.id, kinds: ALL }),
      ).rejects.toMatchObject({ status: 403 });
      const asked = await handOver(ben.id);
      expect((await handOver(ben.id)).askedAt).toBe(asked.askedAt);
      await revokeToken(ports, ADMIN, ann.id);
      await expect(requestErasure(ports, ADMIN, ann.id)).rejects.toMatchObject({
        code: 'offboarding_in_progress',
      });
      expect((await findToken(ports.records, ann.id))?.name).toBe('ann');
      await finish(ann.id);
      await requestErasure(ports, ADMIN, ann.id);
      await finish(ann.id);
    });

    it('is continued by the scheduler tick until it has finished', async () => {
      const { ann, ben } = await team();
      await requestHandOver(ports, ADMIN, { personId: ann.id, to: ben.id, kinds: ALL });
      sent.length = 0;
      await sweepOffboardings(ports);
      expect(sent).toEqual([]);
      now += 61_000;
      await sweepOffboardings(ports);
      expect(sent).toContainEqual({ body: { runId: '', leaver: offboardingKey(ann.id).key } });
      await finish(ann.id);
      sent.length = 0;
      now += 600_000;
      await sweepOffboardings(ports);
      expect(sent).toEqual([]);
    });

    it('exports a person in parts, each of which says whether it is the last', async () => {
      const { ann, ids } = await team();
      await addMemory(ports, ann, undefined, { text: 'I use SI units.' });
      const lines: { type: string; cursor?: string; id?: string }[] = [];
      let cursor: string | undefined;
      let parts = 0;
      do {
        const text = (await exportPerson(ports, ADMIN, { personId: ann.id, cursor }, 0).toArray()).join('');
        lines.push(
          ...text
            .trim()
            .split('\n')
            .map((each) => JSON.parse(each)),
        );
        cursor = lines.at(-1)?.cursor;
        parts += 1;
      } while (cursor !== undefined);
      const types = lines.map(({ type }) => type);
      expect(types.filter((type) => type === 'conversation')).toHaveLength(3);
      expect(types.filter((type) => type === 'membership')).toHaveLength(2);
      expect(types.slice(0, 3)).toEqual(['person', 'memory', 'task']);
      expect(lines[1]).toMatchObject({ text: 'I use SI units.' });
      expect(types.at(-1)).toBe('end');
      expect(parts).toBeGreaterThan(2);
      const found = lines.find(({ id }) => id === ids.own);
      expect(JSON.stringify(found)).toContain('Of Ann');
    });
  });
}
