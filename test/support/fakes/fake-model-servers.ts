import { createServer } from 'node:http';
import { serveUntilDone } from '../processes/serve-until-done.ts';

interface FakeServer {
  port: number;
  /** Requested paths, with the bearer token. */
  asked: { path: string; authorization: string | undefined }[];
}

/** Starts Ollama, limited to its models: its own list, and the list of the OpenAI protocol. */
export function startFakeOllama(): Promise<FakeServer> {
  const models = [
    { name: 'llama3.2:3b', details: { family: 'llama', families: ['llama'] } },
    { name: 'nomic-embed-text:latest', details: { family: 'nomic-bert', families: ['nomic-bert'] } },
    { name: 'all-words:latest', details: { family: 'bert', families: ['bert'] } },
  ];
  return startServer({
    '/api/tags': { models },
    '/v1/models': { object: 'list', data: models.map(({ name }) => ({ id: name, object: 'model' })) },
  });
}

/**
 * Starts a server that has only OpenAI's list, with models owned by `owner`. llama.cpp also has Ollama's
 * list.
 */
export function startFakeListing(owner: string, ids: string[]): Promise<FakeServer> {
  return startServer({
    ...(owner === 'llamacpp' && { '/api/tags': { models: ids.map((name) => ({ name, details: {} })) } }),
    '/v1/models': { object: 'list', data: ids.map((id) => ({ id, object: 'model', owned_by: owner })) },
  });
}

/** Starts LM Studio; `isOld`: a version before its own list. */
export function startFakeLmStudio({ isOld = false } = {}): Promise<FakeServer> {
  const data = [
    { id: 'qwen3-8b', object: 'model', type: 'llm', state: 'loaded' },
    { id: 'pixtral-12b', object: 'model', type: 'vlm', state: 'not-loaded' },
    { id: 'text-embedding-nomic-embed-text-v1.5', object: 'model', type: 'embeddings', state: 'not-loaded' },
  ];
  const openai = data.map(({ id, object }) => ({ id, object, owned_by: 'organization_owner' }));
  return startServer({
    ...(!isOld && { '/api/v0/models': { object: 'list', data } }),
    '/v1/models': { object: 'list', data: openai },
  });
}

async function startServer(answers: Record<string, unknown>): Promise<FakeServer> {
  const asked: FakeServer['asked'] = [];
  const server = createServer(({ url = '', headers }, response) => {
    asked.push({ path: url, authorization: headers.authorization });
    const body = answers[url];
    response
      .writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(body ?? { error: 'not found' }));
  });
  return { port: Number(new URL(await serveUntilDone(server)).port), asked };
}
