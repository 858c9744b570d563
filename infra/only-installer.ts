import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFile } from '../lib/adapters/sqlite/file-lock.ts';
import { InvalidInput } from '../lib/errors.ts';

export const INSTALL_LOCK = 'install.lock';

/** Runs one installation into a folder at a time. Throws InvalidInput while another process installs there. */
export async function asOnlyInstaller<Result>(
  folder: string,
  install: () => Promise<Result>,
): Promise<Result> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unlock = lockFile(join(folder, INSTALL_LOCK));
  if (unlock === undefined)
    throw new InvalidInput(
      'install_refused',
      `Another installation into ${folder} is running. Wait until it ends.`,
    );
  try {
    return await install();
  } finally {
    unlock();
  }
}
