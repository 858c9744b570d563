import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { whenDone } from '../temp-folder.ts';

type Item = { pk: { S: string }; sk: { S: string } };

interface Request {
  Key?: Item;
  Item?: Item;
  ExpressionAttributeValues?: Record<string, { S?: string }>;
}

/**
 * A table with these items, in DynamoDB's JSON. Supports reading one item, putting one item, and listing by
 * prefix.
 */
export async function fakeDynamodb(items: Item[]): Promise<DynamoDBClient> {
  const table = new Map(items.map((item) => [placeOf(item), item]));
  const operations: Record<string, (request: Request) => unknown> = {
    GetItem: ({ Key }) => ({ Item: Key && table.get(placeOf(Key)) }),
    PutItem: ({ Item }) => {
      if (Item) table.set(placeOf(Item), Item);
      return {};
    },
    Query: ({ ExpressionAttributeValues: values = {} }) => {
      const wanted = Object.values(values).map(({ S }) => S);
      const isIn = ({ pk, sk }: Item) =>
        wanted.includes(pk.S) && wanted.some((text) => text && sk.S.startsWith(text));
      return { Items: [...table.values()].filter(isIn) };
    },
  };
  const server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const answer = operations[operation]?.(await readJson(request));
    response.writeHead(answer === undefined ? 501 : 200, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(answer ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenDone(async () => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  return new DynamoDBClient({ endpoint, region: 'eu-west-1', credentials, maxAttempts: 1 });
}

async function readJson(request: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Request;
}

function placeOf({ pk, sk }: Item): string {
  return JSON.stringify([pk.S, sk.S]);
}
