import { lancedbVectors } from '../adapters/lancedb/vectors.ts';
import type { Config } from '../config.ts';
import type { Vectors } from '../ports/vectors.ts';
import { tracedVectors } from './traced.ts';
import { openTraces } from './tracing.ts';
import { openVectorStore } from './vector-store.ts';

/** Opens the passages of all workspaces. */
export async function openVectors(config: Config): Promise<Vectors> {
  await openTraces(config);
  const { cacheBytes } = config.vectors;
  return tracedVectors(lancedbVectors(await openVectorStore(config), { cacheBytes }));
}
