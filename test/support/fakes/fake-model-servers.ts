import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whenDone } from '../temp-folder.ts';

interface FakeServer {
  port: number;
  /** Paths that were asked for, with the bearer token. */
  asked: { path: string; authorization: string | undefined }[];
}

/** Ollama, as far as its models are concerned: its own list, and that of OpenAI's protocol. */
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

/** LM Studio; `isOld`: a version before its own list. */
export function startFakeLmStudio({ isOld = false } = {}): Promise<FakeServer> {
  const data = [
    { id: 'qwen3-8b', object: 'model', type: 'llm', state: 'loaded' },
    { id: 'pixtral-12b', object: 'model', type: 'vlm', state: 'not-loaded' },
    { id: 'text-embedding-nomic-embed-text-v1.5', object: 'model', type: 'embeddings', state: 'not-loaded' },
  ];
  const openai = data.map(({ id, object }) => ({ id, object }));
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
  return { port: Number(new URL(await listen(server)).port), asked };
}

/** Starts a server on loopback, which ends after the test file. Returns its origin. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((started) => server.listen(0, '127.0.0.1', started));
  whenDone(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
