import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { describeListed } from '../../../functions/workspaces/states.ts';
import type { Workspace } from '../../../lib/workspaces/schema.ts';
import { type AgentRig, calls, inTurn, MEMBER, says, startRigWithTools } from '../../support/agent.ts';
import { ADMIN } from '../../support/tasks.ts';

const OTHER = { ...MEMBER, id: 'other' };
const WITH_STATE = { with: 'state' } as const;
const ASKS = () => inTurn(calls({ name: 'launch', input: { value: 'the rocket' } }), says('Done.'));

let rig: AgentRig;
beforeEach(async () => {
  ({ rig } = await startRigWithTools());
});

const elsewhere = (): Workspace => ({ ...rig.workspace, id: randomUUID() });

/** The rig's ports, with a count of every store call. */
function counting() {
  const { records } = rig.ports;
  const counts = { getMany: 0, query: 0, others: 0 };
  const counted = new Proxy(records, {
    get(_records, name: keyof typeof records) {
      counts[name === 'getMany' || name === 'query' ? name : 'others'] += 1;
      return records[name].bind(records);
    },
  });
  return { ports: { ...rig.ports, records: counted }, counts };
}

describe('workspaces with their status', () => {
  it('include waiting runs, but no finished runs and no runs of another workspace', async () => {
    await rig.ask();
    rig.model.answer = ASKS();
    const { run } = await rig.ask({ id: 'started', messages: [{ role: 'user', content: 'Start it.' }] });
    const [here, there] = await describeListed(rig.ports, MEMBER, [rig.workspace, elsewhere()], WITH_STATE);
    const { id, workspaceId, createdAt } = run;
    expect(here?.state).toMatchObject({
      index: { status: 'idle', total: 0, done: 0, failedCount: 0, finishedAt: null },
      waiting: [{ id, workspaceId, kind: 'agent', title: 'Start it.', conversationId: 'started', createdAt }],
      recent: [{ id: 'started', title: 'Start it.' }, { title: 'Do it.' }],
    });
    expect(there?.state).toMatchObject({ waiting: [], recent: [] });
  });

  it("include the caller's own conversations only", async () => {
    await rig.ask({ id: 'mine' });
    await rig.ask({ id: 'theirs' }, OTHER);
    const recentOf = async (caller: typeof MEMBER) => {
      const [listed] = await describeListed(rig.ports, caller, [rig.workspace], WITH_STATE);
      return listed?.state?.recent.map(({ id }) => id);
    };
    expect([await recentOf(MEMBER), await recentOf(OTHER)]).toEqual([['mine'], ['theirs']]);
  });

  it('include the conversations whose latest run failed', async () => {
    rig.model.answer = () => {
      throw new Error('no model');
    };
    await rig.ask({ id: 'broken' });
    await rig.ask({ id: 'asked again' });
    rig.model.answer = inTurn(says('Done.'), says('Done.'));
    await rig.ask({ id: 'asked again' });
    await rig.ask({ id: 'fine' });
    const [listed] = await describeListed(rig.ports, MEMBER, [rig.workspace], WITH_STATE);
    expect(listed?.state?.recent).toHaveLength(3);
    expect(listed?.state?.failed).toEqual(['broken']);
  });

  it('cost five reads together, plus one read each for waiting files and two or three for the conversations', async () => {
    const { ports, counts } = counting();
    await describeListed(ports, MEMBER, [rig.workspace], WITH_STATE);
    expect(counts).toEqual({ getMany: 4, query: 4, others: 0 });
    const eight = Array.from({ length: 8 }, elsewhere);
    await describeListed(ports, MEMBER, eight, WITH_STATE);
    expect(counts).toEqual({ getMany: 8, query: 4 + 25, others: 0 });
    await describeListed(ports, ADMIN, eight, WITH_STATE);
    expect(counts).toEqual({ getMany: 12, query: 4 + 25 + 33, others: 0 });
  });

  it('are limited to the first twenty of a page, and only on request', async () => {
    const many = Array.from({ length: 25 }, elsewhere);
    const listed = await describeListed(rig.ports, MEMBER, many, WITH_STATE);
    expect(listed.map(({ id }) => id)).toEqual(many.map(({ id }) => id));
    expect(listed.map(({ state }) => state !== undefined)).toEqual(many.map((_, place) => place < 20));
    const { ports, counts } = counting();
    expect(await describeListed(ports, MEMBER, [rig.workspace], {})).toEqual([rig.workspace]);
    expect(counts).toEqual({ getMany: 0, query: 0, others: 0 });
  });
});
