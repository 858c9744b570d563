import { describeSandbox, findSelfApproval } from '../../lib/choose/commands.ts';
import { openRecognizer } from '../../lib/choose/recognizer.ts';
import { openSecrets } from '../../lib/choose/secrets.ts';
import { type Config, defaultProvider, isConfigured } from '../../lib/config.ts';

/** What a person who just started the service wants to know. */
export async function printWelcome(config: Config, url: string): Promise<void> {
  const provider = defaultProvider(config);
  const lines = [
    `listening   ${url}   (API page: ${url}/api/docs)`,
    `data        ${config.dataDir}`,
    `workspaces  ${config.workspaceRoots.join(', ')}`,
    `access      ${describeAccess(config)}`,
    `commands    ${await describeCommands(config)}`,
    `AI          ${provider === undefined ? 'not configured: set PROVIDER_A_API_KEY (or B, C) for chat' : `provider ${provider}`}`,
    `search      ${describeSearch(config)}`,
    `scans       ${await describeRecognition(config)}`,
    ...(await describeCluster(config)),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

export function describeAccess({ auth }: Config): string {
  if (auth.mode === 'disabled') return 'open to this machine only (AUTH_MODE=disabled)';
  if (auth.mode === 'oidc') return `tokens of ${auth.issuer}`;
  return 'tokens; the first: npm run token -- create --name NAME --role admin';
}

/** Says what commands can do where there is no sandbox, to whoever may run them anyway. */
export async function describeCommands(config: Config): Promise<string> {
  const { sandbox, reason } = await describeSandbox(config);
  const { network, allowUnsandboxed } = config.commands;
  if (sandbox.kind !== 'none') {
    return `in a sandbox (${sandbox.kind}), ${network === 'none' ? 'without network' : 'with the network of this machine'}`;
  }
  const why = `no sandbox here (${reason})`;
  if (allowUnsandboxed)
    return `WITHOUT a sandbox: they can read and write all that this service can, tokens and approvals too; ${why}`;
  return `none: ${why}; install bubblewrap, or set ALLOW_UNSANDBOXED_COMMANDS=true`;
}

export function describeSearch({ embedding, providers, localEmbedder }: Config): string {
  if ([embedding, providers.openai, providers.gemini].some(isConfigured)) return 'by words and by meaning';
  return localEmbedder === undefined
    ? 'by words; by meaning too with EMBEDDING_API_KEY, or without a key: npm run embedder -- install'
    : `by words and by meaning, with ${localEmbedder.model} on this machine`;
}

export async function describeRecognition(config: Config): Promise<string> {
  const recognizer = await openRecognizer(config);
  if (recognizer !== undefined) return `their text is recognized, with ${recognizer.id}`;
  return config.recognition.isOn
    ? 'without text: npm run recognition -- install'
    : 'without text: RECOGNITION=off';
}

/** What of the cluster is left where a command could approve its changes. */
const LOOK_ONLY = {
  loopback: 'commands reach this service, and without logins they could approve changes',
  records: 'commands run without a sandbox, and could write approvals of changes into the records',
};

/** Only with a cluster there is anything that a person approves. */
export async function describeCluster(config: Config): Promise<string[]> {
  const place = config.cluster.kubeconfigPath ?? (await findStoredKubeconfig(config));
  if (place === undefined) return [];
  const way = await findSelfApproval(config);
  return [`cluster     of ${place}${way === undefined ? '' : `, to look at only: ${LOOK_ONLY[way]}`}`];
}

async function findStoredKubeconfig(config: Config): Promise<string | undefined> {
  const secrets = await openSecrets(config);
  return (await secrets.get('KUBECONFIG')) === undefined ? undefined : 'the secret KUBECONFIG';
}
