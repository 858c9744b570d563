import { join } from 'node:path';
import type { Config } from '../../config.ts';

/** The layout of the embedded adapters' data, which is in one folder (see the folder map in README). */
export function objectsFolder(config: Config): string {
  return join(config.dataDir, 'objects');
}

export function secretsFile(config: Config): string {
  return join(config.dataDir, 'secrets.json');
}

export function vectorsFolder(config: Config): string {
  return join(config.dataDir, 'vectors');
}
