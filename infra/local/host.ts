import { mkdir, readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { createQueues, releaseAbandoned } from '../../lib/adapters/sqlite/queue.ts';
import { fillReserve } from '../../lib/adapters/sqlite/reserve.ts';
import { type Config, readConfig } from '../../lib/config.ts';
import { log, setLogLevel } from '../../lib/log.ts';
import { sweepTree } from '../../lib/paths/stale-temp-files.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import type { QueueName } from '../../lib/ports/queue.ts';
import { sweepCutRuns } from '../../lib/runs/sweep.ts';
import { currentRoots } from '../../lib/settings/with-settings.ts';
import { report } from '../../lib/telemetry/events.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { backUpBeforeUpgrade } from '../backup/before-upgrade.ts';
import { startLocalEmbedder } from '../embedder/supervise.ts';
import { endProcess } from '../end-process.ts';
import { writeAddress } from './address-file.ts';
import { type Console, openConsole } from './console.ts';
import {
  closeDataFolder,
  lockDataFolder,
  prepareDataFolder,
  prepareRoots,
  StartError,
} from './data-folder.ts';
import { serveParent } from './embedded.ts';
import { openFeishuConnection } from './feishu-connection.ts';
import { createGateway } from './gateway.ts';
import { type Handler, installRuntime, invoke as invokeHere } from './lambda-runtime.ts';
import { startMonitoring } from './monitoring.ts';
import { addRoots } from './named-roots.ts';
import { takeUpload } from './object-store.ts';
import { answerPage } from './page.ts';
import { pageHeaders } from './page-headers.ts';
import { refuseServiceAccounts } from './peer-account.ts';
import { type Poller, startPoller } from './poller.ts';
import type { QueueWithWorker, ServiceDefinition } from './service-file.ts';
import { GRACE_MS, stopOnSignal } from './stop-on-signal.ts';
import { watchFolders } from './watch-folders.ts';
import { printWelcome } from './welcome.ts';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';

/**
 * Milliseconds for which requests continue after the host's parent ended. Their clients no longer exist, but their
 * usage is still recorded.
 */
const ORPHAN_GRACE_MS = 500;
const RELEASE_EVERY_MS = 5_000;
const MAX_THREADS = 3;
/** Maximum workers of a queue whose work mostly waits; each worker polls its queue constantly. */
const MAX_WAITING = 30;
/** Threads for downloads, whose hashing needs more than one thread and must not occupy the indexing threads. */
const STREAM_THREADS = 2;
const STREAMS_A_THREAD = 4;
/** Number of concurrent small changes, which mostly wait for the disk and the embedder. */
const QUICK_AT_ONCE = 4;

interface HostOptions {
  aws?: string | undefined;
  embedded?: boolean | undefined;
  /** Folders that workspaces may use, in addition to WORKSPACE_ROOTS. */
  roots?: string[] | undefined;
  /** The npm process that started this one. */
  npm?: number | undefined;
}

/**
 * Runs the whole service on this host until a signal ends it. `root` is the source folder. `aws` is the URL of an
 * emulator that stores records, objects, queues, and secrets instead of the data folder. An `embedded` host belongs to
 * its parent, and ends with it.
 */
export async function run(root: string, options: HostOptions = {}): Promise<void> {
  try {
    await start(root, options);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
    endProcess();
  }
}

const EMBEDDER = new URL('../embedder/program.mjs', import.meta.url);

async function start(root: string, { aws, embedded, npm, roots = [] }: HostOptions): Promise<void> {
  const file = await readService();
  const definition = aws === undefined ? file : await useEmulator(aws, file);
  const settings = await orStartError(() => readSettings(roots));
  setLogLevel(settings.logLevel);
  const unlock = await orStartError(() => openDataFolder(settings, embedded));
  const stopEmbedder = await startLocalEmbedder(settings, EMBEDDER);
  const config = await orStartError(readConfig);
  process.env.RUST_LOG ??= 'error'; // for LanceDB in every thread: keeps its warnings out of the log
  installRuntime();
  const release = await orStartError(async () => prepareData(config, definition));
  const modules = builtModules(definition);
  const load = loader(modules);
  let page: Console | undefined;
  const gateway = createGateway({
    ...(config.auth.mode === 'disabled'
      ? { definition: withoutIdentity(definition), checkPeer: refuseServiceAccounts }
      : { definition }),
    load,
    trustedProxies: config.trustedProxies,
    intercept: async (request, response, url) =>
      (config.aws === undefined && (await takeUpload(config, request, response, url))) ||
      (page !== undefined && answerPage(page, request, response, url)),
  });
  const url = await listen(gateway, config);
  // The parent of an embedded host uses only its API.
  if (config.console && !embedded) page = openConsole(root, pageHeaders(config.auth.login?.origins));
  const pools = createPools();
  if (config.aws === undefined && !embedded) await failCutRuns(config);
  const background = await startBackground({ config, definition, release, modules, pools, load });
  if (!embedded) background.timers.push(...(await startMonitoring(config)));
  const disconnect = await openFeishuConnection(config);
  // Elsewhere (on AWS and in a short-lived embedded host), the API reports each change.
  const isWatching = config.watches && config.aws === undefined && !embedded;
  const folders = isWatching ? [watchFolders(config)] : [];
  // Stopped together with the pools, because work that continues after the signal still embeds texts.
  const withdraw = embedded ? async () => {} : await writeAddress(config, url);
  const last = [
    ...Object.values(pools),
    ...folders,
    { close: async () => stopEmbedder() },
    { close: withdraw },
    { close: async () => unlock() },
    { close: async () => page?.close() },
  ];
  const close = () => closeServer(gateway, embedded ? ORPHAN_GRACE_MS : GRACE_MS);
  stopOnSignal(() => drain(close, background, last, disconnect), npm);
  if (embedded) await serveParent(config, url);
  else await printWelcome(config, url);
}

/** Ends the runs that the former process left, before their messages are delivered again. */
async function failCutRuns(config: Config): Promise<void> {
  const [records, agentQueue] = [await openRecords(config), await openQueue(config, 'agent')];
  await sweepCutRuns({ records, agentQueue, clock: systemClock }).catch((error: unknown) =>
    log.error('runs of the former process were left to the tick', {}, error),
  );
}

/** Reads the configuration, including the folders given at the start. */
async function readSettings(roots: string[]): Promise<Config> {
  await addRoots(readConfig(), roots);
  return readConfig();
}

/** Reads the definition that the build made from serverless.yml. */
async function readService(): Promise<ServiceDefinition> {
  return JSON.parse(
    await readFile(new URL('../../service.json', import.meta.url), 'utf8'),
  ) as ServiceDefinition;
}

/** Drops the check for a credential, because without sign-in no client has one. The deployed gateway always checks. */
function withoutIdentity(definition: ServiceDefinition): ServiceDefinition {
  const routes = definition.routes.map(({ authorizer, ...route }) => ({
    ...route,
    ...(authorizer && { authorizer: { ...authorizer, identityHeader: undefined } }),
  }));
  return { ...definition, routes };
}

type Pools = Record<'shared' | 'streams' | 'slow' | 'quick', WorkerPool>;

function createPools(): Pools {
  const create = (size: number, callsAtOnce?: number) => {
    const entry = new URL('./worker-thread.mjs', import.meta.url);
    return createWorkerPool(entry, Math.min(size, availableParallelism()), callsAtOnce);
  };
  return {
    shared: create(MAX_THREADS),
    streams: create(STREAM_THREADS, STREAMS_A_THREAD),
    slow: create(MAX_THREADS),
    quick: create(1, QUICK_AT_ONCE),
  };
}

/**
 * Reports a failure before the service listens in one sentence, without a stack, because usually a setting is wrong.
 */
async function orStartError<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new StartError((error as Error).message, { cause: error });
  }
}

/**
 * Prepares the data folder: makes it writable, locks it, and backs it up before its format changes. Returns a function
 * that unlocks it.
 */
async function openDataFolder(config: Config, embedded = false): Promise<() => void> {
  if (config.aws !== undefined) return () => {};
  await prepareDataFolder(config.dataDir);
  await prepareRoots(config);
  const unlock = embedded || config.sharesData ? () => {} : await lockDataFolder(config);
  await closeDataFolder(config);
  const backup = await backUpBeforeUpgrade(config);
  if (backup !== undefined)
    console.error(
      `The data folder is being upgraded. A backup from before is in ${backup} (docs/operate/rollback.md).`,
    );
  return unlock;
}

async function useEmulator(address: string, file: ServiceDefinition): Promise<ServiceDefinition> {
  const { useAws } = await import('./aws-side.ts');
  return orStartError(() => useAws(address, file, (line) => console.error(line)));
}

/**
 * Prepares queues and roots. Returns a function that returns messages of dead processes to their queues, which SQS does
 * automatically.
 */
async function prepareData(config: Config, definition: ServiceDefinition): Promise<() => void> {
  if (config.aws !== undefined) {
    await mkdir(config.workspaceRoots[0] ?? config.dataDir, { recursive: true });
    return () => {};
  }
  const database = openDatabase(config.dataDir, 'upgrade');
  createQueues(database, definition.queues);
  releaseAbandoned(database);
  fillReserve(config.dataDir);
  // Runs in the background, because a large tree takes a while. Never fails.
  const roots = await currentRoots(await openRecords(config), config);
  for (const root of roots) void sweepTree(root);
  return () => releaseAbandoned(database);
}

/**
 * Returns the file URLs of the built handlers by function name. The build has the layout of the source tree, next to
 * this file's own folder.
 */
function builtModules(definition: ServiceDefinition): Map<string, string> {
  const built = new URL('../../', import.meta.url);
  return new Map(
    definition.functions.map(({ name, module }) => [name, new URL(`${module}.mjs`, built).href]),
  );
}

/** Imports a handler at its first call, as a Lambda sandbox does. */
function loader(modules: Map<string, string>): (name: string) => Promise<Handler> {
  const loaded = new Map<string, Promise<Handler>>();
  return (name) => {
    const known = loaded.get(name);
    if (known !== undefined) return known;
    const handler = import(modules.get(name) ?? '').then((module: { handler: Handler }) => module.handler);
    loaded.set(name, handler);
    handler.catch(() => loaded.delete(name));
    return handler;
  };
}

/**
 * Listens, and returns the URL of this host itself. Handlers read PUBLIC_URL when they are first imported, which is
 * later.
 */
async function listen(server: Server, config: Config): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(whyNotListening(error, config), { cause: error });
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  process.env.PUBLIC_URL = config.publicUrl ?? url;
  return url;
}

function whyNotListening({ code, message }: NodeJS.ErrnoException, { port, host }: Config): string {
  if (code === 'EADDRINUSE') return `PORT: ${port} is in use. Set another port.`;
  if (code === 'EACCES') return `PORT: this user can't listen on ${port}. Set a port above 1023.`;
  return `HOST: can't listen on ${host} (${message}). Set an address of this host.`;
}

interface Background {
  pollers: Poller[];
  timers: NodeJS.Timeout[];
}

/** Starts the pollers of the queues, the scheduler tick, and the recovery of messages of dead processes. */
async function startBackground(parts: {
  config: Config;
  definition: ServiceDefinition;
  release: () => void;
  modules: Map<string, string>;
  pools: Pools;
  load: (name: string) => Promise<Handler>;
}): Promise<Background> {
  const { config, definition, release, modules, pools, load } = parts;
  const timeoutMs = (name: string) =>
    (definition.functions.find((fn) => fn.name === name)?.timeoutSeconds ?? 0) * 1000;
  const callThread = (name: string, event: unknown, pool = pools.shared, toldMs = timeoutMs(name)) =>
    pool.run(modules.get(name) ?? '', event, { timeoutMs: timeoutMs(name), toldMs });
  const callHere = async (name: string, event: unknown, toldMs: number) =>
    invokeHere(await load(name), event, timeoutMs(name), toldMs);
  const pollers: Poller[] = [];
  for (const queue of definition.queues) {
    if (queue.worker === undefined) continue;
    const { function: name, maximumConcurrency, waits } = queue.worker;
    const { pool, most } = placeOf(queue.worker, pools);
    const concurrency = Math.min(maximumConcurrency, waits ? MAX_WAITING : most);
    const port = await openQueue(config, queue.name as QueueName);
    // A worker hides its messages for its time limit. For a renewed queue, the poller extends that time.
    const toldMs = queue.renewed ? queue.visibilityTimeoutSeconds * 1000 : timeoutMs(name);
    const invoke = (event: unknown) =>
      waits ? callHere(name, event, toldMs) : callThread(name, event, pool, toldMs);
    pollers.push(startPoller({ definition: queue, queue: port, concurrency, invoke }));
  }
  const ticks = definition.schedules.map(({ function: name, everyMs }) =>
    startTicking(() => callThread(name, {}), everyMs),
  );
  const releasing = setInterval(() => {
    try {
      release();
    } catch (error) {
      log.error('messages of dead processes were not released', {}, error);
    }
  }, RELEASE_EVERY_MS);
  return { pollers, timers: [...ticks, releasing] };
}

/** Returns the pool that runs a queue's batches, and how many it runs concurrently. */
function placeOf({ streams, slow, quick }: NonNullable<QueueWithWorker['worker']>, pools: Pools) {
  if (quick) return { pool: pools.quick, most: QUICK_AT_ONCE };
  if (streams) return { pool: pools.streams, most: STREAM_THREADS * STREAMS_A_THREAD };
  return { pool: slow ? pools.slow : pools.shared, most: MAX_THREADS };
}

/** Skips a tick while the previous one still waits for a thread. */
function startTicking(tick: () => Promise<unknown>, everyMs: number): NodeJS.Timeout {
  let running = false;
  return setInterval(async () => {
    if (running) return;
    running = true;
    await tick().catch((error: unknown) => report('tick_failed', 'the scheduled function failed', {}, error));
    running = false;
  }, everyMs);
}

/** Finishes or returns the work in progress. */
async function drain(
  close: () => Promise<void>,
  { pollers, timers }: Background,
  last: Pick<WorkerPool, 'close'>[],
  disconnect: () => void,
): Promise<void> {
  for (const timer of timers) clearInterval(timer);
  disconnect();
  await Promise.all([close(), ...pollers.map((poller) => poller.stop(GRACE_MS))]);
  await Promise.all(last.map((each) => each.close()));
}

/** Answers requests in progress and new ones on open connections, and then closes each connection. */
async function closeServer(server: Server, graceMs: number): Promise<void> {
  server.keepAliveTimeout = 1;
  server.maxRequestsPerSocket = 1;
  const cut = setTimeout(() => server.closeAllConnections(), graceMs).unref();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
}
