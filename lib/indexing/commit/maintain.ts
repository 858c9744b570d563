import { indexes } from '../../passages/search-space.ts';
import { ifExpected } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import type { Vectors } from '../../ports/vectors.ts';
import type { MaintainMessage } from '../messages.ts';
import { asOnlyWriter } from './only-writer.ts';

export interface MaintainPorts extends TimedRecords {
  vectors: Vectors;
}

/**
 * Puts a table in order: compacts it, brings its indexes up to date. In a lane of its own, for it may take minutes; commits
 * of the workspace wait for it, those of others do not. One that was asked for before the latest began has been done by it.
 */
export async function maintainTable(
  ports: MaintainPorts,
  { workspaceId, space, askedAt }: MaintainMessage,
): Promise<void> {
  const { records, clock, vectors } = ports;
  const index = await indexes.get(records, { workspaceId });
  if (index === undefined || (index.maintained?.[space] ?? 0) > askedAt) return;
  await asOnlyWriter(ports, { workspaceId, goesFirst: true }, async () => {
    const beganAt = clock.now();
    await (await vectors.open(workspaceId, space)).maintain();
    const set = { maintained: { [space]: beganAt } };
    await ifExpected(indexes.update(records, { workspaceId }, { set })); // a workspace that went meanwhile stays gone
  });
}
