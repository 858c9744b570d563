import type { Config } from '../config.ts';
import type { Secrets } from '../ports/secrets.ts';

/**
 * Adds the model keys that are missing in the environment from the secret store, where they are stored under the names of their
 * variables. Read again for each request, so that a new key takes effect immediately.
 */
export async function withProviderKeys(config: Config, secrets: Secrets): Promise<Config> {
  const { providers, embedding, rerank } = config;
  const [openaiKey, anthropicKey, geminiKey, embeddingKey, rerankKey] = await Promise.all([
    providers.openai.apiKey ?? secrets.get('PROVIDER_A_API_KEY'),
    providers.anthropic.apiKey ?? secrets.get('PROVIDER_B_API_KEY'),
    providers.gemini.apiKey ?? secrets.get('PROVIDER_C_API_KEY'),
    embedding.apiKey ?? secrets.get('EMBEDDING_API_KEY'),
    rerank.apiKey ?? (rerank.baseUrl && secrets.get('RERANK_API_KEY')),
  ]);
  return {
    ...config,
    providers: {
      openai: { ...providers.openai, apiKey: openaiKey },
      anthropic: { ...providers.anthropic, apiKey: anthropicKey },
      gemini: { ...providers.gemini, apiKey: geminiKey },
    },
    embedding: { ...embedding, apiKey: embeddingKey },
    rerank: { ...rerank, apiKey: rerankKey },
  };
}

/** The same for the tokens of the hubs, which only the dataset functions may read. */
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

/** The same for the credentials of the bots and of their platforms. Nothing is read for a disabled bot. */
export async function withBotSecrets(config: Config, secrets: Secrets): Promise<Config> {
  const [feishu, wecom] = await Promise.all([
    withFeishuSecrets(config.bots.feishu, secrets),
    withWecomSecrets(config.bots.wecom, secrets),
  ]);
  return { ...config, bots: { feishu, wecom } };
}

async function withFeishuSecrets(
  feishu: Config['bots']['feishu'],
  secrets: Secrets,
): Promise<Config['bots']['feishu']> {
  const [appSecret, verificationToken, encryptKey, pushSecret] = await Promise.all([
    feishu.appSecret ?? (feishu.enabled ? secrets.get('IMA_APP_SECRET') : undefined),
    feishu.verificationToken ?? (feishu.enabled ? secrets.get('IMA_VERIFICATION_TOKEN') : undefined),
    feishu.encryptKey ?? (feishu.enabled ? secrets.get('IMA_ENCRYPT_KEY') : undefined),
    feishu.pushSecret ?? secrets.get('IMA_PUSH_SECRET'),
  ]);
  return { ...feishu, appSecret, verificationToken, encryptKey, pushSecret };
}

async function withWecomSecrets(
  wecom: Config['bots']['wecom'],
  secrets: Secrets,
): Promise<Config['bots']['wecom']> {
  if (!wecom.enabled) return wecom;
  const [corpSecret, token, encodingAesKey] = await Promise.all([
    wecom.corpSecret ?? secrets.get('IMB_CORP_SECRET'),
    wecom.token ?? secrets.get('IMB_TOKEN'),
    wecom.encodingAesKey ?? secrets.get('IMB_ENCODING_AES_KEY'),
  ]);
  return { ...wecom, corpSecret, token, encodingAesKey };
}

/** The same for the keys of paper sources. */
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
