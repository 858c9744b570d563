import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { runProgram } from '../processes/run-program.ts';
import { tempFolder, whenDone } from '../temp-folder.ts';

/** The credential for the repositories under /private/. */
export const GIT_TOKEN = 'cht_0123456789abcdef-SECRET';

export interface GitServer {
  /** `127.0.0.1:PORT`; the certificate is for `localhost` too. */
  host: string;
  port: number;
  /** The certificate's file, which is its own authority. */
  caFile: string;
  ca: string;
  /** Method, path, and credential of each request, in order. */
  requests: { path: string; host: string; authorization: string | undefined }[];
  /** Creates a bare repository with one commit of these files (null: none). Its name may start with `private/`. */
  addRepository(name: string, files?: Tree | null): Promise<string>;
  /** Commits changes to it; null removes a file. `force` replaces the history. */
  commit(name: string, files: Tree, options?: { force?: boolean }): Promise<string>;
  /** The same with a tree that Git itself wouldn't create: entries as `git ls-tree` writes them. */
  commitTree(name: string, path: string): Promise<void>;
  /** Returns the commit of its branch `main`. */
  headOf(name: string): Promise<string>;
  /** Responds to this path with a redirect. */
  redirects: Map<string, string>;
  /** True makes requests for a pack wait forever. */
  stall: boolean;
}

/** Files by path: the text, null to remove it, `-> target` for a link, `+x text` for a program. */
export type Tree = Record<string, string | null>;

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Tester',
  GIT_AUTHOR_EMAIL: 'tester@example.org',
  GIT_COMMITTER_NAME: 'Tester',
  GIT_COMMITTER_EMAIL: 'tester@example.org',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

/** Runs Git like a user, for the tests' own side. */
export async function runGit(cwd: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: cwd, ...IDENTITY };
  const settings = ['protocol.file.allow=always', 'maintenance.auto=false', 'gc.auto=0'];
  const options = settings.flatMap((setting) => ['-c', setting]);
  const { code, stdout, stderr } = await runProgram('git', [...options, ...args], { cwd, env });
  if (code !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** A real server: Git's own http-backend with HTTPS. Ended after the test file. */
export async function startGitServer(): Promise<GitServer> {
  await requireBackend();
  const folder = await tempFolder();
  const { caFile, keyFile } = await makeCertificate(folder);
  const [cert, key] = [await readFile(caFile, 'utf8'), await readFile(keyFile, 'utf8')];
  const repositories = join(folder, 'repositories');
  await mkdir(repositories);
  const state = { requests: [] as GitServer['requests'], redirects: new Map<string, string>(), stall: false };
  const server = createServer({ cert, key }, (request, response) =>
    answer(state, repositories, request, response),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  whenDone(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const { port } = server.address() as AddressInfo;
  const work = join(folder, 'work');
  const bareOf = (name: string) => join(repositories, `${name}.git`);
  const models = new Map<string, Promise<Model>>();
  /** Repositories with the same files are copies of one, which costs no process. */
  const modelOf = (files: Tree | null) => {
    const key = JSON.stringify(files);
    const model = models.get(key) ?? makeModel(join(folder, `model-${models.size}`), files);
    models.set(key, model);
    return model;
  };
  return Object.assign(state, {
    host: `127.0.0.1:${port}`,
    port,
    caFile,
    ca: cert,
    async addRepository(name: string, files: Tree | null = { 'README.md': '# Hello\n' }) {
      const { place, commit } = await modelOf(files);
      await cp(join(place, 'bare.git'), bareOf(name), { recursive: true });
      await cp(join(place, 'work'), join(work, name), { recursive: true, verbatimSymlinks: true });
      await shareObjects(join(work, name), bareOf(name));
      return commit;
    },
    headOf: (name: string) => runGit(bareOf(name), 'rev-parse', 'refs/heads/main'),
    commitTree: (name: string, path: string) => commitEvilTree(join(work, name), bareOf(name), path),
    commit: (name: string, files: Tree, { force = false } = {}) =>
      commitTo(join(work, name), bareOf(name), files, force),
  });
}

async function requireBackend(): Promise<void> {
  const { stdout } = await runProgram('git', ['--exec-path']);
  if (!existsSync(join(stdout.trim(), 'git-http-backend')))
    throw new Error('these tests need git with its http-backend (Debian: git; Alpine: git-daemon)');
}

interface Model {
  /** Contains `bare.git`, and `work` to commit from. */
  place: string;
  /** Its one commit, or none. */
  commit: string;
}

async function makeModel(place: string, files: Tree | null): Promise<Model> {
  const [bare, work] = [join(place, 'bare.git'), join(place, 'work')];
  await mkdir(place);
  const fresh = ['init', '--quiet', '--template=', '--initial-branch=main'];
  await runGit(place, ...fresh, '--bare', bare);
  await runGit(place, ...fresh, work);
  await shareObjects(work, bare);
  return { place, commit: files === null ? '' : await commitTo(work, bare, files) };
}

async function commitTo(work: string, bare: string, files: Tree, force = false): Promise<string> {
  for (const [path, content] of Object.entries(files)) await putInto(work, path, content);
  await runGit(work, 'add', '--all', '--force');
  await runGit(work, 'commit', '--quiet', '--allow-empty', ...(force ? ['--amend'] : []), '-m', 'a change');
  const commit = await readFile(join(work, '.git/refs/heads/main'), 'utf8');
  await publish(bare, commit.trim());
  return commit.trim();
}

/** The server's repository shares the objects of the working one: a push would cost ten processes. */
async function shareObjects(work: string, bare: string): Promise<void> {
  await mkdir(join(bare, 'objects/info'), { recursive: true });
  await writeFile(join(bare, 'objects/info/alternates'), `${join(work, '.git/objects')}\n`);
}

async function publish(bare: string, commit: string): Promise<void> {
  await mkdir(join(bare, 'refs/heads'), { recursive: true });
  await writeFile(join(bare, 'refs/heads/main'), `${commit}\n`);
}

/** One file `evil`, in a folder of the given name. */
async function commitEvilTree(work: string, bare: string, folder: string): Promise<void> {
  const make = (lines: string) =>
    execFileSync('git', ['mktree'], { cwd: work, input: lines, encoding: 'utf8' }).trim();
  const blob = await runGit(work, 'rev-parse', 'HEAD:README.md');
  const inner = make(`100644 blob ${blob}\tevil\n`);
  const commit = await runGit(
    work,
    'commit-tree',
    '-p',
    'HEAD',
    '-m',
    'evil',
    make(`040000 tree ${inner}\t${folder}\n`),
  );
  await publish(bare, commit);
}

async function putInto(work: string, path: string, content: string | null): Promise<void> {
  await rm(join(work, path), { recursive: true, force: true });
  if (content === null) return;
  await mkdir(dirname(join(work, path)), { recursive: true });
  if (content.startsWith('-> ')) return symlink(content.slice(3), join(work, path));
  const isProgram = content.startsWith('+x ');
  await writeFile(join(work, path), isProgram ? content.slice(3) : content, {
    mode: isProgram ? 0o755 : 0o644,
  });
}

/** A self-signed certificate, for this host and one name. */
export async function makeCertificate(folder: string, ...hosts: string[]) {
  const [caFile, keyFile] = [join(folder, 'ca.pem'), join(folder, 'key.pem')];
  const names = ['localhost', 'git.example.org', ...hosts].map((name) => `DNS:${name}`);
  const args = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ];
  const { code, stderr } = await runProgram(
    'openssl',
    [
      ...args,
      '-subj',
      '/CN=localhost',
      '-addext',
      `subjectAltName=${names},IP:127.0.0.1`,
      '-keyout',
      keyFile,
      '-out',
      caFile,
    ],
    { cwd: folder },
  );
  if (code !== 0) throw new Error(`no certificate: ${stderr}`);
  return { caFile, keyFile };
}

type State = Pick<GitServer, 'requests' | 'redirects' | 'stall'>;

function answer(
  state: State,
  repositories: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? '/', 'https://localhost');
  const { authorization, host = '' } = request.headers;
  state.requests.push({ path: url.pathname, host, authorization });
  const target = state.redirects.get(url.pathname);
  if (target !== undefined) return void response.writeHead(301, { location: target + url.search }).end();
  const expected = `Basic ${Buffer.from(`x-access-token:${GIT_TOKEN}`).toString('base64')}`;
  if (url.pathname.startsWith('/private/') && authorization !== expected)
    return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
  if (state.stall && request.method === 'POST') return void response.writeHead(200).write('');
  serveBackend(repositories, url, request, response);
}

/** CGI: its output starts with headers. */
function serveBackend(
  repositories: string,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: repositories,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REMOTE_USER: url.pathname.startsWith('/private/') ? 'tester' : undefined, // without a user, nothing can be pushed
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(child.stdin);
  child.stdin.on('error', () => {});
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('close', () => {
    const output = Buffer.concat(chunks);
    const end = output.indexOf('\r\n\r\n');
    const headers = output
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(/: (.*)/s));
    const status = Number(headers.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? 200);
    for (const [name = '', value = ''] of headers) if (name !== 'Status') response.setHeader(name, value);
    response.writeHead(status).end(output.subarray(end + 4));
  });
}
