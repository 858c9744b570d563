import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Caller } from '../lib/access/caller.ts';
import { ripgrepTextSearch } from '../lib/adapters/ripgrep/text-search.ts';
import { engineFolder, readRecognitionManifest } from '../lib/adapters/tesseract/manifest.ts';
import { describeSandbox } from '../lib/choose/commands.ts';
import { openRecords } from '../lib/choose/records.ts';
import { describeGit } from '../lib/choose/repositories.ts';
import { openSecrets } from '../lib/choose/secrets.ts';
import { type Config, defaultProvider, isConfigured, readConfig } from '../lib/config.ts';
import { findChangedFile } from '../lib/paths/installed-files.ts';
import { systemClock } from '../lib/ports/clock.ts';
import { currentPrices } from '../lib/settings/with-settings.ts';
import { listBudgets } from '../lib/usage/budgets/list.ts';
import { rolesIn } from '../lib/workspaces/access.ts';
import { runCommandLine } from './command-line.ts';
import { embedderFolder, findChanged, readEmbedderManifest } from './embedder/manifest.ts';
import { describeAccess, describeCluster } from './local/welcome.ts';
import { OPERATOR } from './operator.ts';

/** What a check says: `wrong` must be mended, `note` is what the service does without. */
export interface Finding {
  state: 'ok' | 'note' | 'wrong';
  text: string;
}

const MIN_NODE = 24;
/** Less than this is soon full: an index takes about four times its texts. */
const MIN_FREE_GB = 2;

const ok = (text: string): Finding => ({ state: 'ok', text });
const note = (text: string): Finding => ({ state: 'note', text });
const wrong = (text: string): Finding => ({ state: 'wrong', text });

/**
 * `npm run doctor`, and `wrs doctor`: what this machine has of what the service can use, and what to do about the rest. Asks
 * nobody outside.
 */
const CHECKS: Record<string, (config: Config) => Promise<Finding>> = {
  node: async () => {
    const text = `${process.version}, ${process.platform} ${process.arch}`;
    return Number.parseInt(process.versions.node, 10) >= MIN_NODE
      ? ok(text)
      : wrong(`${text}: needs ${MIN_NODE}`);
  },
  data: checkData,
  disk: checkDisk,
  roots: checkRoots,
  port: checkPort,
  access: async (config) => ok(describeAccess(config)),
  commands: async (config) => {
    const { sandbox, reason } = await describeSandbox(config);
    if (sandbox.kind !== 'none') return ok(`in a sandbox (${sandbox.kind})`);
    return note(`no sandbox (${reason}): install bubblewrap, or set ALLOW_UNSANDBOXED_COMMANDS=true`);
  },
  git: async (config) => {
    const { git, reason } = await describeGit(config);
    return git === undefined ? note(`in JavaScript: ${reason}`) : ok(git.file);
  },
  search: checkTextSearch,
  models: async (config) => {
    const provider = defaultProvider(config);
    const keys = provider === undefined ? await findStoredKeys(config) : [];
    if (keys.length > 0) return ok(`stored in the settings: ${keys.join(', ')}`);
    return provider === undefined
      ? note('none: set PROVIDER_A_API_KEY (or B, C), or PROVIDER_A_BASE_URL, for chat')
      : ok(`provider ${provider}`);
  },
  embedder: checkEmbedder,
  scans: checkRecognition,
  reranker: async ({ rerank }) =>
    isConfigured(rerank)
      ? ok(`${rerank.baseUrl ?? 'Cohere'}, ${rerank.model ?? 'its default'}`)
      : note('none: RERANK_BASE_URL'),
  sources: checkSources,
  cluster: async (config) =>
    ok((await describeCluster(config))[0]?.replace(/^cluster +/, '') ?? 'none: KUBECONFIG_PATH'),
  bots: async ({ bots }) => {
    const on = Object.entries(bots).filter(([, { enabled }]) => enabled);
    return on.length === 0
      ? note('none: IMA_BOT_ENABLED, IMB_BOT_ENABLED')
      : ok(on.map(([name]) => name).join(', '));
  },
  budgets: checkBudgets,
};

/** Finds none where no service has used the data folder, and makes none. */
async function checkBudgets(config: Config): Promise<Finding> {
  const file = join(config.dataDir, 'service.sqlite');
  if (config.aws !== undefined || !existsSync(file)) return ok('none');
  const records = await openRecords(config);
  const prices = await currentPrices(records);
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

async function checkData({ dataDir }: Config): Promise<Finding> {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK);
    return ok(dataDir);
  } catch (error) {
    return wrong(`${dataDir} cannot be written: ${(error as Error).message}`);
  }
}

async function checkDisk({ dataDir }: Config): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = (bavail * bsize) / 1e9;
  const text = `${free.toFixed(1)} GB free for ${dataDir}`;
  return free < MIN_FREE_GB ? note(text) : ok(text);
}

/** A root that is missing is made at the start; one that cannot be written takes no workspace. */
async function checkRoots({ workspaceRoots }: Config): Promise<Finding> {
  const closed: string[] = [];
  for (const root of workspaceRoots) {
    const isBad = await access(root, constants.R_OK | constants.W_OK).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
    );
    if (isBad) closed.push(root);
  }
  const all = workspaceRoots.join(', ');
  return closed.length === 0 ? ok(all) : wrong(`${closed.join(', ')} cannot be read and written`);
}

/** Checks by listening: whoever is there already may be this very service. */
async function checkPort({ port, host, publicUrl }: Config): Promise<Finding> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return ok(`${host}:${port} is free${publicUrl === undefined ? '' : `; clients come by ${publicUrl}`}`);
  } catch (error) {
    const inUse = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    if (!inUse) return wrong(`${host}:${port} cannot be listened on: ${(error as Error).message}`);
    return note(`${host}:${port} is in use, perhaps by this service: PORT is another one`);
  } finally {
    server.close();
  }
}

/** Papers, datasets and code: all of them answer without a key, less often or less. */
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

/** Checks by searching: the program may be there and not run. */
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

async function findStoredKeys(config: Config): Promise<string[]> {
  const secrets = await openSecrets(config);
  const names = ['PROVIDER_A_API_KEY', 'PROVIDER_B_API_KEY', 'PROVIDER_C_API_KEY'];
  const found = await Promise.all(names.map((name) => secrets.get(name)));
  return names.filter((_, index) => found[index] !== undefined);
}

async function checkEmbedder({ embedding, providers, dataDir }: Config): Promise<Finding> {
  if ([embedding, providers.openai, providers.gemini].some(isConfigured))
    return ok(`a service${embedding.model === undefined ? '' : `, ${embedding.model}`}`);
  const folder = embedderFolder(dataDir);
  const manifest = await readEmbedderManifest(folder);
  if (manifest === undefined)
    return note('none, searches go by words: set EMBEDDING_API_KEY, or npm run embedder -- install');
  const changed = await findChanged(folder, manifest);
  return changed === undefined
    ? ok(`${manifest.model} on this machine`)
    : wrong(
        `${changed} of ${manifest.model} has changed since it was installed: npm run embedder -- install`,
      );
}

async function checkRecognition({ recognition: { folder, isOn } }: Config): Promise<Finding> {
  if (!isOn) return note('text in pictures is not recognized: RECOGNITION=off');
  const manifest = folder === undefined ? undefined : await readRecognitionManifest(folder);
  if (folder === undefined || manifest === undefined)
    return note('pictures and scanned pages have no text: npm run recognition -- install');
  const changed = await findChangedFile(engineFolder(folder), manifest.files);
  return changed === undefined
    ? ok(`recognized with ${manifest.id}`)
    : wrong(`${changed} has changed since it was installed: npm run recognition -- install`);
}

/** One after the other, as each is known; a check that fails is something wrong too. Throws for a wrong setting. */
export async function* examine(): AsyncGenerator<Finding & { name: string }> {
  const config = readConfig();
  for (const [name, check] of Object.entries(CHECKS))
    yield { name, ...(await check(config).catch((error: Error) => wrong(error.message))) };
}

async function run(): Promise<void> {
  for await (const { name, state, text } of examine()) {
    console.log(`${state.padEnd(6)} ${name.padEnd(9)} ${text}`);
    if (state === 'wrong') process.exitCode = 1;
  }
}

if (import.meta.main) await runCommandLine('usage: npm run doctor', run);
