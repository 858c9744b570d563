import { lancedbVectors } from '../adapters/lancedb/vectors.ts';
import type { Config } from '../config.ts';
import { KEEP_VERSIONS_MS, KEEP_VERSIONS_ON_HOST_MS, type Vectors } from '../ports/vectors.ts';
import { tracedVectors } from './traced.ts';
import { openTraces } from './tracing.ts';
import { openVectorStore } from './vector-store.ts';

/** Opens the passages of all workspaces. */
export async function openVectors(config: Config): Promise<Vectors> {
  await openTraces(config);
  const { cacheBytes } = config.vectors;
  const keepVersionsMs = config.deployed ? KEEP_VERSIONS_MS : KEEP_VERSIONS_ON_HOST_MS;
  return tracedVectors(lancedbVectors(await openVectorStore(config), { cacheBytes, keepVersionsMs }));
}
