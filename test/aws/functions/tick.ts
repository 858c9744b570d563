import { appendFile } from 'node:fs/promises';

/** Records when it was called. */
export async function handler(): Promise<void> {
  await appendFile(process.env.SEEN_FILE ?? '', `${Date.now()}\n`);
}
