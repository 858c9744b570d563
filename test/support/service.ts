import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { join, resolve } from 'node:path';
import { outputs } from './service-outputs.ts';
import { tempFolder, whenDone } from './temp-folder.ts';

type StartFlags = typeof import('../../infra/local/start-flags.ts');

const CHECKOUT = resolve(import.meta.dirname, '../..');
/** Long enough, even for a busy host. */
const START_TIMEOUT_MS = 90_000;
const CALL_TIMEOUT_MS = 60_000;

/** A body to send: FormData as multipart, text and bytes unchanged, anything else as JSON. */
type RequestBody = unknown;

export interface Answer<Body = unknown> {
  status: number;
  /** The parsed JSON, or the text of any other body. */
  body: Body;
  bytes: Buffer;
  headers: IncomingHttpHeaders;
}

export interface Service {
  url: string;
  pid: number;
  dataDir: string;
  /** The first of WORKSPACE_ROOTS; it exists. */
  root: string;
  call<Body = unknown>(
    method: string,
    path: string,
    body?: RequestBody,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>>;
  /** Everything written to stdout and stderr so far. */
  output(): string;
  /**
   * Sends SIGTERM, and resolves with the exit code (-1 after a signal). Does nothing if the service has
   * ended.
   */
  stop(): Promise<number>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

/**
 * The real host as a separate process, on a free port and a temporary DATA_DIR unless `env` names one. It gets nothing of the
 * tests' environment, and no `.env`. `args` are those of `npm start`; `launcher` is a command that runs the program after it,
 * in its own process; `checkout` is another one of this repository. Ended after the test file if it still runs then.
 */
export async function startService(
  env: Record<string, string> = {},
  args: string[] = [],
  launcher: string[] = [],
  checkout = CHECKOUT,
): Promise<Service> {
  const dataDir = env.DATA_DIR ?? join(await tempFolder(), 'data');
  const root = env.WORKSPACE_ROOTS?.split(',')[0]?.trim() ?? join(dataDir, 'workspaces');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await mkdir(root, { recursive: true });
  const [program = '', ...before] = [...launcher, process.execPath];
  const local = join(checkout, 'infra/local');
  const { START_FLAGS, START_VARIABLES } = (await import(join(local, 'start-flags.ts'))) as StartFlags;
  const child = spawn(program, [...before, ...START_FLAGS, join(local, 'start.ts'), ...args], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      ...START_VARIABLES,
      ...compileCache(),
      TMPDIR: await tempFolder(),
      HOME: dataDir,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      CONVERSATION_TITLES: 'off', // model calls that no test expects
      CONSOLE: 'off', // no test opens it, so it needn't be built
      WATCH: 'off', // tests decide when a file is read
      // The fake provider has OpenAI's embedding model. Other servers are used for embeddings only if a model
      // is named.
      ...(env.PROVIDER_A_BASE_URL &&
        !env.EMBEDDING_BASE_URL && { EMBEDDING_MODEL: 'text-embedding-3-small' }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return watchService(child, { dataDir, root });
}

/** A service that was started in another way, such as that of the installed package. Its output is piped. */
export async function watchService(
  child: ChildProcess,
  { dataDir, root }: Pick<Service, 'dataDir' | 'root'>,
  patienceMs = START_TIMEOUT_MS,
): Promise<Service> {
  const { output, ended, url } = await watch(child, patienceMs);
  outputs.push(output);
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    agent.destroy();
    child.kill(signal);
    return ended;
  };
  whenDone(() => end('SIGTERM'));
  return {
    url,
    pid: child.pid ?? 0,
    dataDir,
    root,
    call: (method, path, body, headers = {}) => send(agent, url, { method, path, body, headers }),
    output,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  };
}

/** Returns the cache of the test run, where its processes share compiled code. */
function compileCache(): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}

/** Waits for the line `listening http://…`; throws with all output if the process ends before. */
async function watch(child: ChildProcess, patienceMs: number) {
  let text = '';
  const ended = new Promise<number>((done) => child.once('exit', (code) => done(code ?? -1)));
  const url = await new Promise<string>((found, failed) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL'); // no other process knows it
      failed(new Error(`no start:\n${text}`));
    }, patienceMs);
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      const match = /^listening\s+(http:\/\/\S+)/m.exec(text);
      if (match?.[1] === undefined || !text.includes('\nsearch ')) return;
      clearTimeout(timer);
      found(match[1]);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    void ended.then((code) => {
      clearTimeout(timer);
      failed(new Error(`the service ended with ${code}:\n${text}`));
    });
  });
  return { output: () => text, ended, url };
}

interface Call {
  method: string;
  path: string;
  body: RequestBody;
  headers: Record<string, string>;
}

async function send<Body>(agent: Agent, url: string, { method, path, body, headers }: Call) {
  const { bytes, contentType } = await encode(body);
  const type = contentType === undefined ? {} : { 'content-type': contentType };
  const length = bytes === undefined ? {} : { 'content-length': String(bytes.length) };
  const { hostname, port } = new URL(url);
  return new Promise<Answer<Body>>((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        hostname,
        port,
        method,
        path,
        headers: { ...type, ...length, ...headers },
        timeout: CALL_TIMEOUT_MS,
      },
      (incoming) => receive<Body>(incoming).then(resolve, reject),
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error(`${method} ${path} took over a minute`)));
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

async function encode(body: RequestBody): Promise<{ bytes?: Buffer; contentType?: string }> {
  if (body === undefined) return {};
  if (typeof body === 'string' || body instanceof Uint8Array) return { bytes: Buffer.from(body as string) };
  if (body instanceof FormData) {
    const response = new Response(body);
    const contentType = response.headers.get('content-type') ?? '';
    return { bytes: Buffer.from(await response.arrayBuffer()), contentType };
  }
  return { bytes: Buffer.from(JSON.stringify(body)), contentType: 'application/json' };
}

async function receive<Body>(incoming: IncomingMessage): Promise<Answer<Body>> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const isJson = incoming.headers['content-type']?.startsWith('application/json') && bytes.length > 0;
  const body = (isJson ? JSON.parse(bytes.toString()) : bytes.toString()) as Body;
  return { status: incoming.statusCode ?? 0, body, bytes, headers: incoming.headers };
}
