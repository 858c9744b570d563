import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '../../lib/access/caller.ts';
import { diskObjects } from '../../lib/adapters/disk/objects.ts';
import { readBranches, readMessages } from '../../lib/conversations/branches.ts';
import { changeConversation, deleteConversation, dropConversations } from '../../lib/conversations/change.ts';
import { findConversation } from '../../lib/conversations/find.ts';
import { describeConversation, listConversations } from '../../lib/conversations/list.ts';
import { textOf, toMessage } from '../../lib/conversations/messages.ts';
import { conversations, membersPartition } from '../../lib/conversations/schema.ts';
import { claimTurn, type Turn } from '../../lib/conversations/turn/claim-turn.ts';
import { endTurn } from '../../lib/conversations/turn/end-turn.ts';
import { followAnswer } from '../../lib/conversations/turn/follow-answer.ts';
import { turnLeases } from '../../lib/conversations/turn/lease.ts';
import { type Asked, planTurn } from '../../lib/conversations/turn/plan-turn.ts';
import { endIfDead } from '../../lib/conversations/turn/stop-turn.ts';
import type { Clock } from '../../lib/ports/clock.ts';
import type { Objects } from '../../lib/ports/objects.ts';
import type { Records } from '../../lib/ports/records.ts';
import { openRecorder } from '../../lib/run-events/record-frames.ts';
import { workspaces } from '../../lib/workspaces/schema.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ANN: Caller = { id: 'ann', role: 'viewer', workspaceIds: null };
const BEN: Caller = { id: 'ben', role: 'admin', workspaceIds: null };

/** Returns a store whose process dies after this many writes. */
function dyingAfter(records: Records, writes: number): Records {
  let left = writes;
  const dying = <Name extends 'put' | 'update' | 'delete' | 'putMany' | 'deleteMany'>(name: Name) => {
    const write = records[name] as (...given: unknown[]) => Promise<unknown>;
    return (async (...given: unknown[]) => {
      left -= 1;
      if (left < 0) throw new Error('died');
      return write(...given);
    }) as unknown as Records[Name];
  };
  const changed = { put: dying('put'), update: dying('update'), delete: dying('delete') };
  return { ...records, ...changed, putMany: dying('putMany'), deleteMany: dying('deleteMany') };
}

/** The rules of conversations on a store of records. */
export function describeConversations(name: string, open: (clock: Clock) => Promise<Records>): void {
  describe(`conversations on ${name}`, () => {
    let offset = 0;
    const clock = { now: () => Date.now() + offset };
    let ports: { records: Records; objects: Objects; clock: Clock };
    let home: string;

    beforeAll(async () => {
      const objects = diskObjects(await tempFolder(), () => Promise.reject(new Error('no uploads here')));
      ports = { records: await open(clock), objects, clock };
      home = await makeWorkspace();
    });

    async function makeWorkspace(): Promise<string> {
      const id = randomUUID();
      const createdAt = new Date().toISOString();
      await workspaces.create(ports.records, { id, name: 'w', rootPath: await tempFolder(), createdAt });
      return id;
    }

    async function begin(caller: Caller, id: string, text: string, more: Partial<Asked> = {}): Promise<Turn> {
      const workspaceId = home;
      const messages = [{ id: undefined, role: 'user' as const, text }];
      const plan = await planTurn(ports, caller, workspaceId, { id, messages, ...more });
      const turn = await claimTurn(ports, caller.id, { workspaceId, id }, plan);
      await turn.kept;
      return turn;
    }

    async function ask(caller: Caller, id: string, text: string, answer: string, more: Partial<Asked> = {}) {
      const turn = await begin(caller, id, text, more);
      expect(await end(turn, answer)).toBe(true);
      return turn;
    }

    function end({ id, conversation, plan }: Turn, text: string): Promise<boolean> {
      const answer = { id, role: 'assistant' as const, parts: [{ type: 'text', text }] };
      return endTurn(ports, conversation, answer, plan.question);
    }

    async function texts(caller: Caller, id: string): Promise<string[]> {
      const found = await findConversation(ports.records, caller, id);
      return (await readMessages(ports.records, found)).map(toMessage).map(textOf);
    }

    async function branches(caller: Caller, id: string) {
      return readBranches(ports.records, await findConversation(ports.records, caller, id), 'all');
    }

    /** Expects that a page can get from the chosen branch to each message by choosing alternatives. */
    async function expectAllReachable(caller: Caller, id: string) {
      const { messages, branches: choices } = await branches(caller, id);
      const found = await findConversation(ports.records, caller, id);
      const reached = new Set((await readMessages(ports.records, found)).map(({ id }) => id));
      for (const other of Object.values(choices).flat()) reached.add(other);
      for (const { id, parentId } of messages)
        if (parentId !== null && reached.has(parentId)) reached.add(id);
      expect([...reached].sort()).toEqual(messages.map(({ id }) => id).sort());
    }

    async function listed(caller: Caller, q?: string, limit = 100, cursor?: string) {
      const query = { workspaceId: home, q, limit, ...(cursor && { cursor }) };
      const { items, ...rest } = await listConversations(ports.records, caller, query);
      return { ids: items.map(({ id }) => id), ...rest };
    }

    async function pages(caller: Caller, q: string | undefined): Promise<string[][]> {
      const found: string[][] = [];
      let cursor: string | undefined;
      do {
        const page = await listed(caller, q, 2, cursor);
        expect(page.ids.length).toBeLessThanOrEqual(2);
        found.push(page.ids);
        cursor = page.cursor;
      } while (cursor !== undefined);
      return found;
    }

    it('are separate per caller, even under the same ID', async () => {
      await ask(ANN, 'same', 'Of Ann', 'Yes.');
      await ask(BEN, 'same', 'Of Ben', 'No.');
      expect(await texts(ANN, 'same')).toEqual(['Of Ann', 'Yes.']);
      expect(await texts(BEN, 'same')).toEqual(['Of Ben', 'No.']);
      await expect(findConversation(ports.records, BEN, 'anns')).rejects.toMatchObject({ status: 404 });
    });

    it('can be read but not written by other members when they are shared', async () => {
      await ask(ANN, 'shown', 'Of Ann', 'Yes.');
      const mine = { title: undefined, pinned: undefined, shared: true };
      await expect(findConversation(ports.records, BEN, 'shown')).rejects.toMatchObject({ status: 404 });
      await changeConversation(ports.records, ANN, 'shown', mine);
      expect(await texts(BEN, 'shown')).toEqual(['Of Ann', 'Yes.']);
      expect((await listed(BEN)).ids).toContain('shown');
      expect((await listed(ANN)).ids).toContain('shown');
      await expect(begin(BEN, 'shown', 'Of Ben')).rejects.toMatchObject({ status: 403 });
      const taken = changeConversation(ports.records, BEN, 'shown', { ...mine, title: 'His' });
      await expect(taken).rejects.toMatchObject({ status: 403 });
      await expect(deleteConversation(ports, BEN, 'shown')).rejects.toMatchObject({ status: 403 });
      const elsewhere: Caller = { ...BEN, workspaceIds: ['another'] };
      await expect(findConversation(ports.records, elsewhere, 'shown')).rejects.toMatchObject({
        status: 403,
      });
      await changeConversation(ports.records, ANN, 'shown', { ...mine, shared: false });
      await expect(findConversation(ports.records, BEN, 'shown')).rejects.toMatchObject({ status: 404 });
      expect((await listed(BEN)).ids).not.toContain('shown');
    });

    it('are shared once per ID', async () => {
      for (const caller of [ANN, BEN]) await ask(caller, 'twice', 'q', 'a');
      await changeConversation(ports.records, ANN, 'twice', { shared: true });
      const second = changeConversation(ports.records, BEN, 'twice', { shared: true });
      await expect(second).rejects.toMatchObject({ status: 409 });
      await deleteConversation(ports, ANN, 'twice');
      await changeConversation(ports.records, BEN, 'twice', { shared: true });
      expect(await texts(ANN, 'twice')).toEqual(['q', 'a']);
    });

    it('are listed by page, each once, including both own and shared ones', async () => {
      const here = home;
      home = await makeWorkspace();
      const ids: string[] = [];
      const asked = [ANN, BEN, ANN, BEN, ANN, BEN, ANN];
      for (const [at, caller] of asked.entries()) {
        offset += 10;
        ids.unshift(`page-${at}`);
        await ask(caller, `page-${at}`, `Question ${at} of quails`, 'a');
        if (caller === BEN) await changeConversation(ports.records, BEN, `page-${at}`, { shared: true });
      }
      for (const q of [undefined, 'quails']) expect((await pages(ANN, q)).flat()).toEqual(ids);
      expect((await listed(BEN)).ids).toEqual(['page-5', 'page-3', 'page-1']);
      await changeConversation(ports.records, ANN, 'page-0', { pinned: true });
      expect((await listed(ANN, undefined, 1)).ids).toEqual(['page-0']);
      home = here;
    });

    it('keep the turns after an edited question in another branch, which can be found and chosen', async () => {
      const ids = ['e1', 'e2', 'e3'];
      const said = (upTo: number) =>
        ids.slice(0, upTo).map((id) => ({ id, role: 'user' as const, text: id }));
      for (const at of [1, 2, 3]) await ask(ANN, 'edit', '', `ostrich${at}`, { messages: said(at) });
      const edited = [...said(1), { id: 'e2', role: 'user' as const, text: 'other' }];
      const { plan } = await ask(ANN, 'edit', '', 'emu', { messages: edited, messageId: 'e2' });
      expect(await texts(ANN, 'edit')).toEqual(['e1', 'ostrich1', 'other', 'emu']);
      expect((await branches(ANN, 'edit')).branches).toEqual({
        [plan.question.id]: ['e2', plan.question.id],
      });
      for (const word of ['ostrich3', 'emu']) expect((await listed(ANN, word)).ids).toEqual(['edit']);
      await changeConversation(ports.records, ANN, 'edit', { leafId: 'e2' });
      expect(await texts(ANN, 'edit')).toEqual(['e1', 'ostrich1', 'e2', 'ostrich2', 'e3', 'ostrich3']);
      expect(await findConversation(ports.records, ANN, 'edit')).toMatchObject({ messageCount: 6 });
      const unknown = changeConversation(ports.records, ANN, 'edit', { leafId: 'e9' });
      await expect(unknown).rejects.toMatchObject({ code: 'message_unknown' });
    });

    it('answer the latest edit for a page that knows the question by its first ID', async () => {
      const asked = { id: 'k', role: 'user' as const, text: 'One?' };
      await ask(ANN, 'known', '', 'One.', { messages: [asked] });
      const [edited, again] = [{ ...asked, text: 'Two?' }, { trigger: 'regenerate-message' as const }];
      await ask(ANN, 'known', '', 'Two.', { messages: [edited], messageId: 'k' });
      await ask(ANN, 'known', '', 'Two again.', { messages: [edited], ...again });
      expect(await texts(ANN, 'known')).toEqual(['Two?', 'Two again.']);
      await ask(ANN, 'known', '', 'Three.', { messages: [{ ...asked, text: 'Three?' }], messageId: 'k' });
      expect(Object.values((await branches(ANN, 'known')).branches).map(({ length }) => length)).toEqual([3]);
      // A client that gets no response sends the same question again, which adds only an answer.
      await ask(ANN, 'known', '', 'Three again.', { messages: [{ ...asked, text: 'Three?' }] });
      expect(await texts(ANN, 'known')).toEqual(['Three?', 'Three again.']);
      expect((await branches(ANN, 'known')).messages).toHaveLength(8);
    });

    it('continue a branch that is older than the messages read at once', async () => {
      const first = await ask(ANN, 'long', 'root', 'Root.');
      const other = { id: first.plan.question.id, role: 'user' as const, text: 'other root' };
      await ask(ANN, 'long', '', 'Other.', { messages: [other], messageId: other.id });
      for (let at = 0; at < 35; at++) await ask(ANN, 'long', `q${at}`, `a${at}`);
      await changeConversation(ports.records, ANN, 'long', { leafId: first.id });
      await expect(begin(ANN, 'long', 'next', { parentId: 'a34' })).rejects.toMatchObject({ status: 409 });
      const { plan } = await ask(ANN, 'long', 'next', 'Next.', { parentId: first.id });
      expect(plan.history.map(textOf)).toEqual(['root', 'Root.', 'next']);
      expect(await texts(ANN, 'long')).toEqual(['root', 'Root.', 'next', 'Next.']);
    });

    it('let only one of several concurrent callers start an answer', async () => {
      await ask(ANN, 'race', 'first', 'a');
      const tries = await Promise.allSettled([1, 2, 3, 4].map((at) => begin(ANN, 'race', `try ${at}`)));
      const won = tries.filter(({ status }) => status === 'fulfilled') as PromiseFulfilledResult<Turn>[];
      const refused = tries.flatMap((each) => (each.status === 'rejected' ? [each.reason.status] : []));
      expect([won.length, refused]).toEqual([1, [409, 409, 409]]);
      expect(await end(won[0]?.value as Turn, 'b')).toBe(true);
      expect(await texts(ANN, 'race')).toHaveLength(4);
    });

    it('let the running answer continue after rejecting a client that would end it', async () => {
      const first = await ask(ANN, 'stale', 'One?', 'One.');
      const running = await begin(ANN, 'stale', 'Two?');
      const shown = [first.plan.question, running.plan.question].map(({ id }) => {
        return { id, role: 'user' as const, text: 'Who?' };
      });
      const again = { trigger: 'regenerate-message' as const, messages: shown };
      const refused = { code: 'conversation_changed' };
      for (const more of [
        { parentId: 'earlier' },
        { messageId: first.id, parentId: 'a' },
        { messageId: 'unknown' },
      ])
        await expect(begin(ANN, 'stale', '', { ...again, ...more })).rejects.toMatchObject(refused);
      const there = await findConversation(ports.records, ANN, 'stale');
      expect(there).toMatchObject({ turnId: running.id, stopRequested: false });
      const [next] = await Promise.all([
        begin(ANN, 'stale', '', { ...again, messageId: running.id, parentId: running.id }),
        end(running, 'Tw'),
      ]);
      expect(next.plan.question.id).toBe(running.plan.question.id);
    });

    it('stay pinned even if an answer that started earlier is still being written', async () => {
      const turn = await begin(ANN, 'pinned', 'Tell me');
      await changeConversation(ports.records, ANN, 'pinned', { pinned: true });
      offset += 5000;
      expect(await turnLeases.renew(ports, turn.conversation)).toBeGreaterThan(clock.now() + 25_000);
      expect((await listed(ANN, undefined, 1)).ids).toEqual(['pinned']);
      expect(await end(turn, 'Told.')).toBe(true);
      expect((await listed(ANN, undefined, 1)).ids).toEqual(['pinned']);
      await deleteConversation(ports, ANN, 'pinned');
    });

    it('end the answer of a silent process once, with its result', async () => {
      const turn = await begin(ANN, 'dead', 'Tell me');
      const recorder = openRecorder(ports, turn.id, 0);
      recorder.write({ type: 'start', messageId: turn.id });
      recorder.write({ type: 'text-start', id: '1' });
      recorder.write({ type: 'text-delta', id: '1', delta: 'Half' });
      await recorder.flush();
      expect(describeConversation(ports, turn.conversation).answering).toBe(true);
      offset += 31_000;
      expect(describeConversation(ports, turn.conversation).answering).toBe(false);
      const found = await findConversation(ports.records, ANN, 'dead');
      await Promise.all([endIfDead(ports, found), endIfDead(ports, found), endIfDead(ports, found)]);
      expect(await texts(ANN, 'dead')).toEqual(['Tell me', 'Half']);
      expect(await followAnswer(ports, found)).toBeUndefined();
      // The process was still alive, but its writes no longer have an effect.
      expect(await end(turn, 'Half and half')).toBe(false);
      expect(await texts(ANN, 'dead')).toEqual(['Tell me', 'Half']);
      const now = await findConversation(ports.records, ANN, 'dead');
      expect(now).toMatchObject({ messageCount: 2, turnId: null });
      await ask(ANN, 'dead', 'And now?', 'Now.');
    });

    it('continue after a process that died at any of its writes', async () => {
      const good = ports;
      const said = ['first', 'edited', 'third'];
      for (let writes = 0; writes < 24; writes++) {
        const id = `died-${writes}`;
        const messages = [{ id: 'm', role: 'user' as const, text: 'first' }];
        ports = { ...good, records: dyingAfter(good.records, writes) };
        const dies = async () => {
          await ask(ANN, id, '', 'a', { messages });
          await ask(ANN, id, '', 'b', {
            messages: [{ id: 'm', role: 'user', text: 'edited' }],
            messageId: 'm',
          });
        };
        await dies().catch((error: Error) => expect(error.message).toBe('died'));
        ports = good;
        offset += 31_000;
        await ask(ANN, id, 'third', 'c');
        const now = await texts(ANN, id);
        expect([writes, now.slice(-2)]).toEqual([writes, ['third', 'c']]);
        expect(now.slice(0, -2).every((text) => ['', 'a', 'b', ...said].includes(text))).toBe(true);
        await expectAllReachable(ANN, id);
        expect(await findConversation(ports.records, ANN, id)).toMatchObject({ turnId: null });
      }
    });

    it('leave nothing when they are deleted in the middle of an answer, or with their workspace', async () => {
      const turn = await begin(ANN, 'gone', 'q');
      await deleteConversation(ports, ANN, 'gone');
      expect(await end(turn, 'late')).toBe(false);
      const partition = `CONVERSATION#${turn.conversation.key}`;
      expect(await ports.records.count({ partition })).toBe(0);
      const cut = await begin(ANN, 'cut-short', 'q');
      await conversations.delete(ports.records, cut.conversation); // the state that a killed deletion left
      await dropConversations(ports.objects)(ports.records, home);
      expect(await ports.records.count({ partition: `CONVERSATION#${cut.conversation.key}` })).toBe(0);
      expect(await ports.records.count({ partition: membersPartition(home) })).toBe(0);
      for (const caller of [ANN, BEN]) expect((await listed(caller)).ids).toEqual([]);
      await expect(findConversation(ports.records, ANN, 'race')).rejects.toMatchObject({ status: 404 });
    });
  });
}
