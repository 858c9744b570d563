import { repeat } from '../../async/repeat.ts';
import { log } from '../../log.ts';
import { indexes } from '../../passages/search-space.ts';
import { ifExpected } from '../../ports/records.ts';
import type { Vectors } from '../../ports/vectors.ts';
import type { MaintainMessage } from '../messages.ts';
import { cleanLater } from './cleaning.ts';
import { countAgain, reliableCounts } from './file-counts.ts';
import { asOnlyWriter } from './only-writer.ts';
import { type ExtractPorts, removeStaleExtracts } from './stale-extracts.ts';

type Index = NonNullable<Awaited<ReturnType<typeof indexes.get>>>;

export interface MaintainPorts extends ExtractPorts {
  vectors: Vectors;
}

/** A maintenance that died after so long has cost the commits that waited for it most of their deliveries. */
const HELD_LONG_MS = 5 * 60_000;
/**
 * After a maintenance died so late, none starts for this long: longer than the longest back-off of a commit, which
 * would be a dead letter otherwise, and over before the last of its own deliveries (test/infra/queues.test.ts).
 */
export const REST_MS = 330_000;
const HEARTBEAT_MS = 30_000;

/**
 * Maintains a table: compacts it and updates its indexes. It has its own queue, because it may take minutes; commits
 * of the workspace wait for it, those of others do not. A request from before the latest start has been served by that.
 */
export async function maintainTable(
  ports: MaintainPorts,
  { workspaceId, space, askedAt }: MaintainMessage,
): Promise<void> {
  const { records, clock, vectors } = ports;
  const index = await indexes.get(records, { workspaceId });
  if (index === undefined || (index.maintained?.[space] ?? 0) > askedAt) return;
  if (mustRest(index.maintaining?.[space], clock.now()))
    throw new Error('An earlier worker died while it optimized the table. Commits go first.');
  await asOnlyWriter(ports, { workspaceId, goesFirst: true }, async (held) => {
    const beganAt = clock.now();
    const sayAlive = () =>
      note(ports, workspaceId, { maintaining: { [space]: { beganAt, aliveAt: clock.now() } } });
    await sayAlive();
    const heartbeat = repeat(HEARTBEAT_MS, sayAlive, warn);
    try {
      const table = await vectors.open(workspaceId, space);
      held.requireHeld();
      const isLeft = await table.maintain();
      const isRid = await removeStaleExtracts(ports, held, workspaceId);
      const now = await indexes.get(records, { workspaceId });
      if (now !== undefined && reliableCounts(now) === undefined)
        await countAgain({ records, held }, workspaceId);
      if (isLeft || !isRid) await cleanLater(ports, { workspaceId, space });
    } catch (error) {
      await note(ports, workspaceId, { maintaining: {} });
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
    await note(ports, workspaceId, { maintaining: {}, maintained: { [space]: beganAt } });
  });
}

type Began = NonNullable<Index['maintaining']>[string];

function mustRest(last: Began | undefined, now: number): boolean {
  return last !== undefined && last.aliveAt - last.beganAt >= HELD_LONG_MS && now - last.aliveAt < REST_MS;
}

/** A workspace that went meanwhile stays gone. */
async function note({ records }: MaintainPorts, workspaceId: string, set: Partial<Index>): Promise<void> {
  await ifExpected(indexes.update(records, { workspaceId }, { set }));
}

function warn(error: unknown): void {
  log.warn('a heartbeat of maintenance was not stored', { reason: String(error) });
}
