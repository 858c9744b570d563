import { vectorsFolder } from '../adapters/disk/layout.ts';
import { lancedbVectors } from '../adapters/lancedb/vectors.ts';
import type { Config } from '../config.ts';
import type { Vectors } from '../ports/vectors.ts';

/** The passages of all workspaces, on the side that the configuration names. */
export function openVectors(config: Config): Vectors {
  return lancedbVectors(vectorsFolder(config));
}
