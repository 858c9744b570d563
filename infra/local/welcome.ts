import { type Config, defaultProvider } from '../../lib/config.ts';

/** What a person who just started the service wants to know. */
export function printWelcome(config: Config, url: string): void {
  const provider = defaultProvider(config);
  const lines = [
    `listening   ${url}   (API page: ${url}/api/docs)`,
    `data        ${config.dataDir}`,
    `workspaces  ${config.workspaceRoots.join(', ')}`,
    `access      ${describeAccess(config)}`,
    `AI          ${provider === undefined ? 'not configured: set PROVIDER_A_API_KEY (or B, C) for chat' : `provider ${provider}`}`,
    `search      ${describeSearch(config)}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function describeAccess({ auth }: Config): string {
  if (auth.mode === 'disabled') return 'open to this machine only (AUTH_MODE=disabled)';
  if (auth.mode === 'oidc') return `tokens of ${auth.issuer}`;
  return 'tokens; the first: npm run token -- create --name NAME --role admin';
}

function describeSearch(config: Config): string {
  const { embedding, providers } = config;
  const embeds = embedding.apiKey ?? embedding.baseUrl ?? providers.a.apiKey ?? providers.c.apiKey;
  return embeds === undefined
    ? 'by words; set EMBEDDING_API_KEY for search by meaning too'
    : 'by words and by meaning';
}
