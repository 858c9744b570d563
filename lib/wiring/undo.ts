import { join } from 'node:path';
import type { Config } from '../config.ts';

/** Where runs keep what they change: on AWS, on the file system that the functions with files share. */
export function undoFolder({ dataDir }: Config): string {
  return join(dataDir, 'undo');
}
