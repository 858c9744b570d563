import { CHAT_PLATFORMS, PLATFORMS } from '../api-contract/chat-platforms.ts';
import { operatorKeyName, type ProviderSettings, type ServerGuard } from '../config/models.ts';
import type { Config } from '../config.ts';
import type { ProviderId } from '../ports/language-model.ts';
import type { Secrets } from '../ports/secrets.ts';
import { readConnection } from './stored-connections.ts';

/**
 * Adds model keys that the environment lacks from the secret store, under the names of their variables, and
 * the connections that administrators made in the settings. They are read again for each request, so that a
 * new key takes effect immediately.
 */
export async function withProviderKeys(config: Config, secrets: Secrets): Promise<Config> {
  const { providers, embedding, rerank, entailment } = config;
  const [openai, anthropic, gemini, embeddingKey, rerankKey, entailmentKey] = await Promise.all([
    withConnection(config, 'a', providers.openai, secrets),
    withConnection(config, 'b', providers.anthropic, secrets),
    withConnection(config, 'c', providers.gemini, secrets),
    embedding.apiKey ?? secrets.get('EMBEDDING_API_KEY'),
    rerank.apiKey ?? (rerank.baseUrl && secrets.get('RERANK_API_KEY')),
    entailment.apiKey ?? (entailment.baseUrl && secrets.get('ENTAILMENT_API_KEY')),
  ]);
  return {
    ...config,
    providers: { openai, anthropic, gemini },
    embedding: { ...embedding, apiKey: embeddingKey },
    rerank: { ...rerank, apiKey: rerankKey },
    entailment: { ...entailment, apiKey: entailmentKey },
  };
}

/**
 * Returns a provider as the operator configured it, otherwise as in the settings. Never mixes the two,
 * because a key must be sent only to the URL with which it was stored. Requests both secrets at once, while
 * `secrets` still knows that its values are old.
 */
async function withConnection(
  config: Config,
  provider: ProviderId,
  operators: ProviderSettings,
  secrets: Secrets,
): Promise<ProviderSettings> {
  const { apiKey, baseUrl } = operators;
  if (apiKey !== undefined) return operators;
  const [storedKey, connection] = await Promise.all([
    secrets.get(operatorKeyName(provider)),
    baseUrl === undefined ? readConnection(secrets, provider) : undefined,
  ]);
  if (storedKey !== undefined || connection === undefined) return { ...operators, apiKey: storedKey };
  return { ...connection, guard: serverGuard(config) };
}

/** Returns the rules for connections to a model server that the settings name. */
export function serverGuard({ deployed, proxy }: Pick<Config, 'deployed' | 'proxy'>): ServerGuard {
  return { policy: deployed ? 'cloud' : 'host', proxy };
}

/** Adds the hub tokens, which only the dataset functions may read. */
export async function withHubTokens(config: Config, secrets: Secrets): Promise<Config> {
  const { huggingFace, modelScope } = config.hubs;
  const [huggingFaceToken, modelScopeToken] = await Promise.all([
    huggingFace.token ?? secrets.get('HUB_A_TOKEN'),
    modelScope.token ?? secrets.get('HUB_B_TOKEN'),
  ]);
  return {
    ...config,
    hubs: {
      huggingFace: { ...huggingFace, token: huggingFaceToken },
      modelScope: { ...modelScope, token: modelScopeToken },
    },
  };
}

/**
 * Adds the credentials of the bots and of their platforms. For a disabled bot, reads only the credential for
 * pushes.
 */
export async function withBotSecrets(config: Config, secrets: Secrets): Promise<Config> {
  const read = PLATFORMS.map(async (platform) => {
    const { settings: name, secrets: variables } = CHAT_PLATFORMS[platform];
    return [name, await withSecretsOf(config.bots[name], variables, secrets)] as const;
  });
  const bots = Object.fromEntries(await Promise.all(read)) as Config['bots'];
  const pushSecret = bots.feishu.pushSecret ?? (await secrets.get('IMA_PUSH_SECRET'));
  return { ...config, bots: { ...bots, feishu: { ...bots.feishu, pushSecret } } };
}

async function withSecretsOf(
  settings: Record<string, unknown> & { enabled: boolean },
  variables: Record<string, string>,
  secrets: Secrets,
) {
  if (!settings.enabled) return settings;
  const read = Object.entries(variables).map(
    async ([variable, name]) => [name, settings[name] ?? (await secrets.get(variable))] as const,
  );
  return { ...settings, ...Object.fromEntries(await Promise.all(read)) };
}

/** Adds the keys of paper sources. */
export async function withPaperKeys(config: Config, secrets: Secrets): Promise<Config> {
  const { semanticScholar, openAlex } = config.papers;
  const [scholarKey, alexKey] = await Promise.all([
    semanticScholar.apiKey ?? secrets.get('SEMANTIC_SCHOLAR_API_KEY'),
    openAlex.apiKey ?? secrets.get('OPENALEX_API_KEY'),
  ]);
  return {
    ...config,
    papers: {
      ...config.papers,
      semanticScholar: { ...semanticScholar, apiKey: scholarKey },
      openAlex: { ...openAlex, apiKey: alexKey },
    },
  };
}
