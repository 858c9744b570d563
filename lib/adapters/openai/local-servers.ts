import * as z from 'zod';
import type { KindedModel, LocalServer } from '../../ports/models.ts';
import { modelKind, toPlainModel } from '../../text/model-kind.ts';
import { parseJson, responseBytes } from '../outbound/response-bytes.ts';

/** In milliseconds. A running server on this host answers immediately. */
const TIMEOUT_MS = 2000;
const MAX_ANSWER_BYTES = 1_000_000;
/** The default ports of Ollama, LM Studio, llama.cpp, and vLLM. Other servers use the last two as well. */
const PORTS = [11434, 1234, 8080, 8000];

/**
 * Looks for model servers at their default ports on loopback, all at the same time. Ignores everything else.
 */
export async function findLocalServers(ports = PORTS): Promise<LocalServer[]> {
  const found = await Promise.all(ports.map(describeServer));
  return found.filter((server) => server !== undefined);
}

const openaiSchema = z.object({
  data: z.array(z.object({ id: z.string(), owned_by: z.string().nullish() })).nullish(),
});
const lmStudioSchema = z.object({ data: z.array(z.object({ id: z.string(), type: z.string() })) });
const ollamaSchema = z.object({
  models: z.array(
    z.object({ name: z.string(), details: z.object({ family: z.string() }).partial().nullish() }),
  ),
});

/** Owners of models in OpenAI's list that identify a server. */
const OWNERS: Record<string, LocalServer['kind']> = {
  llamacpp: 'llama-cpp',
  vllm: 'vllm',
  library: 'ollama',
  organization_owner: 'lm-studio',
};

/**
 * Recognizes a server by a list that only it has, otherwise by a model's owner. Ollama's list comes later,
 * because llama.cpp has it too.
 */
async function describeServer(port: number): Promise<LocalServer | undefined> {
  const origin = `http://127.0.0.1:${port}`;
  const ask = async <Body>(path: string, schema: z.ZodType<Body>) =>
    schema.parse(await getJson(`${origin}${path}`));
  const [openai, lmStudio, ollama] = await Promise.allSettled([
    ask('/v1/models', openaiSchema),
    ask('/api/v0/models', lmStudioSchema),
    ask('/api/tags', ollamaSchema),
  ]);
  const data = (openai.status === 'fulfilled' && openai.value.data) || [];
  const owner = OWNERS[data[0]?.owned_by ?? ''];
  const server = (kind: LocalServer['kind'], models: KindedModel[]) => {
    const plain = models.map(toPlainModel).sort((one, other) => (one.id < other.id ? -1 : 1));
    return { kind, baseUrl: `${origin}/v1`, models: plain };
  };
  if (lmStudio.status === 'fulfilled') return server('lm-studio', lmStudio.value.data.map(ofLmStudio));
  if (ollama.status === 'fulfilled' && owner !== 'llama-cpp')
    return server('ollama', ollama.value.models.map(ofOllama));
  if (data.length === 0) return undefined; // no server, or not a model server
  return server(
    owner ?? 'other',
    data.map(({ id }) => ({ id, name: id, kind: modelKind(id) })),
  );
}

/** Families of encoder models, which can only embed. */
const ENCODERS = /bert|gemma-?embedding/;

/** Reads Ollama's own list, because it names each model's architecture, whereas model names are arbitrary. */
function ofOllama({ name, details }: z.infer<typeof ollamaSchema>['models'][number]): KindedModel {
  const kind = ENCODERS.test(details?.family ?? '') ? 'embedding' : modelKind(name);
  return { id: name, name, kind };
}

/** Reads LM Studio's own list, which has the types `embeddings`, `llm`, and `vlm`. */
function ofLmStudio({ id, type }: z.infer<typeof lmStudioSchema>['data'][number]): KindedModel {
  if (type === 'embeddings') return { id, name: id, kind: 'embedding' };
  return { id, name: id, kind: type === 'llm' || type === 'vlm' ? 'chat' : modelKind(id) };
}

async function getJson(url: string): Promise<unknown> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.ok) return parseJson(await responseBytes(response, MAX_ANSWER_BYTES));
  await response.body?.cancel();
  throw new Error(`refused with ${response.status}`);
}
