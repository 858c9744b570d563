import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { removeConversation } from '../../../lib/conversations/change.ts';
import { findConversation } from '../../../lib/conversations/find.ts';
import { conversationPartition } from '../../../lib/conversations/schema.ts';
import { claimTurn } from '../../../lib/conversations/turn/claim-turn.ts';
import { endTurn } from '../../../lib/conversations/turn/end-turn.ts';
import { planTurn } from '../../../lib/conversations/turn/plan-turn.ts';
import { dropFeedbackOf, giveFeedback, readOwnFeedback } from '../../../lib/feedback/feedback.ts';
import { listFeedback } from '../../../lib/feedback/list.ts';
import { FEEDBACK, feedbackBody } from '../../../lib/feedback/schema.ts';
import { systemClock } from '../../../lib/ports/clock.ts';
import type { Records } from '../../../lib/ports/records.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import { killable } from '../../support/processes/killable.ts';
import { ADMIN, HOME } from '../../support/tasks.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const ANN: Caller = { id: 'ann', role: 'member', workspaceIds: null };
const records = sqliteRecords(openDatabase(await tempFolder()), systemClock);
const ports = { records, clock: systemClock };
await workspaces.create(records, {
  ...{ id: HOME, name: 'w', rootPath: await tempFolder(), createdAt: new Date().toISOString(), members: [] },
});
let count = 0;

async function ask(caller: Caller) {
  const id = `c-${++count}`;
  const plan = await planTurn(ports, caller, HOME, { id, messages: [{ role: 'user', text: 'Owls?' }] });
  const turn = await claimTurn(ports, caller.id, { workspaceId: HOME, id }, plan);
  await turn.kept;
  const answer = { id: turn.id, role: 'assistant' as const, parts: [{ type: 'text', text: 'Yes.' }] };
  await endTurn(ports, turn.conversation, answer, plan.question);
  return { found: await findConversation(records, caller, id), conversationId: id, messageId: turn.id };
}

const UP = feedbackBody.parse({ rating: 'up' });
const all = () => listFeedback(records, ADMIN, { limit: 1000 });

beforeEach(async () => {
  for (const personId of ['ann', 'ben']) await dropFeedbackOf(records, personId);
});

describe('giveFeedback', () => {
  it('leaves nothing in a conversation that is deleted meanwhile, killed at any call', async () => {
    for (let lives = 1; ; lives++) {
      const { found, ...ids } = await ask(ANN);
      const process = killable(ports, ['records'], lives);
      const giving = giveFeedback(process.ports, ANN, ids, UP);
      giving.catch(() => undefined);
      const ended = await Promise.race([giving.then(() => true), process.died.then(() => false)]);
      await removeConversation(records, found);
      process.bury();
      expect((await all()).items).toEqual([]);
      expect(await records.query({ partition: conversationPartition(found.key) })).toMatchObject({
        records: [],
      });
      if (ended) break;
    }
  });

  it('is undone if the conversation is deleted just before the write', async () => {
    const { found, ...ids } = await ask(ANN);
    const late: Records = {
      ...records,
      put: async (...put) => {
        await removeConversation(records, found);
        await records.put(...put);
      },
    };
    const giving = giveFeedback({ ...ports, records: late }, ANN, ids, UP);
    await expect(giving).rejects.toMatchObject({ code: 'answer_not_found' });
    expect(await records.query({ partition: conversationPartition(found.key) })).toMatchObject({
      records: [],
    });
  });

  it('keeps one record per person and answer', async () => {
    const { found: _, ...ids } = await ask(ANN);
    await Promise.all(
      [UP, feedbackBody.parse({ rating: 'down' }), UP].map((body) => giveFeedback(ports, ANN, ids, body)),
    );
    expect(await readOwnFeedback(records, ANN, ids.conversationId)).toHaveLength(1);
    expect((await all()).items).toHaveLength(1);
  });
});

describe('listFeedback', () => {
  it('shows no answer of a later conversation with the same ID as one whose feedback was left behind', async () => {
    const { found, ...ids } = await ask(ANN);
    await giveFeedback(ports, ANN, ids, UP);
    const [left] = (await records.query({ partition: FEEDBACK, byIndex: true })).records;
    await removeConversation(records, found);
    if (left !== undefined) await records.put(left);
    count -= 1;
    expect((await ask(ANN)).conversationId).toBe(ids.conversationId);
    expect((await all()).items).toEqual([]);
  });

  it('removes what a process left that died while the conversation was deleted', async () => {
    const { found, ...ids } = await ask(ANN);
    const dead: Records = {
      ...records,
      put: async (...put) => {
        await removeConversation(records, found);
        await records.put(...put);
        throw new Error('killed');
      },
    };
    await expect(giveFeedback({ ...ports, records: dead }, ANN, ids, UP)).rejects.toThrow('killed');
    const { items } = await all();
    expect(items.map(({ conversationId }) => conversationId)).not.toContain(ids.conversationId);
    expect(await records.query({ partition: conversationPartition(found.key) })).toMatchObject({
      records: [],
    });
  });
});

describe('dropFeedbackOf', () => {
  it('removes the feedback of one person only', async () => {
    const one = await ask(ANN);
    const ben = { ...ANN, id: 'ben' };
    const other = await ask(ben);
    await giveFeedback(ports, ANN, one, UP);
    await giveFeedback(ports, ben, other, UP);
    expect(await dropFeedbackOf(records, 'ann')).toBeGreaterThan(0);
    expect((await all()).items.map(({ personId }) => personId)).toEqual(['ben']);
    expect(await dropFeedbackOf(records, 'ann')).toBe(0);
  });
});
