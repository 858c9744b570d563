import { toLine } from './one-line.ts';

/**
 * Names of models that don't chat, as the documentation of OpenAI, Gemini, Ollama, and LM Studio lists them
 * (2026-11). `*` matches anything. Models with other names are shown, because omitting a wanted model is
 * worse than offering an unwanted one.
 */
const EMBEDDING = [
  ...['text-embedding-*', 'gemini-embedding-*', 'embedding-001', 'embedding-gecko-*', 'voyage-*'],
  ...['nomic-embed-*', 'mxbai-embed-*', 'snowflake-arctic-embed*', 'granite-embedding*', 'embeddinggemma*'],
  ...['qwen3-embedding*', 'all-minilm*', 'paraphrase-multilingual*', 'bge-*', 'e5-*', 'multilingual-e5-*'],
  ...['gte-*', 'jina-embeddings-*', 'cohere-embed-*', 'embed-english-*', 'embed-multilingual-*'],
  ...[
    '*-embed',
    '*-embedding',
    '*-embed-text-*',
    '*-text-embedding-*',
    '*-embed-v[0-9]*',
    '*-embedding-v[0-9]*',
  ],
];
const OTHER = [
  ...['whisper-*', 'tts-*', 'dall-e-*', 'gpt-image-*', 'sora-*', 'omni-moderation-*', 'text-moderation-*'],
  ...['babbage-002', 'davinci-002', 'gpt-3.5-turbo-instruct*', '*-transcribe', '*-tts', '*-realtime*'],
  ...['imagen-*', 'veo-*', 'aqa', '*-preview-tts', 'bge-reranker-*', '*-reranker*'],
];

type ModelKind = 'chat' | 'embedding' | 'other';

const patterns = { other: OTHER.map(toPattern), embedding: EMBEDDING.map(toPattern) };

/** Returns a model's purpose by its name; `chat` for an unknown model. */
export function modelKind(id: string): ModelKind {
  const name = id.slice(id.lastIndexOf('/') + 1).toLowerCase();
  // Ollama puts the size or the variant after a colon; LM Studio puts a prefix and a quantization around the name.
  const plain = name.replace(/:.*$/, '').replace(/^text-embedding-(?=.*embed)/, '');
  const fits = (pattern: RegExp) => pattern.test(plain);
  if (patterns.other.some(fits)) return 'other';
  return patterns.embedding.some(fits) ? 'embedding' : 'chat';
}

function toPattern(name: string): RegExp {
  const source = name.replaceAll('.', '\\.').replaceAll('*', '.*');
  return new RegExp(`^${source}$`);
}

const MAX_NAME = 200;

/** Returns a model with its ID and name on one line each, because any server may have sent them. */
export function toPlainModel<Model extends { id: string; name: string }>(model: Model): Model {
  return { ...model, id: toLine(model.id, MAX_NAME), name: toLine(model.name, MAX_NAME) };
}
