import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join, resolve } from 'node:path';
import { findFreePort } from '../../../infra/free-port.ts';
import { makeCertificate } from '../../support/fakes/git-server.ts';
import { installOnce } from '../../support/install-once.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { runCommand } from './install.ts';
import { startProcess } from './process.ts';

/** The host name of the documented configurations. */
export const HOST = 'research.example.org';
const PAGE = resolve(import.meta.dirname, '../../../docs/deploy/reverse-proxy.md');

const CALL_MS = 60_000;

export type ProxyName = 'nginx' | 'Caddy';

export interface ReverseProxy {
  name: string;
  port: number;
  ca: string;
  stop(): Promise<void>;
}

/** Unpacks nginx and Caddy from Debian's packages, without installing them. */
function installProxies(): Promise<string> {
  return installOnce('reverse-proxies', 'debian', async (folder) => {
    await runCommand('apt-get', ['-qq', 'download', 'nginx', 'caddy'], { cwd: folder }).catch(
      (error: Error) => {
        throw new Error(`this lane needs Debian's apt-get (after apt-get update): ${error.message}`);
      },
    );
    await runCommand('sh', ['-c', 'for each in *.deb; do dpkg -x "$each" . && rm "$each"; done'], {
      cwd: folder,
    });
  });
}

/** Returns the documented configuration of a proxy: the code block below its heading. */
function documented(name: ProxyName): string {
  const [, section = ''] = readFileSync(PAGE, 'utf8').split(`## ${name}\n`);
  const [, block] = /```\w+\n([\s\S]*?)```/.exec(section) ?? [];
  if (block === undefined) throw new Error(`${PAGE} has no configuration for ${name}`);
  return block;
}

/**
 * Starts a proxy in front of a service with a configuration in the documented form, whose host name, ports, and
 * certificate are replaced. `user` is the account that its connections belong to, which needs root.
 */
export async function startReverseProxy(
  name: ProxyName,
  service: string,
  configuration = documented(name),
  user = 'root',
): Promise<ReverseProxy> {
  const [root, folder, port] = [await installProxies(), await tempFolder(), await findFreePort()];
  const { caFile, keyFile } = await makeCertificate(folder, HOST);
  await chmod(folder, 0o777);
  const target = configuration.replaceAll('127.0.0.1:3000', new URL(service).host);
  const made = name === 'nginx' ? nginxFile : caddyFile;
  const file = join(folder, 'configuration');
  await writeFile(file, made(target, { folder, port, caFile, keyFile, user }));
  const [program, args] =
    name === 'nginx'
      ? [join(root, 'usr/sbin/nginx'), ['-p', folder, '-e', 'stderr', '-c', file]]
      : [join(root, 'usr/bin/caddy'), ['run', '--adapter', 'caddyfile', '--config', file]];
  await mkdir(join(folder, 'body'), { mode: 0o777 });
  const proxy = { name, port, ca: readFileSync(caFile, 'utf8') };
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const asked = async () => {
    (await callThrough(proxy, { path: '/api/health' })).destroy();
    return new Response();
  };
  const { stop } = await startProcess({ name, file: program, args, env, healthUrl: '', fetch: asked });
  return { ...proxy, stop };
}

interface Call {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The client's own address, any of 127.0.0.0/8. */
  from?: string;
}

/** Sends a request with the documented host name through the proxy, as a client in the network would. */
export async function callThrough(
  { port, ca }: Pick<ReverseProxy, 'port' | 'ca'>,
  { path, method = 'GET', headers = {}, body, from }: Call,
): Promise<IncomingMessage> {
  const outgoing = request({
    ...{ host: '127.0.0.1', port, path, method, ca, servername: HOST, agent: false },
    ...(from !== undefined && { localAddress: from }),
    headers: { host: HOST, ...headers },
    timeout: CALL_MS,
  });
  outgoing.on('timeout', () => outgoing.destroy(new Error(`${method} ${path} is silent`)));
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return answer;
}

interface Place {
  folder: string;
  port: number;
  caFile: string;
  keyFile: string;
  user: string;
}

function nginxFile(server: string, { folder, port, caFile, keyFile, user }: Place): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = paths.map((each) => `${each}_temp_path ${folder}/body/${each};`).join('\n');
  const own = server
    .replace(/listen .*;/, `listen 127.0.0.1:${port} ssl;`)
    .replace(/(ssl_certificate) .*;/, `$1 ${caFile};`)
    .replace(/(ssl_certificate_key) .*;/, `$1 ${keyFile};`);
  return `daemon off; user ${user}; worker_processes 1; pid ${folder}/pid; error_log stderr;
events {}
http { access_log off; ${temporary}
${own} }
`;
}

function caddyFile(site: string, { port, caFile, keyFile }: Place): string {
  const own = site.replace(
    `${HOST} {`,
    `https://${HOST}:${port} {\n  bind 127.0.0.1\n  tls ${caFile} ${keyFile}`,
  );
  return `{\n  admin off\n  auto_https off\n}\n${own}`;
}
