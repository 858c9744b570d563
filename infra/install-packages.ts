import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidInput } from '../lib/errors.ts';

/**
 * Installs the packages of a lock file, verified by its hashes, into `node_modules` of a folder. Doesn't run their
 * scripts, which would download unwanted libraries.
 */
export async function installPackages(lockFolder: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of ['package.json', 'package-lock.json'])
    await cp(join(lockFolder, name), join(folder, name));
  const npm = process.env.npm_execpath; // The npm that runs `npm run`; npx names itself here.
  const [command, ...args] = npm?.endsWith('npm-cli.js') ? [process.execPath, npm] : ['npm'];
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const child = spawn(command ?? 'npm', [...args, ...options], { cwd: folder, stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0)
    throw new InvalidInput(
      'install_refused',
      `npm could not install the packages (code ${code}). The lines above say why.`,
    );
}
