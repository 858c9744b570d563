import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { access, constants, mkdtemp, rm, statfs } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Caller } from '../lib/access/caller.ts';
import { useProxies } from '../lib/adapters/outbound/proxy.ts';
import { ripgrepTextSearch } from '../lib/adapters/ripgrep/text-search.ts';
import { currentFormat, dataFormatOf, newerFormat } from '../lib/adapters/sqlite/database.ts';
import { engineFolder, readRecognitionManifest } from '../lib/adapters/tesseract/manifest.ts';
import { withTimeout } from '../lib/async/with-timeout.ts';
import { operatorCommand } from '../lib/config/installation.ts';
import {
  defaultProvider,
  findEmbeddings,
  isConfigured,
  PROVIDERS,
  whyNoProvider,
} from '../lib/config/models.ts';
import { type Config, readConfig } from '../lib/config.ts';
import { findChangedFile } from '../lib/paths/installed-files.ts';
import { systemClock } from '../lib/ports/clock.ts';
import { withProviderKeys } from '../lib/settings/stored-keys.ts';
import { currentPrices } from '../lib/settings/with-settings.ts';
import { providerName } from '../lib/text/vendor-names.ts';
import { countIssuerKeys } from '../lib/tokens/oidc.ts';
import { listBudgets } from '../lib/usage/budgets/list.ts';
import { openCluster } from '../lib/wiring/cluster.ts';
import { describeSandbox } from '../lib/wiring/commands.ts';
import { openEmbedder } from '../lib/wiring/embedder.ts';
import { openEntailment } from '../lib/wiring/entailment.ts';
import { listModels } from '../lib/wiring/models.ts';
import { openRecords } from '../lib/wiring/records.ts';
import { describeGit } from '../lib/wiring/repositories.ts';
import { openReranker } from '../lib/wiring/reranker.ts';
import { openSecrets } from '../lib/wiring/secrets.ts';
import { rolesIn } from '../lib/workspaces/access.ts';
import { runCommandLine } from './command-line.ts';
import { checkBots } from './doctor/bots.ts';
import { checkClock } from './doctor/clock.ts';
import { ASK_MS, type Finding, note, ok, whyOf, wrong } from './doctor/finding.ts';
import { checkHubs, checkTraces } from './doctor/upstreams.ts';
import { checkWatching } from './doctor/watching.ts';
import { embedderFolder, findChanged, homeOf, type ModelKind, readManifest } from './embedder/manifest.ts';
import { describeOpenData, isRootThere, prepareDataFolder } from './local/data-folder.ts';
import {
  describeAccess,
  describeCluster,
  describeReach,
  findWrongKubeconfig,
  howToSandbox,
} from './local/welcome.ts';
import { countLocalChats, describeLocalChats } from './local-chats.ts';
import { OPERATOR } from './operator.ts';

const MIN_NODE = 24;
const CONNECT_MS = 5_000;
/** Longer than any check takes, in milliseconds. */
const CHECK_MS = 30_000;
/** With less, the disk is soon full, because an index takes about four times the size of its texts. */
const MIN_FREE_GB = 2;

/**
 * `npm run doctor`, and `wrs doctor`: checks which features this host supports, and says how to fix the rest. Calls the
 * configured models, embedding service, reranker, entailment model, OIDC issuer, hubs, bot platforms, cluster, trace
 * collector, and proxies, all at once and each for at most 30 seconds.
 */
const CHECKS: Record<string, (config: Config) => Promise<Finding | Finding[]>> = {
  node: async () => {
    const text = `${process.version}, ${process.platform} ${process.arch}`;
    return Number.parseInt(process.versions.node, 10) >= MIN_NODE
      ? ok(text)
      : wrong(`${text}. Install version ${MIN_NODE} or later.`);
  },
  data: checkData,
  disk: checkDisk,
  roots: checkRoots,
  watching: checkWatching,
  port: checkPort,
  reached: async (config) => ok(describeReach(config)),
  access: checkAccess,
  commands: async (config) => {
    const { sandbox, reason } = await describeSandbox(config);
    if (sandbox.kind !== 'none') return ok(`in a sandbox (${sandbox.kind})`);
    return note(`no sandbox (${reason}). ${howToSandbox()}`);
  },
  git: async (config) => {
    const { git, reason } = await describeGit(config);
    return git === undefined ? note(`in JavaScript: ${reason}`) : ok(git.file);
  },
  search: checkTextSearch,
  models: checkModels,
  proxies: checkProxies,
  embedder: checkEmbedder,
  scans: checkRecognition,
  reranker: checkReranker,
  entailment: checkEntailment,
  hubs: checkHubs,
  sources: checkSources,
  cluster: checkCluster,
  bots: checkBots,
  traces: checkTraces,
  clock: checkClock,
  budgets: checkBudgets,
};

/** Requests each configured provider's model list, which is free. */
async function checkModels(config: Config): Promise<Finding[]> {
  const stored = await withProviderKeys(config, await openSecrets(config));
  const configured = (['a', 'b', 'c'] as const).filter((id) => isConfigured(stored.providers[PROVIDERS[id]]));
  const asked = await Promise.all(configured.map((id) => checkProvider(stored, id)));
  if (defaultProvider(stored) !== undefined) return asked;
  const why = `none. ${whyNoProvider(config)}`;
  return [config.provider.id === undefined ? note(why) : wrong(why), ...asked];
}

async function checkProvider(config: Config, provider: keyof typeof PROVIDERS): Promise<Finding> {
  const { model } = config.provider;
  try {
    const { models } = await listModels(config, provider);
    const isOffered = model === undefined || models.some(({ id }) => id === model);
    return isOffered || provider !== defaultProvider(config)
      ? ok(`${providerName(provider)} answers, with ${models.length} models`)
      : note(`${providerName(provider)} answers, but does not list LLM_MODEL=${model}. Check the name.`);
  } catch (error) {
    const name = `PROVIDER_${provider.toUpperCase()}`;
    return wrong(`${(error as Error).message} Check ${name}_API_KEY, ${name}_BASE_URL, and the network.`);
  }
}

/** Requests the issuer's keys, without which no token can be verified. */
async function checkAccess(config: Config): Promise<Finding> {
  const { mode, issuer } = config.auth;
  if (mode === 'token') return await checkLocalChats(config);
  if (mode !== 'oidc' || issuer === undefined) return ok(describeAccess(config));
  try {
    const keys = await countIssuerKeys(issuer);
    return keys > 0
      ? ok(`${describeAccess(config)}, which publishes its keys (${keys})`)
      : wrong(`OIDC_ISSUER: ${issuer} publishes no keys, so no one can sign in. Correct the setting.`);
  } catch (error) {
    const { name, message } = error as Error;
    const why = name === 'Error' ? message : `Can't reach it (${whyOf(error as Error)}).`;
    return wrong(`OIDC_ISSUER: ${why} Correct the setting, or check the network.`);
  }
}

/** No caller can open the conversations from before sign-in was enabled, unless a token continues them. */
async function checkLocalChats(config: Config): Promise<Finding> {
  const count = await countLocalChats(await openRecords(config));
  const access = describeAccess(config);
  return count === 0 ? ok(access) : note(`${access}. ${describeLocalChats(count)}`);
}

/** Checks the reranker by ranking one word. */
async function checkReranker(config: Config): Promise<Finding> {
  const { rerank } = await withProviderKeys(config, await openSecrets(config));
  const reranker = openReranker({ ...config, rerank });
  if (reranker === undefined) return checkInstalled(config, 'reranker', 'none. Set RERANK_BASE_URL');
  await reranker.rerank('owl', ['owl'], { signal: AbortSignal.timeout(ASK_MS), withinMs: ASK_MS });
  return ok(`a service answers, ${reranker.model}`);
}

/** Checks the entailment model by judging one word. */
async function checkEntailment(config: Config): Promise<Finding> {
  const { entailment } = await withProviderKeys(config, await openSecrets(config));
  const model = openEntailment({ ...config, entailment });
  if (model === undefined) return checkInstalled(config, 'entailment', 'none. Set ENTAILMENT_BASE_URL');
  const pair = { premise: 'owl', hypothesis: 'owl' };
  const [scores] = await model.entail([pair], { signal: AbortSignal.timeout(ASK_MS), withinMs: ASK_MS });
  return scores === undefined
    ? wrong(
        'a service answers, but none of its labels is entailment. Choose a model of natural language inference.',
      )
    : ok(`a service answers, ${model.model}`);
}

/**
 * Checks that something listens at each proxy. The proxy may still refuse the hosts that the service needs.
 */
async function checkProxies({ proxy }: Config): Promise<Finding> {
  const set = Object.entries({ HTTP_PROXY: proxy.http, HTTPS_PROXY: proxy.https });
  const used = set.flatMap(([name, url]) => (url === undefined ? [] : [{ name, url: new URL(url) }]));
  for (const { name, url } of used) {
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    const why = await whyUnreachable(url.hostname, port);
    if (why !== undefined)
      return wrong(`${name}: nothing answers at ${url.host} (${why}). Correct or unset it.`);
  }
  return ok(used.length === 0 ? 'none' : used.map(({ name, url }) => `${name} ${url.host}`).join(', '));
}

async function whyUnreachable(host: string, port: number): Promise<string | undefined> {
  const socket = connect({ host, port, timeout: CONNECT_MS });
  socket.once('timeout', () => socket.destroy(new Error(`no answer in ${CONNECT_MS / 1000} s`)));
  try {
    await once(socket, 'connect');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
  } finally {
    socket.destroy();
  }
}

/** Asks the cluster whether the service may list pods; any response proves the URL and the credential. */
async function checkCluster(config: Config): Promise<Finding> {
  const unusable = await findWrongKubeconfig(config);
  if (unusable !== undefined) return wrong(unusable);
  const cluster = await openCluster(config, await openSecrets(config));
  if (cluster === undefined) return ok('none: KUBECONFIG_PATH');
  await cluster.findKind('pods');
  return ok(`answers, ${(await describeCluster(config))[0]?.replace(/^cluster +/, '')}`);
}

/** Reports nothing if no service has used the data folder, and creates nothing. */
async function checkBudgets(config: Config): Promise<Finding> {
  const file = join(config.dataDir, 'service.sqlite');
  if (config.aws !== undefined || !existsSync(file)) return ok('none');
  const records = await openRecords(config);
  const prices = await currentPrices(records, config);
  const ports = {
    records,
    clock: systemClock,
    prices,
    rolesIn: (caller: Caller) => rolesIn(records, caller),
  };
  const { states: budgets } = await listBudgets(ports, OPERATOR);
  const blind = budgets.flatMap(({ scope, id, warning }) => (warning ? [`${scope} ${id}: ${warning}`] : []));
  return blind.length > 0 ? note(blind.join('; ')) : ok(`${budgets.length || 'none'}`);
}

async function checkData(config: Config): Promise<Finding> {
  const { dataDir } = config;
  await prepareDataFolder(dataDir);
  const format = dataFormatOf(dataDir);
  if (format !== undefined && format > currentFormat()) return wrong(newerFormat(format));
  const open = await describeOpenData(config);
  if (open !== undefined) return note(`${dataDir}: ${open}`);
  if (format === undefined || format === currentFormat()) return ok(dataDir);
  return note(
    `${dataDir} is from an earlier release (format ${format}). The next start makes a backup and upgrades it.`,
  );
}

async function checkDisk({ dataDir }: Config): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = (bavail * bsize) / 1e9;
  const text = `${free.toFixed(1)} GB free for ${dataDir}`;
  return free < MIN_FREE_GB ? note(text) : ok(text);
}

/** A missing root is created at the start. In a read-only root, no workspace can be created. */
async function checkRoots(config: Config): Promise<Finding> {
  const { workspaceRoots } = config;
  const closed: string[] = [];
  for (const root of workspaceRoots) {
    await isRootThere(config, root);
    const isBad = await access(root, constants.R_OK | constants.W_OK).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
    );
    if (isBad) closed.push(root);
  }
  const all = workspaceRoots.join(', ');
  return closed.length === 0
    ? ok(all)
    : wrong(`${closed.join(', ')} can't be read and written. Check the permissions.`);
}

/** Checks by listening; this very service may be using the port. */
async function checkPort({ port, host, publicUrl }: Config): Promise<Finding> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return ok(`${host}:${port} is free${publicUrl === undefined ? '' : `; clients use ${publicUrl}`}`);
  } catch (error) {
    const inUse = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    if (!inUse)
      return wrong(`can't listen on ${host}:${port} (${(error as Error).message}). Check HOST and PORT.`);
    return note(`${host}:${port} is in use, perhaps by this service. If not, set another PORT.`);
  } finally {
    server.close();
  }
}

/** Checks the sources of papers, datasets, and code. All respond without a key, but with lower limits or less data. */
async function checkSources({ hubs, papers, codeHost }: Config): Promise<Finding> {
  const keys = {
    HUB_A_TOKEN: hubs.huggingFace.token,
    HUB_B_TOKEN: hubs.modelScope.token,
    SEMANTIC_SCHOLAR_API_KEY: papers.semanticScholar.apiKey,
    OPENALEX_API_KEY: papers.openAlex.apiKey,
    CODE_HOST_TOKEN: codeHost.token,
  };
  const has = Object.entries(keys).filter(([, value]) => value !== undefined);
  const lacks = Object.entries(keys).filter(([, value]) => value === undefined);
  const words = [
    ...has.map(([name]) => name),
    ...(lacks.length === 0 ? [] : [`without ${lacks.map(([name]) => name).join(', ')}`]),
  ];
  return (has.length === 0 ? note : ok)(words.join(', '));
}

/** Checks by searching: the program may exist but not run. */
async function checkTextSearch({ ripgrepPath }: Config): Promise<Finding> {
  const root = await mkdtemp(join(tmpdir(), 'doctor-'));
  try {
    await ripgrepTextSearch(ripgrepPath).search({
      root,
      path: '',
      pattern: 'x',
      maxMatches: 1,
      timeoutMs: 10_000,
    });
    return ok('ripgrep');
  } catch (error) {
    return wrong((error as Error).message);
  } finally {
    await rm(root, { recursive: true });
  }
}

async function checkEmbedder(unkeyed: Config): Promise<Finding> {
  const config = await withProviderKeys(unkeyed, await openSecrets(unkeyed));
  if (config.embedding.isOff) return note('off (EMBEDDING_MODEL=none), so only keyword search');
  if (findEmbeddings(config).length > 0) return askEmbedder(config);
  return checkInstalled(config, 'embedder', 'none, so only keyword search. Set EMBEDDING_API_KEY');
}

/** Compares an installed model with its manifest; `none` is the text that names the alternatives. */
async function checkInstalled({ dataDir, aws }: Config, kind: ModelKind, none: string): Promise<Finding> {
  const folder = embedderFolder(dataDir);
  const manifest = aws === undefined ? await readManifest(folder, kind) : undefined;
  const command = operatorCommand(`embedder install${kind === 'embedder' ? '' : ` --${kind}`}`);
  if (manifest === undefined) return note(`${none}, or run ${command}.`);
  const changed = await findChanged(homeOf(folder, kind), manifest);
  return changed === undefined
    ? ok(`${manifest.model} on this host`)
    : wrong(`${changed} of ${manifest.model} was changed after the installation. Run ${command}.`);
}

/** Checks the embedder by embedding one word. */
async function askEmbedder(config: Config): Promise<Finding> {
  const embedder = openEmbedder(config);
  if (embedder === undefined) return note('none, so only keyword search');
  const [vector] = await embedder.embed(['owl'], { signal: AbortSignal.timeout(ASK_MS) });
  return ok(
    `a service answers, ${vector?.length ?? 0} dimensions${config.embedding.model ? `, ${config.embedding.model}` : ''}`,
  );
}

const INSTALL_OCR = operatorCommand('recognition install');

async function checkRecognition({ recognition: { folder, isOn } }: Config): Promise<Finding> {
  if (!isOn) return note('OCR is disabled (RECOGNITION=off)');
  const manifest = folder === undefined ? undefined : await readRecognitionManifest(folder);
  if (folder === undefined || manifest === undefined)
    return note(`no OCR engine, so images and scanned pages have no text. Run ${INSTALL_OCR}.`);
  const changed = await findChangedFile(engineFolder(folder), manifest.files);
  return changed === undefined
    ? ok(`OCR with ${manifest.id}`)
    : wrong(`${changed} was changed after the installation. Run ${INSTALL_OCR}.`);
}

/** Runs all checks at once, in the order of the list; a failed check is a finding too. Throws for a wrong setting. */
export async function* examine(): AsyncGenerator<Finding & { name: string }> {
  const config = readConfig();
  await useProxies(config);
  const data = await settle(checkData, config);
  const isUsable = data.every(({ state }) => state !== 'wrong');
  const running = Object.entries(CHECKS)
    .filter(([name]) => isUsable || name === 'data' || WITHOUT_DATA.has(name))
    .map(([name, check]) => ({ name, findings: name === 'data' ? data : settle(check, config) }));
  for (const { name, findings } of running) for (const finding of await findings) yield { name, ...finding };
  if (!isUsable) yield { name: 'others', ...note('not checked: correct DATA_DIR first') };
}

/** Checks that need no data folder. The other checks would fail for the same reason, or wait for it forever. */
const WITHOUT_DATA = new Set(['node', 'port', 'reached', 'commands', 'git', 'search', 'proxies', 'clock']);

async function settle(check: (typeof CHECKS)[string], config: Config): Promise<Finding[]> {
  try {
    const found = await withTimeout(CHECK_MS, () => check(config));
    return [found ?? wrong(`no result within ${CHECK_MS / 1000} s. Check the network.`)].flat();
  } catch (error) {
    return [wrong((error as Error).message)];
  }
}

async function run(): Promise<void> {
  for await (const { name, state, text } of examine()) {
    console.log(`${state.padEnd(6)} ${name.padEnd(9)} ${text}`);
    if (state === 'wrong') process.exitCode = 1;
  }
}

if (import.meta.main) await runCommandLine('Usage: npm run doctor', run);
