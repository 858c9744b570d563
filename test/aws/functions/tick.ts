import { appendFile } from 'node:fs/promises';

/** Records the time of the call. */
export async function handler(): Promise<void> {
  await appendFile(process.env.SEEN_FILE ?? '', `${Date.now()}\n`);
}
