import { noneIfRefused } from '../errors.ts';
import { log } from '../log.ts';
import { modelOf, nextGeneration } from '../passages/embedding-space.ts';
import { isOfModel } from '../passages/model-sample.ts';
import { filledSpace, indexes } from '../passages/search-space.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { IndexPorts } from './ports.ts';

const DAY_MS = 24 * 60 * 60_000;
/**
 * The maximum number of generations per day. If a service alternates between models more often, it gets an
 * error that names it instead.
 */
const MAX_A_DAY = 2;

/**
 * Starts the next generation of a space, because its model's name now returns other vectors. Searches
 * continue in the old one. Returns the new space. Undefined if that has happened too often today, or if the
 * space isn't the one in use, because a service that changes while a table is filled would have it filled
 * again and again.
 */
export async function renewSpace(
  { records, clock }: TimedRecords,
  workspaceId: string,
  space: string,
  { isAsked = false } = {},
): Promise<string | undefined> {
  const index = await indexes.get(records, { workspaceId });
  const filled = filledSpace(index, space);
  if (filled !== space) return filled;
  const recent = (index?.renewals ?? []).filter((at) => clock.now() - at < DAY_MS);
  const isSteady = index?.space === space && recent.length < MAX_A_DAY;
  if (index === undefined || (!isSteady && !isAsked)) return undefined;
  const renewing = nextGeneration(space);
  const renewals = [...recent, clock.now()].slice(-MAX_A_DAY);
  await indexes.update(records, { workspaceId }, { set: { renewing, renewals } });
  log.warn('other vectors come under the name of the embedding model', {
    workspaceId,
    model: modelOf(space),
  });
  return renewing;
}

/**
 * For a sync that a person requested: returns the space to fill, given the previous one, if the service no
 * longer has its model.
 */
export async function spaceOfModelNow(
  ports: Pick<IndexPorts, 'embedder' | 'records' | 'clock'>,
  workspaceId: string,
  space: string,
): Promise<string> {
  const { embedder, records } = ports;
  const isSame =
    embedder && (await isOfModel(records, { workspaceId, space }, embedder).catch(noneIfRefused));
  if (isSame !== false) return space;
  return (await renewSpace(ports, workspaceId, space, { isAsked: true })) ?? space;
}
