import { join } from 'node:path';
import type { Config } from '../../config.ts';

/** Layout of the embedded adapters' data: one data folder contains all of it (README, folder map). */
export function objectsFolder(config: Config): string {
  return join(config.dataDir, 'objects');
}

export function secretsFile(config: Config): string {
  return join(config.dataDir, 'secrets.json');
}

export function vectorsFolder(config: Config): string {
  return join(config.dataDir, 'vectors');
}
