/** A model that a provider offers. */
export interface ModelEntry {
  id: string;
  name: string;
}

/** The same with its purpose. */
export interface KindedModel extends ModelEntry {
  kind: 'chat' | 'embedding' | 'other';
}

/** A model server on the service's own host. */
export interface LocalServer {
  kind: 'ollama' | 'lm-studio';
  /** Where its OpenAI-compatible API is. */
  baseUrl: string;
  models: KindedModel[];
}
