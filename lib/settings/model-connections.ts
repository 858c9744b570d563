import { randomUUID } from 'node:crypto';
import { type Caller, requireAdminOfAll } from '../access/caller.ts';
import { compareNames } from '../api-contract/compare-names.ts';
import { isConfigured, operatorKeyName, PROVIDERS } from '../config/models.ts';
import type { Config } from '../config.ts';
import { Conflict, InvalidInput, UpstreamFailed } from '../errors.ts';
import type { ProviderId } from '../ports/language-model.ts';
import type { LocalServer, ModelEntry } from '../ports/models.ts';
import type { Secrets } from '../ports/secrets.ts';
import { redactUrl } from '../secrets/redact-url.ts';
import { modelKind } from '../text/model-kind.ts';
import { PROVIDER_NAMES, providerNameAt } from '../text/vendor-names.ts';
import type {
  Connect,
  ConnectionState,
  Connections,
  LocalServers,
  Test,
  Tested,
} from './connection-schema.ts';
import { type SettingsPorts, storePlain } from './settings.ts';
import { type ModelConnection, readConnection, writeConnection } from './stored-connections.ts';
import { serverGuard, withProviderKeys } from './stored-keys.ts';
import { readStored } from './with-settings.ts';

export interface ConnectionPorts extends SettingsPorts {
  /** Asks a provider for its models. Throws UpstreamFailed. */
  listModels(config: Config, provider: ProviderId): Promise<{ models: ModelEntry[] }>;
  /** Returns whether the service may connect to a host named in the settings. */
  isModelHost(hostname: string): Promise<boolean>;
  findLocalServers(): Promise<LocalServer[]>;
}

const PROVIDER_IDS = Object.keys(PROVIDERS) as ProviderId[];

/**
 * Lists the connections, and only whether their keys are set. Throws Forbidden for anyone but global administrators.
 */
export async function listConnections(
  { config, secrets }: ConnectionPorts,
  caller: Caller,
): Promise<Connections> {
  requireAdminOfAll(caller);
  const connections = await Promise.all(PROVIDER_IDS.map((id) => describeConnection(config, secrets, id)));
  return { connections, asksHost: !config.deployed };
}

async function describeConnection(
  config: Config,
  secrets: Secrets,
  provider: ProviderId,
): Promise<ConnectionState> {
  const stored = await readConnection(secrets, provider);
  const operators = await operatorsOf(config, secrets, provider);
  const current = operators ?? stored;
  const { apiKey, baseUrl } = current ?? {};
  return {
    provider,
    name: current === undefined ? PROVIDER_NAMES[provider] : providerNameAt(provider, baseUrl),
    source: operators !== undefined ? 'environment' : stored === undefined ? 'none' : 'settings',
    hasKey: apiKey !== undefined,
    baseUrl: baseUrl === undefined ? null : redactUrl(baseUrl),
    embeddingModel: operators === undefined ? (stored?.embeddingModel ?? null) : null,
  };
}

/** Returns the operator's configuration, from the environment or a secret. Undefined if there is none. */
async function operatorsOf({ providers }: Config, secrets: Secrets, provider: ProviderId) {
  const { apiKey, baseUrl } = providers[PROVIDERS[provider]];
  const found = {
    apiKey: apiKey ?? (await secrets.get(operatorKeyName(provider), { fresh: true })),
    baseUrl,
  };
  return isConfigured(found) ? found : undefined;
}

/**
 * Stores a connection, which applies immediately, and returns the list. Throws Conflict if the operator configures the
 * provider, InvalidInput for a refused URL or a missing key, and Forbidden.
 */
export async function connectModel(
  ports: ConnectionPorts,
  caller: Caller,
  provider: ProviderId,
  body: Connect,
): Promise<Connections> {
  requireAdminOfAll(caller);
  const { config, records, secrets } = ports;
  if ((await operatorsOf(config, secrets, provider)) !== undefined)
    throw new Conflict(
      'model_set_in_environment',
      `The operator set up ${PROVIDER_NAMES[provider]} in the environment or the secret store. Change it there.`,
    );
  const { apiKey, baseUrl } = await resolveTarget(ports, provider, body);
  const { embeddingModel = null, model, contextTokens = null } = body;
  await writeConnection(secrets, provider, { apiKey, baseUrl, embeddingModel });
  await storePlain(records, {
    connectionsVersion: randomUUID(),
    ...(model !== undefined && { llmProvider: provider, llmModel: model, contextTokens }),
  });
  return listConnections(ports, caller);
}

/** Removes a connection, whose provider is then no longer the default. Throws Forbidden. */
export async function disconnectModel(
  ports: ConnectionPorts,
  caller: Caller,
  provider: ProviderId,
): Promise<Connections> {
  requireAdminOfAll(caller);
  const { records, secrets } = ports;
  await writeConnection(secrets, provider, null);
  const wasDefault = (await readStored(records)).llmProvider === provider;
  await storePlain(records, {
    connectionsVersion: randomUUID(),
    ...(wasDefault && { llmProvider: null, llmModel: null, contextTokens: null }),
  });
  return listConnections(ports, caller);
}

/**
 * Requests the provider's models, with the values in the body or otherwise the current ones. Returns a
 * failure as a result. Otherwise, throws the errors of connectModel.
 */
export async function testConnection(
  ports: ConnectionPorts,
  caller: Caller,
  provider: ProviderId,
  body: Test,
): Promise<Tested> {
  requireAdminOfAll(caller);
  const config = await configToTest(ports, provider, body);
  try {
    const { models } = await ports.listModels(config, provider);
    const kinded = models
      .map((model) => ({ ...model, kind: modelKind(model.id) }))
      .sort((one, other) => compareNames(one.id, other.id));
    if (body.model === undefined || models.length === 0 || models.some(({ id }) => id === body.model))
      return { ok: true, code: null, message: null, models: kinded };
    const { baseUrl } = config.providers[PROVIDERS[provider]];
    const message = `${providerNameAt(provider, baseUrl)} does not offer ${body.model}. Choose another model.`;
    return { ok: false, code: 'model_not_found', message, models: kinded };
  } catch (error) {
    if (!(error instanceof UpstreamFailed)) throw error;
    return { ok: false, code: error.code, message: error.message, models: [] };
  }
}

/** Returns whether a test concerns the stored connection. */
export function isAsSetUp({ apiKey, baseUrl }: Test): boolean {
  return apiKey === undefined && baseUrl === undefined;
}

async function configToTest(ports: ConnectionPorts, provider: ProviderId, body: Test): Promise<Config> {
  const { config, secrets } = ports;
  const current = await withProviderKeys(config, secrets);
  if (isAsSetUp(body)) return current;
  const target = await resolveTarget(ports, provider, body);
  const connected = { ...target, guard: serverGuard(config) };
  return { ...current, providers: { ...current.providers, [PROVIDERS[provider]]: connected } };
}

/**
 * Returns the key and the URL for a request body. A stored key belongs to its URL, and is never sent to
 * another one.
 */
async function resolveTarget(
  { secrets, isModelHost }: ConnectionPorts,
  provider: ProviderId,
  body: Test,
): Promise<Pick<ModelConnection, 'apiKey' | 'baseUrl'>> {
  const stored = await readConnection(secrets, provider);
  const baseUrl = body.baseUrl ?? undefined;
  if (baseUrl !== undefined && !(await isModelHost(new URL(baseUrl).hostname)))
    throw new InvalidInput(
      'model_address_refused',
      'baseUrl must not lead to an address of the cloud itself. Use the URL of the model server.',
      { field: 'baseUrl' },
    );
  const isMoved = stored?.baseUrl !== baseUrl;
  if (body.apiKey === undefined && stored?.apiKey !== undefined && isMoved)
    throw missingKey(
      "apiKey must be sent with another baseUrl: the stored key isn't used there. Null for a server without keys.",
    );
  const apiKey = body.apiKey === undefined ? stored?.apiKey : (body.apiKey ?? undefined);
  if (!isConfigured({ apiKey, baseUrl })) throw missingKey("apiKey is required for the provider's own URL.");
  return { apiKey, baseUrl };
}

function missingKey(message: string): InvalidInput {
  return new InvalidInput('missing_value', message, { field: 'apiKey' });
}

/** Looks for model servers on the service's host. Throws Forbidden. */
export async function findLocalModels(
  { config, findLocalServers }: ConnectionPorts,
  caller: Caller,
): Promise<LocalServers> {
  requireAdminOfAll(caller);
  if (config.deployed) return { asksHost: false, servers: [] };
  return { asksHost: true, servers: await findLocalServers() };
}
