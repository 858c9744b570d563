import { existsSync } from 'node:fs';
import { readKubeconfig } from '../../lib/adapters/kubernetes/kubeconfig.ts';
import { enabledVariable, type Platform } from '../../lib/api-contract/chat-platforms.ts';
import { isLoopbackHost, isLoopbackUrl } from '../../lib/api-contract/loopback.ts';
import { operatorCommand } from '../../lib/config/installation.ts';
import {
  defaultProvider,
  findEmbeddings,
  isConfigured,
  PROVIDERS,
  whyNoProvider,
} from '../../lib/config/models.ts';
import type { Config } from '../../lib/config.ts';
import { describeBots } from '../../lib/settings/describe-bots.ts';
import { withBotSecrets, withProviderKeys } from '../../lib/settings/stored-keys.ts';
import { currentRoots } from '../../lib/settings/with-settings.ts';
import { providerNameAt } from '../../lib/text/vendor-names.ts';
import { describeSandbox, findSelfApproval } from '../../lib/wiring/commands.ts';
import { openEntailment } from '../../lib/wiring/entailment.ts';
import { openRecognizer } from '../../lib/wiring/recognizer.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { describeOpenData } from './data-folder.ts';

/** Prints information for users who just started the service. */
export async function printWelcome(config: Config, url: string): Promise<void> {
  const connected = await withProviderKeys(config, await openSecrets(config));
  const provider = defaultProvider(connected);
  const lines = [
    `listening   ${url}   (API page: ${url}/api/docs)`,
    `data        ${config.dataDir}`,
    ...(await describeData(config)),
    `workspaces  ${(await currentRoots(await openRecords(config), config)).join(', ')}`,
    `reached     ${describeReach(config)}`,
    `access      ${describeAccess(config)}`,
    `commands    ${await describeCommands(config)}`,
    `AI          ${provider === undefined ? `not configured. ${whyNoProvider(config)}` : providerNameAt(provider, connected.providers[PROVIDERS[provider]].baseUrl)}`,
    `search      ${describeSearch(connected)}`,
    ...describeEntailment(connected).map((text) => `citations   ${text}`),
    `scans       ${await describeRecognition(config)}`,
    ...(await describeCluster(config)),
    ...(await describeLackingBots(config)).map((text) => `bots        ${text}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function describeData(config: Config): Promise<string[]> {
  const problem = config.aws === undefined ? await describeOpenData(config) : undefined;
  return problem === undefined ? [] : [`            WARNING: ${problem}`];
}

/**
 * Says where the service can be reached from, and which settings are missing if a proxy seems to be in front
 * of it.
 */
export function describeReach({ host, publicUrl, trustedProxies, auth }: Config): string {
  const from = isLoopbackHost(host) ? 'from this host only' : 'from the network, without TLS';
  if (publicUrl !== undefined) {
    const proxied = `${from}, and at ${publicUrl} if a proxy or forwarded port leads there`;
    if (isLoopbackUrl(publicUrl) || trustedProxies.length > 0) return proxied;
    return `${proxied}. Set TRUSTED_PROXIES to the proxy's address, so that the logs contain clients' addresses.`;
  }
  if (auth.mode === 'disabled') return from;
  return `${from}. Behind a proxy, set PUBLIC_URL to its URL: uploads over 4 MB, links, and MCP clients use it.`;
}

export function describeAccess({ auth }: Config): string {
  if (auth.mode === 'disabled')
    return 'no sign-in: every program and user of this host is an administrator, proxies are refused (AUTH_MODE=disabled)';
  if (auth.mode === 'oidc') {
    const roles = auth.roleMap.length > 0 ? ` or OIDC_ROLE_MAP (${auth.roleMap.length} groups)` : '';
    const tokens = auth.acceptsTokens ? ', and API tokens' : '';
    return `users of ${auth.issuer} with a role in the claim ${auth.roleClaim}${roles}${tokens}`;
  }
  return `API tokens, which ${operatorCommand('token create --name NAME --role admin')} creates`;
}

/** Says what commands can do without a sandbox, for users who run them anyway. */
async function describeCommands(config: Config): Promise<string> {
  const { sandbox, reason } = await describeSandbox(config);
  const { network, allowUnsandboxed } = config.commands;
  if (sandbox.kind !== 'none') {
    return `in a sandbox (${sandbox.kind}), ${network === 'none' ? 'without network' : 'with the network of this host'}`;
  }
  const why = `no sandbox (${reason})`;
  if (allowUnsandboxed)
    return `WITHOUT a sandbox: they can read and write everything that the service can, including tokens and approvals; ${why}`;
  return `none: ${why}. ${howToSandbox()}`;
}

/** Files and a variable that Docker, Podman, and Kubernetes leave in their containers. */
const CONTAINER_FILES = ['/.dockerenv', '/run/.containerenv'];
const CONTAINER_VARIABLE = 'KUBERNETES_SERVICE_HOST';

/** Returns how commands can have a sandbox. The defaults of a container forbid the namespaces that it consists of. */
export function howToSandbox(
  inContainer = CONTAINER_VARIABLE in process.env || CONTAINER_FILES.some((file) => existsSync(file)),
): string {
  const allow = ['seccomp', 'apparmor', 'systempaths'].map((name) => `--security-opt ${name}=unconfined`);
  const install = inContainer
    ? `This is a container. Install bubblewrap in its image, and start it with ${allow.join(' ')}`
    : 'Install bubblewrap';
  return `${install}, or set ALLOW_UNSANDBOXED_COMMANDS=true.`;
}

export function describeSearch(config: Config): string {
  const { embedding, localEmbedder, localReranker, providers } = config;
  const reranked = localReranker === undefined ? '' : `, reranked with ${localReranker.model} on this host`;
  if (embedding.isOff) return `keyword search${reranked}. EMBEDDING_MODEL=none turns semantic search off.`;
  if (findEmbeddings(config).length > 0) return `semantic and keyword search${reranked}`;
  const variable = isConfigured(providers.openai) ? 'EMBEDDING_MODEL' : 'EMBEDDING_API_KEY';
  return localEmbedder === undefined
    ? `keyword search${reranked}. For semantic search, set ${variable}, or run ${operatorCommand('embedder install')}.`
    : `semantic and keyword search, with ${localEmbedder.model} on this host${reranked}`;
}

/** Describes the entailment model, which is used only if a model judges sentences that code can't. */
function describeEntailment(config: Config): string[] {
  const { model } = openEntailment(config) ?? {};
  const place = config.entailment.baseUrl === undefined ? 'on this host' : 'of ENTAILMENT_BASE_URL';
  return model === undefined ? [] : [`judged with ${model} ${place}`];
}

async function describeRecognition(config: Config): Promise<string> {
  const recognizer = await openRecognizer(config);
  if (recognizer !== undefined) return `OCR with ${recognizer.id}`;
  if (!config.recognition.isOn) return 'no OCR (RECOGNITION=off)';
  return `no OCR. Run ${operatorCommand('recognition install')}.`;
}

/** The cluster tools that remain if a command could approve its own changes. */
const LOOK_ONLY = {
  loopback: 'commands can reach this service, and without authentication they could approve changes',
  records: 'commands run without a sandbox and could write approvals into the records',
};

/** Only cluster operations need approval. */
export async function describeCluster(config: Config): Promise<string[]> {
  const place = config.cluster.kubeconfigPath ?? (await findStoredKubeconfig(config));
  if (place === undefined) return [];
  const wrong = await findWrongKubeconfig(config);
  if (wrong !== undefined) return [`cluster     ${wrong}`];
  const way = await findSelfApproval(config);
  return [`cluster     from ${place}${way === undefined ? '' : `, read-only: ${LOOK_ONLY[way]}`}`];
}

async function findStoredKubeconfig(config: Config): Promise<string | undefined> {
  const secrets = await openSecrets(config);
  return (await secrets.get('KUBECONFIG')) === undefined ? undefined : 'the secret KUBECONFIG';
}

/** Returns the problem of the file at KUBECONFIG_PATH, and the remedy; undefined without one, or if it's readable. */
export async function findWrongKubeconfig({ cluster }: Config): Promise<string | undefined> {
  const { kubeconfigPath: path } = cluster;
  if (path === undefined) return undefined;
  return readKubeconfig({ path }).then(
    () => undefined,
    (error: Error) => `KUBECONFIG_PATH=${path} is not used. ${error.message}`,
  );
}

/** Returns enabled bots that can't answer, with their missing variables. */
export async function describeLackingBots(config: Config): Promise<string[]> {
  const { bots } = await withBotSecrets(config, await openSecrets(config));
  const lacking = Object.entries(describeBots(bots)).filter(
    ([, { enabled, missing }]) => enabled && missing.length > 0,
  );
  return lacking.map(
    ([platform, { missing }]) =>
      `${enabledVariable(platform as Platform)} is true, but the bot can't answer. Set ${missing.join(', ')}.`,
  );
}
