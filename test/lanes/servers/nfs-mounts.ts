import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../../infra/free-port.ts';
import { installOnce } from '../../support/install-once.ts';
import { go, requireGo } from './go.ts';
import { type Server, startProcess, temporaryFolder } from './process.ts';

const SOURCES = join(import.meta.dirname, 'nfs-mounts');

export interface NfsMounts extends Server {
  /** The path of the folder on each of the two hosts. */
  hosts: string[];
}

/**
 * Mounts one folder on two hosts, as on NFS: nfs-mounts/main.go, built at the first use. `options` are its
 * flags. Needs Linux, root (or permission to mount), and /dev/fuse.
 */
export async function startNfsMounts(...options: string[]): Promise<NfsMounts> {
  const program = join(await installNfsMounts(), 'nfs-mounts');
  const place = await temporaryFolder('nfs');
  const [folder, ...hosts] = ['disk', 'first', 'second'].map((name) => join(place.path, name));
  for (const each of [folder ?? '', ...hosts]) await mkdir(each);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const args = [`-folder=${folder}`, `-mounts=${hosts.join(',')}`, `-port=${port}`, ...options];
  const server = await startProcess({
    name: 'two hosts on NFS',
    file: program,
    args,
    healthUrl: `${url}/calls`,
  }).catch((error: Error) => {
    place.remove();
    throw new Error(`${error.message}\nthis lane needs Linux with /dev/fuse, and the right to mount (root)`);
  });
  const stop = async () => {
    await server.stop();
    place.remove();
  };
  return { url, hosts, stop };
}

async function installNfsMounts(): Promise<string> {
  const files = (await readdir(SOURCES)).sort();
  const digest = createHash('sha256');
  for (const file of files) digest.update(await readFile(join(SOURCES, file)));
  return installOnce('nfs-mounts', digest.digest('hex').slice(0, 12), async (folder) => {
    await requireGo('nfs-mounts');
    const sources = join(folder, 'build/sources');
    await mkdir(sources, { recursive: true });
    for (const file of files) await copyFile(join(SOURCES, file), join(sources, file));
    await go(folder, sources, 'build', '-ldflags=-s -w', '-o', join(folder, 'nfs-mounts'), '.');
    await rm(join(folder, 'build'), { recursive: true, force: true });
  });
}
