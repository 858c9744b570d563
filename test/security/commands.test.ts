import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { ExecResult } from '../../lib/terminal/schema.ts';
import { startService } from '../support/service.ts';
import { tempFolder, whenDone } from '../support/temp-folder.ts';
import { makeWorkspace } from '../support/workspace.ts';

const PLANTED = 'planted-7f3a9c';

/** A listener on this host's loopback, like the service itself. */
const neighbor = createServer((_, response) => response.end(PLANTED));
await new Promise<void>((done) => neighbor.listen(0, '127.0.0.1', done));
whenDone(async () => neighbor.close());
const neighborPort = (neighbor.address() as AddressInfo).port;

const dataDir = join(await tempFolder(), 'data');
await mkdir(dataDir);
await writeFile(join(dataDir, '.env'), `EMBEDDING_API_KEY=${PLANTED}-env-file\n`);
await writeFile(join(dataDir, 'secrets.json'), JSON.stringify({ PROVIDER_B_API_KEY: `${PLANTED}-stored` }), {
  mode: 0o600,
});
const service = await startService({
  DATA_DIR: dataDir,
  PROVIDER_A_API_KEY: `${PLANTED}-variable`,
  HUB_A_TOKEN: `${PLANTED}-hub`,
});
const { root } = await makeWorkspace(service, 'mine');
const other = await makeWorkspace(service, 'other');
await writeFile(join(other.root, 'secret.txt'), `${PLANTED}-other`);
await symlink(join(other.root, 'secret.txt'), join(root, 'link.txt'));
await symlink(dataDir, join(root, 'data'));
const { port } = new URL(service.url);

async function exec(command: string): Promise<ExecResult> {
  const { status, body, bytes } = await service.call<ExecResult>('POST', '/api/terminal/exec', {
    command,
    cwd: root,
  });
  if (status !== 200) throw new Error(`${status} ${bytes.toString()}`);
  return body;
}

const request = (host: string, at: number | string) =>
  `exec 5<>/dev/tcp/${host}/${at} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&5 && timeout 2 cat <&5`;

describe('terminal command', () => {
  it.each([
    ['the environment', 'env; set; export -p'],
    [
      'the environment of every visible process',
      'cat /proc/*/environ /proc/*/task/*/environ | tr "\\0" "\\n"',
    ],
    ['the environment of the service', `cat /proc/${service.pid}/environ; ls -l /proc/${service.pid}/fd/`],
    [
      'the memory and open files of the first process',
      'strings /proc/1/mem; cat /proc/1/fd/*; ls -lR /proc/1/root/',
    ],
    [
      'the data folder',
      `ls -la ${dataDir}; cat ${dataDir}/service.sqlite* ${dataDir}/secrets.json ${dataDir}/.env`,
    ],
    [
      'the data folder by its parents',
      'cat ../../service.sqlite ../../secrets.json ../../.env; ls -laR ../..',
    ],
    [
      'the data folder by links',
      'cat data/service.sqlite data/.env link.txt; ln -s /proc/self/cwd/../.. up; ls -la up/; cat up/.env',
    ],
    ['another workspace', `cat ${other.root}/secret.txt ../other/secret.txt; ls ..`],
    [
      'everything below the root directory',
      `grep -r -s -l ${PLANTED.slice(0, 4)} / --exclude-dir=proc --exclude-dir=usr --exclude-dir=sys | head; find / -path /usr -prune -o -name ".env*" -print -o -name "*.sqlite" -print -o -name secrets.json -print 2>/dev/null | xargs -r cat`,
    ],
    [
      'home folders',
      'ls -la /root /home ~ ; cat /root/.npmrc /root/.bash_history /root/.ssh/* ~/.aws/credentials',
    ],
    [
      'system settings',
      'cat /etc/shadow /etc/environment /etc/npmrc /etc/pip.conf /var/run/secrets/*/* /run/secrets/*',
    ],
    ['a device', 'cat /dev/vda* /dev/sda* /dev/mem /dev/kmem /proc/kcore | head -c 1000'],
    ["a neighbor on this host's loopback", request('127.0.0.1', neighborPort)],
    ['a debugger', `gdb -p ${service.pid} -batch; strace -p 1 -e trace=none & sleep 0.3; kill %1`],
  ])('exposes no secret: %s', async (_what, command) => {
    const { stdout, stderr } = await exec(command);
    expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes(PLANTED))).toEqual([]);
  });

  it.each([
    ["the service's own port", request('127.0.0.1', port)],
    ['the service by another address', request('localhost', port)],
    ['the metadata address', request('169.254.169.254', 80)],
    ['the container metadata address', request('169.254.170.2', 80)],
    ['a public address', request('1.1.1.1', 80)],
    ['a signal to the service', `kill -0 ${service.pid}`],
    ['a signal to everyone', 'kill -9 -1; kill -0 1 && sleep 0.1 && false'],
    ['a setuid program', 'cp /bin/bash x && chmod 4755 x && ./x -p -c "test $(id -u) = 0"'],
    ['becoming root', 'sudo -n true || su -c true </dev/null'],
    ['its own device', 'mknod disk b 254 0 && head -c 1 disk'],
    ['a mount', 'mount --bind /usr /tmp || unshare -Urm mount --bind /usr /tmp'],
    ['an escape by chroot', 'chroot /proc/1/root true'],
    ['joining other namespaces', 'nsenter -t 1 -m -p true'],
    ['a write next to the workspace', 'touch ../x ../other/x /usr/x'],
  ])('is rejected for %s', async (_what, command) => {
    expect((await exec(command)).exitCode).not.toBe(0);
    expect((await service.call('GET', '/api/health')).status).toBe(200);
  });

  it('has its own loopback interface, which works', async () => {
    const { stdout } = await exec(
      'cat /sys/class/net/lo/operstate; cut -d: -f1 /proc/net/dev | tail -n +3 | tr -d " "',
    );
    expect(stdout).toBe('lo\n');
  });
});
