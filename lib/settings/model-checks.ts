import { type Caller, requireAdminOfAll } from '../access/caller.ts';
import { defaultProvider, PROVIDERS } from '../config/models.ts';
import type { Config } from '../config.ts';
import type { Capabilities, StoredCheck } from '../models/capabilities.ts';
import { type CheckedModel, checkModel } from '../models/check-model.ts';
import { seesPictures } from '../models/sees-pictures.ts';
import type { Clock } from '../ports/clock.ts';
import type { ProviderId } from '../ports/language-model.ts';
import { redactUrl } from '../secrets/redact-url.ts';
import { isOwnServer } from '../text/vendor-names.ts';
import { type SettingsPorts, storePlain } from './settings.ts';
import { type CurrentConfig, readStored, withSettings } from './with-settings.ts';

export interface ModelCheckPorts extends SettingsPorts {
  clock: Clock;
  /** Opens a model for a check by this caller. Throws NotConfigured. */
  openChecked(config: CurrentConfig, callerId: string, provider: ProviderId, model: string): CheckedModel;
}

/** Maximum number of stored checks; beyond it, the oldest are dropped. */
const MAX_CHECKS = 50;
/** In milliseconds. A laptop loads a model in a minute, and reads some tokens per second. */
const CHECK_MS = 180_000;
/** In milliseconds. On AWS, a response must come within 29 s. */
const CHECK_MS_ON_AWS = 24_000;

/**
 * Checks a model of the connected provider, and stores the result. Doesn't call a provider's own model, because its
 * capabilities are known. Throws NotConfigured, UpstreamFailed, OverBudget, Forbidden.
 */
export async function checkConnectedModel(
  ports: ModelCheckPorts,
  caller: Caller,
  provider: ProviderId,
  model: string,
): Promise<Capabilities> {
  requireAdminOfAll(caller);
  const current = await withSettings(ports.config, ports);
  const checked = ports.openChecked(current, caller.id, provider, model);
  const server = serverOf(current, provider);
  if (server === undefined) return capabilitiesOf(current, provider, model) as Capabilities;
  const signal = AbortSignal.timeout(ports.config.deployed ? CHECK_MS_ON_AWS : CHECK_MS);
  const found = await checkModel(checked, signal);
  const check = { ...found, server, checkedAt: new Date(ports.clock.now()).toISOString() };
  const before = Object.entries((await readStored(ports.records)).modelChecks ?? {});
  const others = before.filter(([key]) => key !== keyOf(provider, model)).slice(1 - MAX_CHECKS);
  await storePlain(ports.records, {
    modelChecks: Object.fromEntries([...others, [keyOf(provider, model), check]]),
  });
  return describe(current, model, check);
}

/** Returns the known capabilities of a model, or undefined. */
export function capabilitiesOf(
  config: Config & { modelChecks?: CurrentConfig['modelChecks'] },
  provider: ProviderId,
  model: string,
): Capabilities | undefined {
  const server = serverOf(config, provider);
  if (server === undefined) return describe(config, model, HOSTED[provider]);
  const check = config.modelChecks?.[keyOf(provider, model)];
  return check?.server === server ? describe(config, model, check) : undefined;
}

/** The same for the default model. */
export function defaultCapabilities(config: CurrentConfig): Capabilities | undefined {
  const provider = defaultProvider(config);
  const { model } = config.provider;
  return provider && model ? capabilitiesOf(config, provider, model) : undefined;
}

const KNOWN = {
  ...{ tools: true, jsonSchema: null, system: true, thinking: null },
  ...{ readTokensPerSecond: null, writeTokensPerSecond: null, checkedAt: null },
};
/**
 * The known capabilities of each provider's models, as its pages described them on 2026-11-29. Other
 * capabilities differ between models.
 */
const HOSTED: Record<ProviderId, typeof KNOWN> = { a: KNOWN, b: KNOWN, c: KNOWN };

function describe(config: Config, model: string, check: StoredCheck | typeof KNOWN): Capabilities {
  const { server: _, ...known } = { server: '', ...check };
  return { ...known, vision: seesPictures(model, config.provider.sighted) };
}

/** Returns the URL of a self-hosted server; undefined for a provider's own. */
function serverOf(config: Config, provider: ProviderId): string | undefined {
  const { baseUrl } = config.providers[PROVIDERS[provider]];
  return baseUrl !== undefined && isOwnServer({ provider, baseUrl }) ? redactUrl(baseUrl) : undefined;
}

function keyOf(provider: ProviderId, model: string): string {
  return `${provider} ${model}`;
}
