import { type Caller, requireAdminOfAll } from '../access/caller.ts';
import { withTimeout } from '../async/with-timeout.ts';
import { defaultProvider, findEmbeddings, isConfigured } from '../config/models.ts';
import type { Config } from '../config.ts';
import type { Capabilities } from '../models/capabilities.ts';
import type { ContextWindow } from '../ports/language-model.ts';
import type { Records } from '../ports/records.ts';
import type { Secrets } from '../ports/secrets.ts';
import { LIST_PRICES, LIST_PRICES_AS_OF } from '../prices/list-prices.ts';
import { redactUrl } from '../secrets/redact-url.ts';
import { judgeValue } from '../support/judge-setting.ts';
import { describeBots } from './describe-bots.ts';
import {
  type Settings,
  type StoredSettings,
  storedSettings,
  type UpdatedSettings,
  type UpdateSettings,
} from './schema.ts';
import { withBotSecrets, withProviderKeys } from './stored-keys.ts';
import { describeWebSearch, storeSearchKey } from './web-search.ts';
import {
  type CurrentConfig,
  currentRoots,
  forgetSettings,
  judgeSourceOf,
  overlay,
  readStored,
} from './with-settings.ts';

export interface SettingsPorts {
  /** The configuration from the environment. */
  config: Config;
  records: Records;
  secrets: Secrets;
  /** Returns the window of the default model. */
  readWindow?(config: Config): Promise<ContextWindow | undefined>;
  /** Returns the known capabilities of the default model, without asking its server. */
  knownCapabilities?(config: CurrentConfig): Capabilities | undefined;
}

/** Milliseconds for which a page waits for a model server. At the next request, the window is known. */
const WINDOW_MS = 500;

/** Returns the settings, and only whether secrets are set. Throws Forbidden for anyone but global administrators. */
export async function readSettings(
  { config, records, secrets, readWindow, knownCapabilities }: SettingsPorts,
  caller: Caller,
): Promise<Settings> {
  requireAdminOfAll(caller);
  const [withKeys, { bots }, stored, hubToken, codeHostToken, kubeconfig] = await Promise.all([
    withProviderKeys(config, secrets),
    withBotSecrets(config, secrets),
    readStored(records),
    secrets.get('HUB_A_TOKEN'),
    config.codeHost.token ?? secrets.get('CODE_HOST_TOKEN'),
    config.cluster.kubeconfigPath ?? secrets.get('KUBECONFIG'),
  ]);
  const current = overlay(withKeys, stored);
  const windowOf = async (of: Config) => readWindow && withTimeout(WINDOW_MS, () => readWindow(of));
  const { contextTokens } = current.provider;
  const unset = { ...current, provider: { ...current.provider, contextTokens: undefined } };
  const [window, reported] = await Promise.all([
    windowOf(current),
    contextTokens === undefined ? undefined : windowOf(unset),
  ]);
  return {
    ...describeModels(current),
    contextTokens: contextTokens ?? null,
    capabilities: knownCapabilities?.(current) ?? null,
    contextWindow: window ?? null,
    reportedTokens: reported?.from === 'server' ? reported.contextTokens : null,
    citationJudge: judgeValue(current.judgesCitations),
    citationJudgeSource: judgeSourceOf(stored),
    workspaceRoots: await currentRoots(records, config),
    hubAToken: describeHubToken(config.hubs.huggingFace.token, hubToken),
    webSearch: await describeWebSearch(config, secrets, stored.webSearch),
    codeHostToken: { configured: codeHostToken !== undefined },
    bots: describeBots(bots),
    cluster: { configured: kubeconfig !== undefined },
    reportTimezone: current.reportTimezone,
    prices: current.prices,
    listPrices: { asOf: LIST_PRICES_AS_OF, models: LIST_PRICES },
  };
}

function describeModels(config: Config) {
  const { provider, providers, embedding, localEmbedder } = config;
  const used = defaultProvider(config);
  const [service] = findEmbeddings(config);
  const local = embedding.isOff ? undefined : localEmbedder;
  const embeddingModel = service === undefined ? local?.model : service.settings.embeddingModel;
  return {
    aiAvailable: used !== undefined,
    llmProvider: provider.id ?? used ?? null,
    llmModel: provider.model ?? null,
    providers: {
      a: describeProvider(providers.openai),
      b: describeProvider(providers.anthropic),
      c: describeProvider(providers.gemini),
    },
    // Embedding that isn't configured separately uses the provider's configuration.
    embedding: {
      configured: service !== undefined || local !== undefined,
      model: embedding.model ?? embeddingModel ?? null,
    },
    semanticSearch: embedding.isOff ? ('off' as const) : ('on' as const),
  };
}

function describeProvider(settings: Config['providers']['openai']) {
  const { baseUrl } = settings;
  return {
    configured: isConfigured(settings),
    baseUrl: baseUrl === undefined ? null : redactUrl(baseUrl),
  };
}

function describeHubToken(
  environment: string | undefined,
  stored: string | undefined,
): Settings['hubAToken'] {
  if (environment !== undefined) return { configured: true, source: 'env' };
  return stored === undefined
    ? { configured: false, source: null }
    : { configured: true, source: 'settings' };
}

/**
 * Changes settings; omitted fields stay unchanged. Returns the new settings, and which of them aren't in effect. Throws
 * the errors of readSettings.
 */
export async function updateSettings(
  ports: SettingsPorts,
  caller: Caller,
  update: UpdateSettings,
): Promise<UpdatedSettings> {
  requireAdminOfAll(caller);
  const { config, records, secrets } = ports;
  const { hubAToken, webSearch: search, ...plain } = update;
  const webSearch = search === undefined ? undefined : await storeSearchKey(config, secrets, search);
  if (hubAToken !== undefined) await secrets.set('HUB_A_TOKEN', hubAToken);
  await storePlain(records, await withoutOldWindow(records, { ...plain, webSearch }));
  return { ...(await readSettings(ports, caller)), ...describeNotInForce(ports.config, update) };
}

/**
 * A key from the environment overrides the stored one. For other fields, the value set here takes precedence.
 */
function describeNotInForce({ hubs }: Config, { hubAToken }: UpdateSettings) {
  if (hubAToken === undefined || hubs.huggingFace.token === undefined) return {};
  const why = 'HUB_A_TOKEN is set in the environment, which overrides the value here';
  return { notInForce: { hubAToken: why } };
}

/** The configured window belongs to the previous model. */
async function withoutOldWindow(records: Records, changes: PlainChanges): Promise<PlainChanges> {
  const { llmProvider, llmModel } = await readStored(records);
  const isOther = (change: string | null | undefined, before: string | undefined) =>
    change !== undefined && (change ?? undefined) !== before;
  const isMoved = isOther(changes.llmProvider, llmProvider) || isOther(changes.llmModel, llmModel);
  return { ...(isMoved && { contextTokens: null }), ...changes };
}

type PlainChanges = { [Field in keyof StoredSettings]: StoredSettings[Field] | null };

/**
 * Stores each field separately, so that concurrent changes of different fields are both kept. They take
 * effect immediately in this process.
 */
export async function storePlain(records: Records, changes: PlainChanges): Promise<void> {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return;
  await storedSettings.create(records, {});
  const set: StoredSettings = Object.fromEntries(entries.filter(([, value]) => value !== null));
  const remove = entries.filter(([, value]) => value === null).map(([name]) => name);
  await storedSettings.update(records, {}, { set, remove });
  forgetSettings(records);
}
