import { cp, readdir } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { bubblewrap } from '../../../lib/adapters/process/bubblewrap.ts';
import { processCommands } from '../../../lib/adapters/process/commands.ts';
import type { HostGuard } from '../../../lib/adapters/process/network/host-proxy.ts';
import { processTerminals } from '../../../lib/adapters/process/pty/terminals.ts';
import { startGroup } from '../../../lib/adapters/process/runner-client.ts';
import { seatbelt } from '../../../lib/adapters/process/seatbelt.ts';
import { startGitServer } from '../../support/fakes/git-server.ts';
import { sandboxesHere } from '../../support/processes/sandboxes.ts';
import { REACHED, startReachableHosts } from '../../support/reachable-hosts.ts';
import { eventually } from '../../support/sync.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const sandboxes = await sandboxesHere();
const far = await startReachableHosts();
const { tls, plain, service } = far;
const PROXY = '127.0.0.1:61080';
const LISTED = [
  'allowed.test',
  'second.test',
  'private.test',
  'metadata.test',
  'loopback.test',
  'mixed.test',
  'nowhere.test',
];
const own = Object.values(networkInterfaces())
  .flat()
  .find((each) => each !== undefined && !each.internal && each.family === 'IPv4')?.address;

/** Sends these bytes to the proxy, and prints the answer. */
function raw(...lines: string[]): string {
  return `exec 5<>/dev/tcp/127.0.0.1/61080; printf '${[...lines, '', ''].join('\\r\\n')}' >&5; timeout 3 cat <&5`;
}
const post = (name: string, ...headers: string[]) =>
  raw(`POST http://${name}:${plain}/ HTTP/1.1`, ...headers, '', '0');
const tunnel = (place: string, ...more: string[]) => raw(`CONNECT ${place} HTTP/1.1`, 'Host: x', ...more);
const get = (url: string, ...more: string[]) =>
  raw(`GET ${url} HTTP/1.1`, ...(more.length ? more : ['Host: x']));
/** The same, for places where even opening a tunnel is forbidden. */
const refused = (place: string) => `${tunnel(place)} | sed 's/Connection established/OK/'`;
const python = (code: string) => `python3 -c '${code}'`;

/** Anything but a plain name on the list. No such tunnel or request may reach a server. */
const NAMES = [
  'other.test',
  'sub.allowed.test',
  'allowed.test.other.test',
  'notallowed.test',
  'allowed.test.',
  'user@allowed.test',
  'allowed.test@other.test',
  '%61llowed.test',
  'allowed.test%%00.other.test',
  'allowed.test\\\\.other.test',
  'ａllowed.test',
  'localhost',
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '017700000001',
  '0',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '169.254.169.254',
  '[fd00:ec2::254]',
  'private.test',
  'metadata.test',
  'loopback.test',
  'mixed.test',
  'nowhere.test',
  own ?? '10.0.0.1',
];

const HOSTILE = [
  ...NAMES.map((name) => refused(`${name}:${tls}`)),
  ...NAMES.map((name) => get(`http://${name}:${plain}/`)),
  // Other ports and services of a listed host, and of this host.
  ...[22, plain, service, 0, 65_536, 443].map((port) => refused(`allowed.test:${port}`)),
  ...[22, tls, service].map((port) => get(`http://allowed.test:${port}/`)),
  refused('allowed.test'),
  refused(`:${tls}`),
  refused(`127.0.0.1:${service}`),
  get(`http://127.0.0.1:${service}/`),
  get(`http://localhost:${service}/api/workspaces`),
  // Requests to a server, and no request at all.
  get('/', 'Host: allowed.test'),
  get(`https://allowed.test:${tls}/`),
  get(`ftp://allowed.test:${plain}/`),
  get('*'),
  raw('GARBAGE'),
  raw('PRI * HTTP/2.0', '', 'SM'),
  // More than one request at once.
  tunnel(`other.test:${tls} HTTP/1.1\\r\\nHost: allowed.test:${tls}\\r\\nX:`),
  post('other.test', 'Host: allowed.test', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
  post('allowed.test', 'Host: x', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
  post('allowed.test', 'Host: x', 'Content-Length: 5', 'Content-Length: 6'),
  // A tunnel to a listed host that is used for something else.
  `curl -sSk --connect-to other.test:${tls}:allowed.test:${tls} https://other.test:${tls}/`,
  `curl -sSk --connect-to other.test:${tls}:second.test:${tls} https://other.test:${tls}/`,
  `openssl s_client -proxy ${PROXY} -connect allowed.test:${tls} -noservername </dev/null`,
  tunnel(`allowed.test:${tls}`, '', 'GET / HTTP/1.0'),
  tunnel(`allowed.test:${tls}`, '', 'SSH-2.0-OpenSSH_9'),
  // Requests past the proxy.
  `curl -sS --noproxy '*' http://127.0.0.1:${plain}/; curl -sS --noproxy '*' http://127.0.0.1:${service}/`,
  `exec 5<>/dev/tcp/127.0.0.1/${service} && cat <&5`,
  `exec 5<>/dev/tcp/${own ?? '10.0.0.1'}/${service} && cat <&5`,
  'exec 5<>/dev/tcp/1.1.1.1/443 && echo REACHED-$((40 + 2))',
  'exec 5<>/dev/udp/1.1.1.1/53 && echo x >&5 && echo REACHED-$((40 + 2))',
  'getent hosts allowed.test example.org && echo REACHED-$((40 + 2))',
  python('import socket; socket.getaddrinfo("example.org", 443); print("REACHED-42")'),
  `curl -sS --proxy socks5h://${PROXY} http://allowed.test:${plain}/`,
  `curl -sS --proxy http://127.0.0.1:${service} http://allowed.test:${plain}/`,
  `curl -sS -H 'Proxy-Authorization: Basic YTph' http://other.test:${plain}/`,
];

interface Options {
  hosts?: string[];
  guard?: HostGuard;
  folder?: string;
  signal?: AbortSignal;
}

describe.each(sandboxes.map((sandbox) => ({ kind: sandbox.kind, sandbox })))(
  'command with hosts ($kind)',
  ({ sandbox }) => {
    async function run(script: string, { hosts = LISTED, guard, folder, ...more }: Options = {}) {
      const cwd = folder ?? (await tempFolder());
      await cp(far.caFile, join(cwd, 'ca.pem'));
      const limits = { timeoutMs: 60_000, maxOutputBytes: 100_000 };
      const commands = processCommands(sandbox, startGroup, { guard: { ...far.guard, ...guard } });
      return commands.run({ script, cwd, writable: [cwd], hosts, ...limits, ...more });
    }

    beforeEach(() => {
      far.asked.length = 0;
      far.lookups.length = 0;
    });

    it('reaches listed hosts over HTTPS and HTTP, in any case, with bodies in both directions', async () => {
      const script = `head -c 3000000 /dev/zero > body
        for url in https://allowed.test:${tls}/a https://second.test:${tls}/b http://allowed.test:${plain}/c?d=e http://ALLOWED.test:${plain}/f; do
          curl -sS --cacert ca.pem -T body -X PUT $url; done
        curl -sS --cacert ca.pem https://allowed.test:${tls}/large | wc -c; curl -sS http://allowed.test:${plain}/large | wc -c`;
      const { stdout, stderr } = await run(script);
      const answers = ['https PUT /a', 'https PUT /b', 'http PUT /c?d=e', 'http PUT /f'];
      expect([stdout, stderr]).toEqual([
        `${answers.map((answer) => `${answer} 3000000\n`).join('')}4000000\n4000000\n`,
        '',
      ]);
      expect(far.asked).toContain(`http allowed.test:${plain} /c?d=e`);
    });

    it.each(HOSTILE)('gets no response by %s', async (script) => {
      const { stdout, stderr } = await run(script);
      expect(stdout).not.toMatch(/^HTTP\/1.. 200 OK|^https? |BEGIN CERTIFICATE/m);
      expect(`${stdout}${stderr}`).not.toContain(REACHED);
      expect(far.asked).toEqual([]);
    });

    it('sends each request on its own connection to the host of its URL, whatever its Host header says', async () => {
      const script = `curl -sS -H 'Host: other.test' -H 'Connection: close, x-secret' -H 'x-secret: 1' http://allowed.test:${plain}/a
        ${get(`http://allowed.test:${plain}/b`, 'Host: a', '', `GET http://other.test:${plain}/c HTTP/1.1`, 'Host: b')}`;
      const { stdout } = await run(script);
      expect(far.asked).toEqual(['a', 'b'].map((path) => `http allowed.test:${plain} /${path}`));
      expect(stdout).not.toContain('/c');
    });

    it('looks up only listed names, because a lookup could itself transfer data', async () => {
      await run(`curl -sS http://a-secret.example.org/; curl -sS https://a-secret.allowed.test/`);
      expect(far.lookups).toEqual([]);
    });

    it('checks the addresses at each connection, so that a rebound name has no effect', async () => {
      const found = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1', '169.254.169.254'], ['::ffff:7f00:2']];
      const guard = { resolve: async () => found.shift() ?? [] };
      const one = `curl -sS -o /dev/null -w '%{http_code} ' http://allowed.test:${plain}/`;
      expect((await run([one, one, one, one].join('; '), { guard })).stdout).toBe('200 403 403 403 ');
      expect(far.asked).toHaveLength(1);
    });

    it("reads which hosts were refused, from the proxy's response and from its own output", async () => {
      const { stdout, stderr } = await run(
        `curl -sS http://other.test:${plain}/; curl -sS https://registry.example.org/; curl -sS http://private.test:${plain}/`,
      );
      expect(stdout).toContain(
        "other.test isn't one of the hosts that commands of this workspace may reach.",
      );
      expect(stdout).toContain("private.test leads to an address that isn't public.");
      expect(stderr).toContain('403');
      expect(stderr).toContain(
        'Not reached: other.test, registry.example.org, private.test (private address).',
      );
    });

    it('has neither the variables nor the forwarder without hosts', async () => {
      const { stdout } = await run(
        'env | grep -i proxy; ls -A / | grep -E "^\\.(network|forwarder)"; echo end',
        {
          hosts: [],
        },
      );
      expect(stdout).toBe('end\n');
    });

    it("uses other programs' own support for proxies: git, Python, and npm", async () => {
      const git = await startGitServer();
      await git.addRepository('owls', { 'a.txt': 'hoot' });
      const guard = { ports: { tls: git.port, plain } };
      const cloned = `GIT_SSL_NO_VERIFY=1 git clone -q https://allowed.test:${git.port}/owls.git && cat owls/a.txt`;
      expect((await run(cloned, { guard })).stdout).toBe('hoot');
      const fetched = `import ssl, urllib.request as u; print(u.urlopen("https://allowed.test:${tls}/p", context=ssl._create_unverified_context()).read())`;
      expect((await run(python(fetched))).stdout).toContain('https GET /p');
      if ((await run('command -v npm')).exitCode !== 0) return;
      await run(`npm ping --fetch-retries=0 --strict-ssl=false --registry=https://allowed.test:${tls}/`);
      expect(far.asked.join()).toMatch(/https allowed\.test:\d+ \/-\/ping/);
    });

    it("can't use the socket, or the port, of another command", async () => {
      const first = new AbortController();
      const busy = run('sleep 60', { signal: first.signal, hosts: ['second.test'] });
      await eventually(
        async () => (await readdir(tmpdir())).filter((name) => name.startsWith('hosts-')),
        (found) => found.length > 0,
      );
      const script = `find / -xdev -type s 2>/dev/null; ls /tmp | grep hosts-; curl -sS http://second.test:${plain}/; curl -sS http://allowed.test:${plain}/`;
      const { stdout } = await run(script, { hosts: ['allowed.test'] });
      expect(stdout).toMatch(/^(\/\.network\n)?second\.test isn't one .*\nhttp GET \/ 0\n$/);
      const alone = await run(`find / -xdev -type s 2>/dev/null; ${get(`http://second.test:${plain}/`)}`, {
        hosts: [],
      });
      expect([alone.stdout, far.asked]).toEqual(['', [`http allowed.test:${plain} /`]]);
      first.abort(new Error('enough'));
      await expect(busy).rejects.toThrow('enough');
    });

    it('leaves no process behind that reaches a host, and no socket', async () => {
      const loop = `while :; do curl -s http://allowed.test:${plain}/late; sleep 0.05; done`;
      await run(`(setsid sh -c '${loop}' </dev/null >/dev/null 2>&1 &); sleep 0.5; exit 0`);
      const count = far.asked.length;
      expect(count).toBeGreaterThan(0);
      await pause(500);
      expect(far.asked).toHaveLength(count);
      expect((await readdir(tmpdir())).filter((name) => name.startsWith('hosts-'))).toEqual([]);
    });

    it('opens at most 64 connections, and leaves the proxy of another command free', async () => {
      const many = python(`import socket, time
sockets = []
for _ in range(1000):
    each = socket.create_connection(("127.0.0.1", 61080))
    each.sendall(b"CONNECT allowed.test:${tls} HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
    sockets.append(each)
time.sleep(1)
open_now = 0
for each in sockets:
    each.settimeout(0.05)
    try: open_now += each.recv(12) == b"HTTP/1.1 200"
    except OSError: pass
print(open_now)`);
      const flood = run(`ulimit -n 4096; ${many}`);
      const other = await run(`curl -sS http://allowed.test:${plain}/`);
      expect(other.stdout).toBe('http GET / 0\n');
      const { stdout } = await flood;
      expect(Number(stdout)).toBeGreaterThan(0);
      expect(Number(stdout)).toBeLessThanOrEqual(64);
    });

    it('ends a request with an endless header, and transfers that are too large', async () => {
      const endless = python(`import socket
proxy = socket.create_connection(("127.0.0.1", 61080))
try:
    proxy.sendall(b"GET http://allowed.test:${plain}/ HTTP/1.1\\r\\nX: " + b"x" * 10000000)
except OSError: pass
print(proxy.recv(12))`);
      const ended = await run(endless);
      expect(`${ended.stdout}${ended.stderr}`).toMatch(/^b''|HTTP\/1.1 431|reset/);
      const large = `curl -sS --cacert ca.pem https://allowed.test:${tls}/large | wc -c; curl -sS http://allowed.test:${plain}/large | wc -c`;
      const { stdout } = await run(large, { guard: { maxBytes: 1_000_000 } });
      for (const bytes of stdout.trim().split('\n')) expect(Number(bytes)).toBeLessThanOrEqual(1_000_000);
    });

    it('reaches the same hosts in a terminal, including after an interrupt', async () => {
      const cwd = await tempFolder();
      let output = '';
      const terminals = processTerminals(sandbox, { guard: far.guard });
      const ended = Promise.withResolvers<unknown>();
      const terminal = await terminals.open(
        { cwd, writable: [cwd], mounts: [], hosts: ['allowed.test'], columns: 200, rows: 20 },
        {
          onOutput(text) {
            output += text;
          },
          onEnd: ended.resolve,
        },
      );
      const seen = (text: string) =>
        eventually(
          async () => output,
          (all) => all.includes(text),
        );
      terminal.write(`echo re''ady; sleep 30\n`);
      await seen('ready');
      terminal.write('\x03');
      terminal.write(`curl -sS http://allowed.test:${plain}/t; curl -sS http://other.test:${plain}/\n`);
      await seen('http GET /t 0');
      await seen("other.test isn't one of the hosts");
      terminal.end();
      await ended.promise;
    });
  },
);

describe('sandbox', () => {
  const plan = { argv: ['true'], cwd: '/', writable: [], proxySocket: '/tmp/hosts-x/proxy' };

  it('bubblewrap shows the socket and the forwarder, and keeps its own network namespace', async () => {
    const { args } = await bubblewrap({ network: 'none', hidden: [] }).launch(plan);
    const line = args.join(' ');
    expect(line).toContain('--unshare-net');
    expect(line).toContain('--ro-bind /tmp/hosts-x/proxy /.network');
    expect(line).toContain(`--ro-bind ${process.execPath} /.forwarder`);
  });

  it('allows no hosts without its own network namespace', () => {
    expect(bubblewrap({ network: 'host', hidden: [] }).admitsHosts).toBe(false);
    expect(seatbelt({ network: 'none', hidden: [] }).admitsHosts).toBeUndefined();
  });
});
