import { realpath } from 'node:fs/promises';
import type { Config } from '../config.ts';
import type { StoredCheck } from '../models/capabilities.ts';
import type { Records } from '../ports/records.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { ModelPrices } from '../prices/schema.ts';
import { isJudged, type ServiceJudge } from '../support/judge-setting.ts';
import { type StoredSettings, storedSettings } from './schema.ts';
import { withProviderKeys } from './stored-keys.ts';
import { type ChosenWebSearch, chosenWebSearch } from './web-search.ts';

/**
 * Milliseconds for which a process on AWS uses the settings that it has read. A single host reads them each
 * time, because its threads share no memory.
 */
const FRESH_MS = 5000;

interface Known {
  value: Promise<StoredSettings>;
  until: number;
}

const known = new WeakMap<Records, Known>();

/** The configuration with the settings that only the API can change. */
export type CurrentConfig = Config & {
  prices: ModelPrices;
  modelChecks: Record<string, StoredCheck>;
  chosenWebSearch: ChosenWebSearch | undefined;
};

/** Returns the current configuration, with the keys of the secret store and the settings of the API. */
export async function withSettings(
  config: Config,
  { records, secrets }: { records: Records; secrets: Secrets },
): Promise<CurrentConfig> {
  const stored = await readFresh(records, config);
  return overlay(await withProviderKeys(config, sinceVersion(secrets, stored.connectionsVersion)), stored);
}

/** The version of the connections when a process last bypassed its cache. */
const versions = new WeakMap<Secrets, string | undefined>();

/**
 * Returns a secret store that bypasses its cache once after each change of a connection. Otherwise, other processes on
 * AWS would use a removed key for minutes.
 */
function sinceVersion(secrets: Secrets, version: string | undefined): Secrets {
  if (versions.get(secrets) === version) return secrets;
  versions.set(secrets, version);
  return { ...secrets, get: (name) => secrets.get(name, { fresh: true }) };
}

/**
 * Applies stored settings. A model belongs to its provider, so an environment variable's model for another provider is
 * ignored.
 */
export function overlay(config: Config, stored: StoredSettings): CurrentConfig {
  const { llmProvider, llmModel, contextTokens, reportTimezone, citationJudge, semanticSearch } = stored;
  const { prices = {}, modelChecks = {} } = stored;
  const { id, model, contextTokens: ofEnvironment } = config.provider;
  const sameProvider = llmProvider === undefined || llmProvider === id;
  const sameModel = sameProvider && (llmModel === undefined || llmModel === model);
  return {
    ...config,
    provider: {
      ...config.provider,
      id: llmProvider ?? id,
      model: llmModel ?? (sameProvider ? model : undefined),
      contextTokens: contextTokens ?? (sameModel ? ofEnvironment : undefined),
    },
    embedding: {
      ...config.embedding,
      isOff: semanticSearch === undefined ? config.embedding.isOff : semanticSearch === 'off',
    },
    reportTimezone: reportTimezone ?? config.reportTimezone,
    judgesCitations: isJudged(undefined, { citationJudge }, config),
    prices,
    modelChecks,
    chosenWebSearch: chosenWebSearch(config, stored.webSearch),
  };
}

/** Returns the current prices, for callers that need no key. */
export async function currentPrices(records: Records, config: Config): Promise<ModelPrices> {
  return (await readFresh(records, config)).prices ?? {};
}

/**
 * Returns whether the service has a model judge citations, and whether its settings say so, for callers that
 * need no key.
 */
export async function currentJudge(records: Records, config: Config): Promise<ServiceJudge> {
  const stored = await readFresh(records, config);
  const { judgesCitations } = overlay(config, stored);
  return { judgesCitations, source: judgeSourceOf(stored) };
}

/** Returns the provider of web search, for callers that need no key; undefined if it's disabled. */
export async function currentWebSearch(
  records: Records,
  config: Config,
): Promise<ChosenWebSearch | undefined> {
  return chosenWebSearch(config, (await readFresh(records, config)).webSearch);
}

export function judgeSourceOf({ citationJudge }: StoredSettings): ServiceJudge['source'] {
  return citationJudge === undefined ? 'environment' : 'settings';
}

/**
 * Returns the folders that may contain workspaces: those of the environment and, on a single host, those of
 * the settings. Omits a folder whose path now leads elsewhere, because a link may have replaced it since.
 */
export async function currentRoots(records: Records, config: Config): Promise<string[]> {
  if (config.aws !== undefined) return config.workspaceRoots;
  const { workspaceRoots: added = [] } = await readStored(records);
  const locations = await Promise.all(added.map((root) => realpath(root).catch(() => undefined)));
  return [...config.workspaceRoots, ...added.filter((root, place) => locations[place] === root)];
}

export function forgetSettings(records: Records): void {
  known.delete(records);
}

function readFresh(records: Records, { aws }: Pick<Config, 'aws'>): Promise<StoredSettings> {
  if (aws === undefined) return readStored(records);
  const before = known.get(records);
  const now = performance.now();
  if (before !== undefined && now < before.until) return before.value;
  const value = readStored(records);
  known.set(records, { value, until: now + FRESH_MS });
  value.catch(() => known.delete(records));
  return value;
}

export async function readStored(records: Records): Promise<StoredSettings> {
  return (await storedSettings.get(records, {})) ?? {};
}
