import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where wrs stores its user's files, the same from every folder (XDG). */

/** Returns the data folder of the service that wrs starts: DATA_DIR, otherwise ~/.local/share/wrs. */
export function dataFolder(): string {
  if (process.env.DATA_DIR) return resolve(process.env.DATA_DIR);
  return join(process.env.XDG_DATA_HOME || join(homedir(), '.local/share'), 'wrs');
}

/** Returns the folder of the login, and of `.env` with the settings of the service that wrs starts. */
export function configFolder(): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'wrs');
}
