import { expect, it } from '@jest/globals';
import { conversationKey, forgetConversation } from '../../../lib/agent/loop/agent-work.ts';
import { dropConversations } from '../../../lib/conversations/change.ts';
import { dropRuns, eraseRuns, runErasures, sweepErasures } from '../../../lib/runs/erase.ts';
import { runs } from '../../../lib/runs/schema.ts';
import { sweepRuns } from '../../../lib/runs/sweep.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import { type AgentRig, calls, type says, startRigWithTools } from '../../support/agent.ts';
import { killable } from '../../support/processes/killable.ts';

/** A workspace with a run that is over, and one that waits for an approval. */
async function rigWithRuns() {
  const { rig } = await startRigWithTools();
  const { run: over } = await rig.ask();
  rig.model.answer = () => calls({ name: 'launch' });
  const { run: waiting } = await rig.ask();
  expect([over.status, waiting.status]).toEqual(['done', 'waiting']);
  return { rig, over, waiting };
}

async function deleteWorkspace({ ports, workspace }: AgentRig): Promise<void> {
  await dropRuns(ports.clock)(ports.records, workspace.id);
  await dropConversations(ports.objects)(ports.records, workspace.id);
  await workspaces.delete(ports.records, workspace);
}

function erase({ workspace }: AgentRig, ports: AgentRig['ports']): Promise<void> {
  return eraseRuns({ ...ports, forget: (id) => forgetConversation(ports, id) }, workspace.id);
}

/** Returns the keys of the records of runs, and of all records that name the workspace. */
function recordsLeft({ database, workspace }: AgentRig): string[] {
  const rows = database.prepare('SELECT partition, sort, value FROM records').all() as {
    [column in 'partition' | 'sort' | 'value']: string;
  }[];
  return rows
    .filter(({ partition, value }) => /^AGENT_/.test(partition) || value.includes(workspace.id))
    .map(({ partition, sort }) => `${partition} ${sort}`)
    .filter((key) => !/^(USE|RUN_ERASURES)/.test(key));
}

async function hasObject({ ports }: AgentRig, runId: string): Promise<boolean> {
  return (await ports.objects.getBytes(conversationKey(runId))) !== undefined;
}

it('eraseRuns erases the runs of a deleted workspace with their frames, approvals, and stored messages', async () => {
  const { rig, over, waiting } = await rigWithRuns();
  expect(recordsLeft(rig).join('\n')).toContain(over.id);
  expect(await hasObject(rig, waiting.id)).toBe(true);
  await deleteWorkspace(rig);
  await erase(rig, rig.ports);
  await erase(rig, rig.ports);
  expect(recordsLeft(rig)).toEqual([]);
  expect(await hasObject(rig, waiting.id)).toBe(false);
});

it('eraseRuns stops an active run, and erases it when it is over', async () => {
  const { rig } = await startRigWithTools();
  rig.model.answer = async function* ({ signal }) {
    yield* await new Promise<ReturnType<typeof says>>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal?.reason));
    });
  };
  const { run, working } = await rig.send();
  await deleteWorkspace(rig);
  await erase(rig, rig.ports);
  await working;
  expect(await rig.find(run.id)).toMatchObject({ status: 'stopped' });
  await erase(rig, rig.ports);
  await erase(rig, rig.ports);
  expect(recordsLeft(rig)).toEqual([]);
});

it('eraseRuns erases nothing while the workspace exists, because its deletion may have been interrupted', async () => {
  const { rig, over } = await rigWithRuns();
  await dropRuns(rig.ports.clock)(rig.ports.records, rig.workspace.id);
  await erase(rig, rig.ports);
  expect(await runs.get(rig.ports.records, over)).toBeDefined();
});

it('eraseRuns leaves nothing behind when its worker is killed at any call', async () => {
  for (let lives = 0; ; lives++) {
    const { rig, waiting } = await rigWithRuns();
    await deleteWorkspace(rig);
    const mortal = killable(rig.ports, ['records', 'objects', 'agentQueue'], lives);
    const work = erase(rig, mortal.ports).then(() => true);
    const isDone = await Promise.race([mortal.died.then(() => false), work]);
    mortal.bury();
    await work.catch(() => undefined);
    rig.time.offsetMs += 120_000; // the lease on a run that it was ending has expired
    for (let minute = 0; minute < 2; minute++) {
      await sweepRuns(rig.ports);
      await erase(rig, rig.ports);
    }
    expect([lives, recordsLeft(rig)]).toEqual([lives, []]);
    expect([lives, await hasObject(rig, waiting.id)]).toEqual([lives, false]);
    if (!isDone) continue;
    expect(lives).toBeGreaterThan(10);
    return;
  }
});

it('eraseRuns asks a worker for a pass every two minutes until runs that started late are also erased', async () => {
  const { rig } = await rigWithRuns();
  await deleteWorkspace(rig);
  const messages = [];
  for (let minute = 0; minute < 20; minute++) {
    await sweepErasures(rig.ports);
    for (const { body, receipt } of await rig.ports.agentQueue.receive({ max: 10 })) {
      messages.push(JSON.parse(body));
      await rig.ports.agentQueue.delete([receipt]);
      await erase(rig, rig.ports);
    }
    rig.time.offsetMs += 60_000;
  }
  expect(messages).toContainEqual({ runId: '', runsOf: rig.workspace.id });
  expect(messages.filter(({ runsOf }) => runsOf !== undefined).length).toBeLessThan(8);
  expect(await runErasures.get(rig.ports.records, { workspaceId: rig.workspace.id })).toBeUndefined();
});
