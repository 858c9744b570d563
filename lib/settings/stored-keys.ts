import type { Config } from '../config.ts';
import type { Secrets } from '../ports/secrets.ts';

/**
 * The configuration with the keys of models that are not in the environment taken from the secret store, where they lie
 * under the names of their variables. Read anew for each request, so that a key that is set or replaced holds at once.
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

/** Likewise for the tokens of the hubs, which only the functions of the datasets may read. */
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

/** Likewise for what the bots prove themselves with, and know their platforms by. Nothing is read for a bot that is off. */
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

/** The settings with the keys of the sources of papers, from the secret store where the environment lacks them. */
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
