import { execFile, spawn } from 'node:child_process';
import { chown, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Service, watchService } from '../../support/service.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { readDockerfile } from './dockerfile.ts';

const run = promisify(execFile);

export interface Container {
  service: Service;
  /** Runs a command like `docker exec`. Throws unless it ends with 0. */
  exec(command: string[]): Promise<string>;
  healthcheck(): Promise<string>;
  /** Like `docker stop`; returns the exit code and the seconds until the end. */
  stop(): Promise<{ code: number; seconds: number }>;
}

/**
 * Runs the steps of the Dockerfile without Docker, as root: the command that installs, then the service in namespaces of
 * its own, with a read-only root, its user, and no capabilities. The host's system folders replace the base image, so the
 * packages of the image, and Docker's own restrictions, are not tested. `env` is added to the environment.
 */
export async function installImage(tarball: string, npm: NodeJS.ProcessEnv) {
  const image = await readDockerfile();
  const [root, data, files] = [await tempFolder(), await tempFolder(), await tempFolder()];
  const opt = join(root, 'opt');
  await mkdir(opt);
  const install = image.install
    .replace('/opt/workspace-research', join(opt, 'workspace-research'))
    .replace('/tmp/package.tgz', tarball);
  await run('sh', ['-c', install], { env: npm });
  for (const folder of [data, files]) await chown(folder, image.user, image.user);
  const asUser = ['--reuid', `${image.user}`, '--regid', `${image.user}`, '--clear-groups'];
  const confined = ['setpriv', ...asUser, '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all'];
  const inImage = (env: Record<string, string>, command: string[]) => [
    ...confined,
    ...['env', '-i', `--chdir=${image.folder}`],
    ...Object.entries({ ...image.env, ...env }).map(([name, value]) => `${name}=${value}`),
    ...command,
  ];
  const start = async (env: Record<string, string>): Promise<Container> => {
    const mount = await tempFolder();
    const args = ['-c', MOUNTS, mount, opt, data, files, ...inImage(env, image.command)];
    const child = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const service = await watchService(child, { dataDir: join(data, '.local/share/wrs'), root: files });
    const pid = await onlyChild(child.pid);
    const enter = ['--target', pid, '--mount', '--pid', '--root'];
    const exec = async (command: string[]) =>
      (await run('nsenter', [...enter, ...inImage(env, command)])).stdout;
    return {
      service,
      exec,
      healthcheck: () => exec(image.healthcheck),
      async stop() {
        const started = performance.now();
        const ended = new Promise<number>((done) => child.once('exit', (code) => done(code ?? -1)));
        process.kill(Number(pid), 'SIGTERM');
        return { code: await ended, seconds: (performance.now() - started) / 1000 };
      },
    };
  };
  return { start, files };
}

/** `sh -c MOUNTS ROOT OPT DATA FILES COMMAND…`: the root of the container, then the command in it. */
const MOUNTS = `set -e
root=$0 opt=$1 data=$2 files=$3; shift 3
mount -t tmpfs root "$root"
cd "$root" && mkdir usr etc opt data files tmp proc dev
for name in bin sbin lib lib64; do [ ! -L /$name ] || ln -s usr/$name $name; done
for name in usr etc dev; do mount --rbind /$name $name; done
mount --bind "$opt" opt && mount --bind "$data" data && mount --bind "$files" files
mount -t proc proc proc && mount -t tmpfs tmp tmp
touch .dockerenv
for name in usr etc opt .; do mount -o remount,bind,ro $name; done
cd "$root" && exec chroot . "$@"`;

async function onlyChild(pid = 0): Promise<string> {
  return (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim();
}
