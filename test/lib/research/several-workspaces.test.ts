import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { beginResearch } from '../../../lib/research/begin.ts';
import { researchWish } from '../../../lib/research/request-schema.ts';
import { dropRuns, eraseRuns } from '../../../lib/runs/erase.ts';
import { runMarks, runs } from '../../../lib/runs/schema.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import { MEMBER } from '../../support/agent.ts';
import { startResearchRig } from '../../support/research.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const PAGES = { 'https://a.example/owls': '<h1>Owls</h1><p>Owls hunt at night in 12 forests.</p>' };

async function begun() {
  const rig = await startResearchRig(PAGES);
  const other = { ...rig.workspace, id: randomUUID(), rootPath: await tempFolder() };
  await workspaces.create(rig.ports.records, other);
  const wish = researchWish.parse({
    ...{ question: 'When do owls hunt?', depth: 'quick', addresses: Object.keys(PAGES) },
  });
  const { runId } = await beginResearch(rig.ports, MEMBER, [rig.workspace, other], wish);
  return { rig, other, runId };
}

describe('report about several workspaces', () => {
  it('fails before its next model call once its starter may not read one of them', async () => {
    const { rig, other, runId } = await begun();
    const members = [{ subject: 'someone-else', role: 'member' as const }];
    await workspaces.put(rig.ports.records, { ...other, members });
    while ((await rig.work()) > 0);
    expect(await runs.get(rig.ports.records, { id: runId })).toMatchObject({ status: 'failed' });
    expect(rig.model.prompts).toEqual([]);
  });

  it('fails before its next model call once one of them was deleted', async () => {
    const { rig, other, runId } = await begun();
    await workspaces.delete(rig.ports.records, other);
    while ((await rig.work()) > 0);
    expect(await runs.get(rig.ports.records, { id: runId })).toMatchObject({ status: 'failed' });
    expect(rig.model.prompts).toEqual([]);
  });

  it('is erased with its marks after any of them was deleted', async () => {
    const { rig, other, runId } = await begun();
    while ((await rig.work()) > 0);
    const { records, clock } = rig.ports;
    const marks = () =>
      runMarks.getMany(
        records,
        [rig.workspace, other].map(({ id: workspaceId }) => ({ workspaceId, runId })),
      );
    expect(await marks()).toHaveLength(2);
    await workspaces.delete(records, other);
    await dropRuns(clock)(records, other.id);
    await eraseRuns({ ...rig.ports, forget: async () => {} }, other.id);
    expect(await runs.get(records, { id: runId })).toBeUndefined();
    expect(await marks()).toEqual([]);
  });
});
