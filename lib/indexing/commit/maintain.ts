import { repeat } from '../../async/repeat.ts';
import { log } from '../../log.ts';
import { indexes } from '../../passages/search-space.ts';
import { ifExpected } from '../../ports/records.ts';
import { KEEP_VERSIONS_MS, type Vectors } from '../../ports/vectors.ts';
import type { MaintainMessage } from '../messages.ts';
import { cleanLater } from './cleaning.ts';
import { countAgain, reliableCounts } from './file-counts.ts';
import { asOnlyWriter } from './only-writer.ts';
import { type ExtractPorts, removeStaleExtracts } from './stale-extracts.ts';

type Index = NonNullable<Awaited<ReturnType<typeof indexes.get>>>;

export interface MaintainPorts extends ExtractPorts {
  vectors: Vectors;
}

/**
 * Milliseconds. A maintenance that dies after this long has cost the waiting commits most of their
 * deliveries.
 */
const HELD_LONG_MS = 5 * 60_000;
/**
 * Milliseconds without maintenance after one has died that late: longer than the longest back-off of a
 * commit, which would otherwise become a dead letter, and shorter than the time until the last of the
 * maintenance's own deliveries (test/infra/queues.test.ts).
 */
export const REST_MS = 330_000;
const HEARTBEAT_MS = 30_000;

/**
 * Maintains a table: compacts it and updates its indexes. It has its own queue, because it may take minutes.
 * Only commits of the same workspace wait for it. A request older than the latest start has already been
 * served.
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
      if (isLeft) await cleanLater(ports, { workspaceId, space }, vectors.keepVersionsMs);
      else if (!isRid) await cleanLater(ports, { workspaceId, space }, KEEP_VERSIONS_MS);
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

/** A workspace deleted in the meantime stays deleted. */
async function note({ records }: MaintainPorts, workspaceId: string, set: Partial<Index>): Promise<void> {
  await ifExpected(indexes.update(records, { workspaceId }, { set }));
}

function warn(error: unknown): void {
  log.warn('a heartbeat of maintenance was not stored', { reason: String(error) });
}
