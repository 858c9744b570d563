import type { ContextWindow } from './language-model.ts';

/** A model that a provider offers. */
export interface ModelEntry {
  id: string;
  name: string;
  /** Its window, if known. */
  contextTokens?: number | undefined;
  contextTokensFrom?: ContextWindow['from'] | undefined;
}

/** The same with its purpose. */
export interface KindedModel extends ModelEntry {
  kind: 'chat' | 'embedding' | 'other';
}

/** A model server on the service's own host. */
export interface LocalServer {
  /** `other` has OpenAI's API, and doesn't say which server it is. */
  kind: 'ollama' | 'lm-studio' | 'llama-cpp' | 'vllm' | 'other';
  /** The URL of its OpenAI-compatible API. */
  baseUrl: string;
  models: KindedModel[];
}
