import type { ContextWindow } from './language-model.ts';

/** A model that a provider offers. */
export interface ModelEntry {
  id: string;
  name: string;
  /** The model's context window in tokens, if known. */
  contextTokens?: number | undefined;
  contextTokensFrom?: ContextWindow['from'] | undefined;
}

/** A model with its purpose. */
export interface KindedModel extends ModelEntry {
  kind: 'chat' | 'embedding' | 'other';
}

/** A model server on the service's host. */
export interface LocalServer {
  /** `other` has OpenAI's API, but doesn't identify itself. */
  kind: 'ollama' | 'lm-studio' | 'llama-cpp' | 'vllm' | 'other';
  /** The URL of its OpenAI-compatible API. */
  baseUrl: string;
  models: KindedModel[];
}
