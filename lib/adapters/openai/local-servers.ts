import * as z from 'zod';
import type { KindedModel, LocalServer } from '../../ports/models.ts';
import { modelKind, toPlainModel } from '../../text/model-kind.ts';
import { parseJson, responseBytes } from '../outbound/response-bytes.ts';

/** On this host, a server that runs answers at once. */
const TIMEOUT_MS = 2000;
const MAX_ANSWER_BYTES = 1_000_000;
const PORTS = { ollama: 11434, lmStudio: 1234 };

/** Looks for Ollama and LM Studio at their default ports on this host's loopback. Those that don't answer are left out. */
export async function findLocalServers(ports = PORTS): Promise<LocalServer[]> {
  const found = await Promise.all([
    describeServer('ollama', ports.ollama, listOllama),
    describeServer('lm-studio', ports.lmStudio, listLmStudio),
  ]);
  return found.filter((server) => server !== undefined);
}

type ListModels = (origin: string) => Promise<KindedModel[]>;

async function describeServer(
  kind: LocalServer['kind'],
  port: number,
  list: ListModels,
): Promise<LocalServer | undefined> {
  const origin = `http://127.0.0.1:${port}`;
  try {
    const models = (await list(origin)).map(toPlainModel);
    models.sort((one, other) => (one.id < other.id ? -1 : 1));
    return { kind, baseUrl: `${origin}/v1`, models };
  } catch {
    return undefined; // nothing there, or something else
  }
}

const tagsSchema = z.object({
  models: z.array(
    z.object({ name: z.string(), details: z.object({ family: z.string() }).partial().nullish() }),
  ),
});

/** Families of encoders, which can only embed. */
const ENCODERS = /bert|gemma-?embedding/;

/** By Ollama's own list, which names the architecture of each model: names of models are whatever their makers chose. */
async function listOllama(origin: string): Promise<KindedModel[]> {
  const { models } = tagsSchema.parse(await getJson(`${origin}/api/tags`));
  return models.map(({ name, details }) => ({
    id: name,
    name,
    kind: ENCODERS.test(details?.family ?? '') ? 'embedding' : modelKind(name),
  }));
}

const typedSchema = z.object({ data: z.array(z.object({ id: z.string(), type: z.string().optional() })) });

/** By LM Studio's own list, which says `embeddings`, `llm`, or `vlm`; older versions have only OpenAI's. */
async function listLmStudio(origin: string): Promise<KindedModel[]> {
  const answer = await getJson(`${origin}/api/v0/models`).catch(() => getJson(`${origin}/v1/models`));
  const { data } = typedSchema.parse(answer);
  return data.map(({ id, type }) => ({ id, name: id, kind: lmStudioKind(id, type) }));
}

function lmStudioKind(id: string, type: string | undefined): KindedModel['kind'] {
  if (type === 'embeddings') return 'embedding';
  return type === 'llm' || type === 'vlm' ? 'chat' : modelKind(id);
}

async function getJson(url: string): Promise<unknown> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.ok) return parseJson(await responseBytes(response, MAX_ANSWER_BYTES));
  await response.body?.cancel();
  throw new Error(`refused with ${response.status}`);
}
