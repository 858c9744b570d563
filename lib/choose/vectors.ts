import { lancedbVectors } from '../adapters/lancedb/vectors.ts';
import type { Config } from '../config.ts';
import type { Vectors } from '../ports/vectors.ts';
import { openTablesHome } from './tables-home.ts';
import { tracedVectors } from './traced.ts';
import { openTraces } from './tracing.ts';

/** The passages of all workspaces. */
export async function openVectors(config: Config): Promise<Vectors> {
  await openTraces(config);
  const { cacheBytes } = config.vectors;
  return tracedVectors(lancedbVectors(await openTablesHome(config), { cacheBytes }));
}
