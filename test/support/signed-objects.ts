import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Objects } from '../../lib/ports/objects.ts';
import { whenDone } from './temp-folder.ts';

interface Grant {
  method: 'GET' | 'PUT';
  key: string;
  size?: number;
}

export interface SignedObjects {
  objects: Objects;
  signGet(key: string, expiresInSeconds: number): Promise<string>;
  held: Map<string, Buffer>;
  /**
   * Requests since `forget`, with presigned URLs and without, except for missing objects, and their bytes.
   */
  use: { requests: number; bytes: number };
  forget(): void;
}

/**
 * An object store in memory with presigned URLs like those of S3, each for one method, one key and, for PUT,
 * one size.
 */
export async function startSignedObjects(): Promise<SignedObjects> {
  const held = new Map<string, Buffer>();
  const grants = new Map<string, Grant>();
  const use = { requests: 0, bytes: 0 };
  const count = <Body extends Buffer | undefined>(body: Body): Body => {
    use.requests += 1;
    use.bytes += body?.length ?? 0;
    return body;
  };
  const server = createServer((request, response) => {
    const grant = grants.get(request.url ?? '');
    answer(request, response, { grant, held, count }).catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  whenDone(async () => {
    server.close();
    server.closeAllConnections();
  });
  const sign = (grant: Grant) => {
    const path = `/${randomUUID()}`;
    grants.set(path, grant);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  };
  return {
    held,
    use,
    forget: () => void Object.assign(use, { requests: 0, bytes: 0 }),
    signGet: async (key) => sign({ method: 'GET', key }),
    objects: {
      put: async (key, body) =>
        void held.set(key, count(body instanceof Readable ? await buffer(body) : Buffer.from(body))),
      get: async (key) => {
        const found = count(held.get(key));
        return found && { size: found.length, body: Readable.from([found]) };
      },
      getBytes: async (key) => count(held.get(key)),
      isDeleted: async (key) => !held.has(key),
      delete: async (key) => void held.delete(key),
      deletePrefix: async (prefix) => {
        for (const key of held.keys()) if (key.startsWith(prefix)) held.delete(key);
      },
      async *keys(prefix, after = '') {
        yield [...held.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
      },
      presignPut: async (key, { size }) => ({
        url: sign({ method: 'PUT', key, size }),
        headers: { 'content-length': String(size) },
        expiresAt: '',
      }),
    },
  };
}

interface Store {
  grant: Grant | undefined;
  held: Map<string, Buffer>;
  count(body: Buffer | undefined): Buffer | undefined;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { grant, held, count }: Store,
): Promise<void> {
  const body = await buffer(request);
  if (grant === undefined || grant.method !== request.method) return void response.writeHead(403).end();
  if (grant.method === 'PUT') {
    if (request.headers['content-length'] !== String(grant.size)) return void response.writeHead(403).end();
    held.set(grant.key, body);
    count(body);
    return void response.end();
  }
  const found = held.get(grant.key);
  if (found === undefined) return void response.writeHead(404).end();
  response.end(count(found));
}
