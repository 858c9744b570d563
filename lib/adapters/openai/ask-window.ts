import type { ProviderSettings } from '../../config/models.ts';
import { modelFetch } from '../outbound/model-fetch.ts';
import { parseJson, responseBytes } from '../outbound/response-bytes.ts';

/** In milliseconds. A running server answers immediately, even while its model is busy. */
const TIMEOUT_MS = 2500;
/** Maximum bytes. A gateway may list hundreds of models. */
const MAX_ANSWER_BYTES = 2_000_000;
/** Tokens. Ollama and LM Studio load a model with this window by default. */
const COMMON_DEFAULT = 4096;

/** A model's window in tokens, as a server reports it. */
export interface AskedWindow {
  contextTokens: number;
  /** Set if the model isn't loaded yet, and will probably get this window. */
  isGuess?: true;
}

type Settings = Pick<ProviderSettings, 'apiKey' | 'baseUrl' | 'guard'>;
type Fields = Record<string, unknown>;
type Ask = (path: string, body?: object) => Promise<unknown>;

/**
 * Asks a model server for a model's window in the formats of llama.cpp, vLLM, SGLang, LM Studio, Ollama,
 * KoboldCpp, TGI, and gateways, all at the same time. Undefined if the server supports none of them. Never
 * throws.
 */
export async function askWindow(settings: Settings, model: string): Promise<AskedWindow | undefined> {
  const ask = asker(settings);
  const asked = [
    askOllama(ask, model),
    askLmStudio(ask, model),
    ask('/props').then((body) => found(at(body, 'default_generation_settings', 'n_ctx'))),
    askList(ask, model),
    ask('/info').then((body) => found(at(body, 'max_total_tokens'))),
    ask('/api/extra/true_max_context_length').then((body) => found(at(body, 'value'))),
  ];
  const answers = await Promise.all(asked.map((each) => each.catch(() => undefined)));
  return answers.find((answer) => answer !== undefined);
}

/**
 * Returns a function that requests paths in the same folder as the API's, because the key is meant only for
 * that folder.
 */
function asker({ apiKey, baseUrl = '', guard }: Settings): Ask {
  const root = baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
  const send = modelFetch(guard);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const headers = {
    'content-type': 'application/json',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
  return async (path, body) => {
    const posted = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await send(`${root}${path}`, { ...posted, headers, redirect: 'manual', signal });
    if (response.ok) return parseJson(await responseBytes(response, MAX_ANSWER_BYTES));
    await response.body?.cancel();
    return undefined;
  };
}

async function askList(ask: Ask, model: string): Promise<AskedWindow | undefined> {
  const entries = listIn(await ask('/v1/models'), 'data');
  const own = entries.find(({ id }) => id === model) ?? (entries.length === 1 ? entries[0] : undefined);
  return found(listedWindow(own));
}

/**
 * Returns the window from a model list's entry, where each server uses another field. Ignores the training
 * window.
 */
export function listedWindow(entry: Fields | undefined): number | undefined {
  const { meta, max_model_len, context_length, max_context_length, context_window } = entry ?? {};
  const told = [at(meta, 'n_ctx'), max_model_len, context_length, context_window, max_context_length];
  return told.map(wholeTokens).find((tokens) => tokens !== undefined);
}

async function askLmStudio(ask: Ask, model: string): Promise<AskedWindow | undefined> {
  const own = listIn(await ask('/api/v0/models'), 'data').find(({ id }) => id === model);
  if (own === undefined) return undefined;
  return found(own.loaded_context_length) ?? guess(COMMON_DEFAULT, own.max_context_length);
}

/**
 * Asks Ollama. A model that isn't loaded will get its own `num_ctx`, or the server's default, which the server doesn't
 * report.
 */
async function askOllama(ask: Ask, model: string): Promise<AskedWindow | undefined> {
  const loaded = await ask('/api/ps');
  if (!Array.isArray(at(loaded, 'models'))) return undefined;
  const named = [model, `${model}:latest`];
  const own = listIn(loaded, 'models').find(({ name }) => named.includes(String(name)));
  const running = found(own?.context_length);
  if (running !== undefined) return running;
  const shown = await ask('/api/show', { model });
  const [, set] = /^num_ctx\s+(\d+)/m.exec(String(at(shown, 'parameters') ?? '')) ?? [];
  const info = Object.entries((at(shown, 'model_info') ?? {}) as Fields);
  const trained = info.find(([name]) => name.endsWith('.context_length'))?.[1];
  return found(Number(set)) ?? guess(COMMON_DEFAULT, trained);
}

function guess(usual: number, most: unknown): AskedWindow {
  return { contextTokens: Math.min(usual, wholeTokens(most) ?? usual), isGuess: true };
}

function found(told: unknown): AskedWindow | undefined {
  const contextTokens = wholeTokens(told);
  return contextTokens === undefined ? undefined : { contextTokens };
}

/** Returns a valid number of tokens, because servers may report anything. */
function wholeTokens(told: unknown): number | undefined {
  const isSize = typeof told === 'number' && Number.isInteger(told) && told >= 256 && told <= 100_000_000;
  return isSize ? told : undefined;
}

function listIn(body: unknown, name: string): Fields[] {
  const list = at(body, name);
  return Array.isArray(list) ? list.filter((each) => typeof each === 'object' && each !== null) : [];
}

function at(body: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? (value as Fields)[name] : undefined),
    body,
  );
}
