import { join } from 'node:path';
import type { Config } from '../../config.ts';

/** Where the embedded side keeps what: one data folder holds it all (README, folder map). */
export function objectsFolder(config: Config): string {
  return join(config.dataDir, 'objects');
}

export function secretsFile(config: Config): string {
  return join(config.dataDir, 'secrets.json');
}

export function vectorsFolder(config: Config): string {
  return join(config.dataDir, 'vectors');
}
