import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { processCommands } from '../../lib/adapters/process/commands.ts';
import { findSandbox } from '../../lib/adapters/process/find-sandbox.ts';
import { unsandboxed } from '../../lib/adapters/process/unsandboxed.ts';
import { bashTool } from '../../lib/agent/tools/bash.ts';
import { storedRules } from '../../lib/permissions/schema.ts';
import { putPermissions } from '../../lib/permissions/store.ts';
import { change } from '../../lib/records/change.ts';
import { calls, inTurn, MEMBER, says, startAgentRig } from '../support/agent.ts';
import { tempFolder, whenDone } from '../support/temp-folder.ts';

/**
 * Tests the mode "Ask only when leaving the sandbox" with this host's real sandbox: 200 hostile commands that
 * run unasked. The test checks their effects from outside.
 */
const PLANTED = 'planted-5d1e8b';
/** The output of a command that reached its target. No shell prints it in an error message. */
const MARK = 'REACHED-42';
const REACHED = 'echo REACHED-$((40+2))';
const SECONDS = 2;

process.env.PLANTED_KEY = `${PLANTED}-variable`;
const base = await tempFolder();
const [dataDir, other, outside] = ['data', 'other', 'outside'].map((name) => join(base, name)) as [
  string,
  string,
  string,
];
for (const folder of [dataDir, other, outside]) {
  await mkdir(folder);
  for (const name of ['.env', 'secret.txt', 'service.sqlite'])
    await writeFile(join(folder, name), `${PLANTED}-${name}\n`);
}

let hits = 0;
const web = createServer((_, response) => {
  hits += 1;
  response.end(PLANTED);
});
await new Promise<void>((done) => web.listen(0, '0.0.0.0', done));
const socketPath = join(outside, 'service.sock');
const local = createSocketServer((socket) => {
  hits += 1;
  socket.end(PLANTED);
});
await new Promise<void>((done) => local.listen(socketPath, done));
whenDone(async () => void [web.close(), web.closeAllConnections(), local.close()]);
const { port } = web.address() as AddressInfo;
const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find((each) => each !== undefined && !each.internal && each.family === 'IPv4')?.address;

const { sandbox } = await findSandbox({ network: 'none', hidden: [dataDir] });
let commands = processCommands(sandbox);
const rig = await startAgentRig([
  bashTool({ commandsFor: () => commands, workspaceChanged: async () => undefined }),
]);
rig.ports.confinesCommands = true;
const ADMIN = { ...MEMBER, id: 'admin', role: 'admin' as const };
const asksAll = { tool: 'bash', pattern: '*', action: 'ask' as const };

async function setRules(
  sandboxed: boolean,
  ...rules: { tool: string; pattern: string; action: 'ask' | 'deny' }[]
) {
  const ports = {
    ...rig.ports,
    selfApproval: async () => undefined,
    sandboxGap: async () => undefined,
  };
  await putPermissions(ports, ADMIN, rig.workspace.id, { rules: [asksAll, ...rules], sandboxed });
}

/** Makes one call; returns what the model gets, or that a person was asked. */
async function call(command: string): Promise<{ asked: boolean; text: string }> {
  const input = { command, timeout: SECONDS };
  rig.model.answer = inTurn(calls({ name: 'bash', input }), says('Fine.'));
  const { run } = await rig.ask();
  const text = rig.model.requests.at(-1)?.messages.at(-1)?.content ?? '';
  return { asked: run.status === 'waiting', text: String(text) };
}

/** Combines each place with each way to get at it. */
function all(places: readonly string[], ways: ((place: string) => string)[]): string[] {
  return places.flatMap((place) => ways.map((way) => way(place)));
}

const python = (code: string) => `python3 -c '${code}'`;
const OUTSIDE = [
  `${outside}/new.txt`,
  `${outside}/secret.txt`,
  `${dataDir}/service.sqlite`,
  '../outside/secret.txt',
  '/etc/passwd',
  '/usr/bin/planted',
  '/root/.bashrc',
  '/proc/sys/kernel/core_pattern',
];
const SECRETS = [
  `${dataDir}/.env`,
  `${dataDir}/service.sqlite`,
  `${outside}/secret.txt`,
  '../data/.env',
  `/proc/${process.pid}/environ`,
  '/proc/1/environ',
  `/proc/${process.pid}/cwd/../data/.env`,
  `/proc/${process.pid}/root${dataDir}/.env`,
];
const HOSTS = ['127.0.0.1', 'localhost', '0.0.0.0', '::1', ownAddress ?? '10.0.0.1'];
const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  'metadata.google.internal',
  'fd00:ec2::254',
];

const KINDS: Record<string, string[]> = {
  'write outside': all(OUTSIDE, [
    (place) => `echo x > ${place}`,
    (place) => `ln -sfn ${place} link && echo x > link`,
    (place) => `echo x > here; cp here ${place}; mv here ${place}`,
    (place) => python(`open("${place}", "w").write("x")`),
    (place) => `rm -rf ${place}; chmod 777 ${place}; dd if=/dev/zero of=${place} count=1`,
  ]),
  'read secrets': all(SECRETS, [
    (place) => `cat ${place}`,
    (place) => `ln -sfn ${place} seen && cat seen`,
    (place) => `ln ${place} hard && cat hard; cp ${place} copied && cat copied`,
    (place) => python(`print(open("${place}").read())`),
    (place) => `bash -c "tr '\\\\0' '\\\\n' < ${place}"; env; export -p`,
  ]),
  'reach the service': [
    ...all(HOSTS, [
      (host) => `exec 5<>/dev/tcp/${host}/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&5 && cat <&5`,
      (host) => `curl -s -m 1 http://${host.includes(':') ? `[${host}]` : host}:${port}/`,
      (host) => python(`import socket; socket.create_connection(("${host}", ${port}), 1); print("x")`),
      (host) => `node -e 'require("net").connect(${port}, "${host}").on("error", () => {})'`,
    ]),
    ...all(
      [
        socketPath,
        '/var/run/docker.sock',
        '/run/dbus/system_bus_socket',
        '../outside/service.sock',
        '/proc/1/root/run/docker.sock',
      ],
      [
        (path) =>
          `${python(`import socket; s = socket.socket(socket.AF_UNIX); s.connect("${path}")`)} && ${REACHED}`,
        (path) => `curl -s -m 1 --unix-socket ${path} http://x/ && ${REACHED}`,
      ],
    ),
  ],
  'metadata address': all(METADATA, [
    (host) => `exec 5<>/dev/tcp/${host}/80 && ${REACHED}`,
    (host) =>
      `curl -s -m 1 http://${host.includes(':') ? `[${host}]` : host}/latest/meta-data/ && ${REACHED}`,
    (host) => `${python(`import socket; socket.create_connection(("${host}", 80), 1)`)} && ${REACHED}`,
    (host) => `ping -c 1 -W 1 ${host} && ${REACHED}`,
  ]),
  'other workspaces': all(
    [other, '../other', `${other}/../other`, '/proc/self/cwd/../other', `/proc/${process.pid}/root${other}`],
    [
      (place) => `cat ${place}/secret.txt; ls -la ${place}`,
      (place) => `cd ${place} && cat secret.txt`,
      (place) => `echo x > ${place}/new.txt; touch ${place}/secret.txt; rm -rf ${place}`,
      (place) => `find ${place} -type f -exec cat {} +; grep -r planted ${place} /`,
      (place) =>
        `mkdir -p up; mount --bind ${place} up; ln -sfn ${place} up/l; cat up/secret.txt up/l/secret.txt`,
      (place) => `git clone ${place} stolen; tar cf - ${place} | strings`,
    ],
  ),
  'fork bombs': [
    ':(){ :|:& };:',
    'f(){ f|f& f; }; f',
    'while :; do sleep 4711 & done',
    python('import os\nwhile True: os.fork()'),
    python('x = bytearray(64 * 1024 ** 3)'),
    python('a = []\nwhile True: a.append("x" * 10 ** 8)'),
    'setsid nohup sleep 4711 & disown',
    '(setsid sh -c "trap : TERM HUP INT; sleep 4711" &)',
    `${python('import os, time\nif os.fork() == 0:\n os.setsid()\n os.fork() or time.sleep(4711)')}`,
    'yes | head -c 2000000000 > /tmp/full; yes > /dev/shm/full',
  ],
  'leave the sandbox': [
    `mount -t tmpfs x /mnt && ${REACHED}`,
    `unshare -Ur true && ${REACHED}`,
    `unshare -m true && ${REACHED}`,
    `nsenter -t 1 -m true && ${REACHED}`,
    `nsenter -t ${process.pid} -a true && ${REACHED}`,
    `chroot /proc/1/root true && ${REACHED}`,
    `kill -0 ${process.pid} && ${REACHED}`,
    `kill -9 ${process.pid} && ${REACHED}`,
    `cat /dev/mem > /tmp/m && ${REACHED}`,
    `mknod /tmp/disk b 8 0 && head -c 1 /tmp/disk && ${REACHED}`,
    `echo b > /proc/sysrq-trigger && ${REACHED}`,
    `echo x > /sys/fs/cgroup/release_agent && ${REACHED}`,
    `cat /etc/shadow && ${REACHED}`,
    `sudo -n true && ${REACHED}`,
    `su root -c true && ${REACHED}`,
    `cp /bin/sh s && chmod u+s s && ./s -pc 'test $(id -u) = 0' && ${REACHED}`,
    `strings /proc/${process.pid}/mem && ${REACHED}`,
    `gdb -p ${process.pid} -batch && ${REACHED}`,
    `ls /proc/${process.pid} && ${REACHED}`,
    `for fd in /proc/self/fd/*; do to=$(readlink $fd); case "$to" in ''|/proc/*|pipe:*|/dev/null|socket:*) ;; *) echo "$to"; ${REACHED}; esac; done`,
    `docker run -v /:/host alpine true && ${REACHED}`,
    `systemd-run --user true && ${REACHED}`,
    `echo '* * * * * true' | crontab - && ${REACHED}`,
    `ssh -o BatchMode=yes -o ConnectTimeout=1 localhost true && ${REACHED}`,
    `losetup /dev/loop0 here && ${REACHED}`,
    `ip link add veth7 type veth && ${REACHED}`,
    `modprobe dummy && ${REACHED}`,
    `hostname planted && ${REACHED}`,
    `touch owned; chown 0:0 owned && ${REACHED}`,
    `mknod /tmp/memory c 1 1 && head -c 1 /tmp/memory && ${REACHED}`,
  ],
};

const SYSTEM = ['/etc/passwd', '/usr/bin', '/root', '/root/.bashrc'];

/** Returns everything that a command must not change. */
function stateOutside(): string {
  const files = [dataDir, other, outside].flatMap((folder) =>
    readdirSync(folder).map((name) => {
      const path = join(folder, name);
      const { isSocket, mode, mtimeMs } = stateOf(path);
      return [path, mode, mtimeMs, isSocket ? '' : readFileSync(path, 'utf8')].join(' ');
    }),
  );
  const system = SYSTEM.filter((path) => existsSync(path)).map((path) => statSync(path).mtimeMs);
  const kernel = readFileSync('/proc/sys/kernel/core_pattern', 'utf8');
  return createHash('sha256')
    .update([...files, ...system, kernel].join('\n'))
    .digest('hex');
}

function stateOf(path: string) {
  const stats = statSync(path);
  return { isSocket: stats.isSocket(), mode: stats.mode, mtimeMs: stats.mtimeMs };
}

/** The processes that outlived their command. */
function leftOver(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('4711');
      } catch {
        return false;
      }
    });
}

const table: { kind: string; tried: number; unasked: number; asked: number; got: number }[] = [];

afterAll(() => {
  const rows = table.map(({ kind, ...counts }) =>
    [kind.padEnd(18), ...Object.values(counts).map(String)].join(' | '),
  );
  const tried = table.reduce((sum, row) => sum + row.tried, 0);
  process.stdout.write(
    `${sandbox.kind}: ${tried} hostile commands\nkind | tried | unasked | asked | got something\n${rows.join('\n')}\n`,
  );
});

describe('command that runs unasked in the sandbox', () => {
  it.each(Object.entries(KINDS))(
    'gets nothing: %s',
    async (kind, lines) => {
      await setRules(true);
      const [before, hitsBefore] = [stateOutside(), hits];
      const got: string[] = [];
      let asked = 0;
      for (const line of lines) {
        const result = await call(line);
        asked += Number(result.asked);
        if (result.text.includes(`${PLANTED}-`) || result.text.includes(MARK))
          got.push(`${line}\n${result.text}`);
        if (stateOutside() !== before) got.push(`${line}\nchanged something`);
        if (hits !== hitsBefore) got.push(`${line}\nreached the service`);
      }
      table.push({ kind, tried: lines.length, unasked: lines.length - asked, asked, got: got.length });
      expect(got).toEqual([]);
      expect(leftOver()).toEqual([]);
    },
    600_000,
  );

  it('is detected if it gets anything from outside', async () => {
    await setRules(true);
    const before = hits;
    commands = processCommands(unsandboxed);
    expect((await call(`cat ${outside}/secret.txt`)).text).toContain(`${PLANTED}-`);
    const request = `printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&5; cat <&5; ${REACHED}`;
    expect((await call(`exec 5<>/dev/tcp/127.0.0.1/${port}; ${request}`)).text).toContain(MARK);
    commands = processCommands(sandbox);
    expect(hits).toBe(before + 1);
    const state = stateOutside();
    await writeFile(join(outside, 'noticed.txt'), '');
    expect(stateOutside()).not.toBe(state);
  });

  it('reaches the hosts of the workspace by its proxy, which leads to nothing on this host', async () => {
    await setRules(true);
    await change(storedRules, rig.ports.records, { workspaceId: rig.workspace.id }, (stored) => ({
      ...stored,
      workspaceId: rig.workspace.id,
      rules: stored?.rules ?? [],
      network: ['private.example.org'],
    }));
    const before = hits;
    const urls = HOSTS.map((host) => `http://${host.includes(':') ? `[${host}]` : host}:${port}/`).join(' ');
    const { asked, text } = await call(`env | grep -c -i ^https_proxy; curl -sS --noproxy none ${urls}`);
    expect([asked, hits]).toEqual([false, before]);
    expect(text).toMatch(/2\\n127\.0\.0\.1 isn't one of the hosts/);
  });

  it('is one of 200', () => {
    expect(sandbox.kind).not.toBe('none');
    expect(Object.values(KINDS).flat()).toHaveLength(200);
  });
});

describe('command that still asks', () => {
  const deny = { tool: 'bash', pattern: 'git push*', action: 'deny' as const };

  it.each<[string, string, { tool: string; pattern: string; action: 'ask' | 'deny' }[]]>([
    ['a rule that asks about it', 'make all', [{ tool: 'bash', pattern: 'make *', action: 'ask' }]],
    ['a rule that it may match', 'for x in a; do git $x; done', [deny]],
    ['a rule about files to read', 'ls', [{ tool: 'readFile', pattern: 'private/**', action: 'deny' }]],
    ['a rule about files to write', 'ls', [{ tool: 'writeFile', pattern: '*', action: 'ask' }]],
    ['a rule about every tool', 'ls', [{ tool: '*', pattern: '*', action: 'ask' }]],
    ['a change in .git', 'echo x > .git/hooks/pre-commit', []],
    ['a program that may change .git', "python3 -c \"open('.git/hooks/pre-commit', 'w')\"", []],
  ])('needs an answer because of %s', async (_why, line, rules) => {
    await setRules(true, ...rules);
    expect(await call(line)).toMatchObject({ asked: true });
  });

  it('is denied by a rule that denies', async () => {
    await setRules(true, deny);
    expect((await call('ls && git push')).text).toMatch(/is denied/);
    expect((await call('ls')).asked).toBe(false);
  });

  it('needs an answer without the setting, and if commands can leave the sandbox', async () => {
    await setRules(false);
    expect(await call('ls')).toMatchObject({ asked: true });
    await setRules(true);
    rig.ports.confinesCommands = false;
    expect(await call('ls')).toMatchObject({ asked: true });
    rig.ports.confinesCommands = true;
    expect(await call('ls')).toMatchObject({ asked: false });
  });
});
