import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { dynamodbSettings } from '../../lib/adapters/dynamodb/client.ts';
import { dynamodbRecords } from '../../lib/adapters/dynamodb/records.ts';
import type { Records } from '../../lib/ports/records.ts';
import { closing } from '../support/emulator.ts';
import { whenDone } from '../support/temp-folder.ts';

type Answer = { status?: number; body: unknown };

const TABLE = 'records';
const key = (sort: string) => ({ partition: 'p', sort });
const item = (sort: string) => ({ pk: { S: 'p' }, sk: { S: sort }, value: { M: { sort: { S: sort } } } });
const sorts = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

/** DynamoDB's protocol with scripted responses, because no emulator throttles. */
async function startFakeDynamodb(answer: (body: string) => Answer): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { status = 200, body } = answer(Buffer.concat(chunks).toString());
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenDone(async () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function throttled(type: string): Answer {
  return { status: 400, body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'slow down' } };
}

/** The adapter on such a fake. `requests` contains all bodies, including the current one. */
async function connect(
  answer: (requests: string[]) => Answer,
): Promise<{ records: Records; requests: string[] }> {
  const requests: string[] = [];
  const endpoint = await startFakeDynamodb((body) => {
    requests.push(body);
    return answer(requests);
  });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const settings = { ...dynamodbSettings, endpoint, region: 'eu-west-1', credentials };
  return { records: dynamodbRecords(closing(new DynamoDBClient(settings)), TABLE), requests };
}

function partsOf<Part>(request: string | undefined): Part[] {
  const { RequestItems } = JSON.parse(request ?? '') as { RequestItems: Record<string, unknown> };
  return RequestItems[TABLE] as Part[];
}

describe('throttled dynamodbRecords', () => {
  // Run in parallel, because they mostly wait.
  it.concurrent.each([
    'ProvisionedThroughputExceededException',
    'ThrottlingException',
    'RequestLimitExceeded',
  ])('retries a request that failed twice with %s', async (type) => {
    const { records, requests } = await connect(({ length }) =>
      length <= 2 ? throttled(type) : { body: { Item: item('a') } },
    );
    expect(await records.get(key('a'))).toEqual({ sort: 'a' });
    expect(requests).toHaveLength(3);
  });

  it.concurrent('gives up after five attempts', async () => {
    const { records, requests } = await connect(() => throttled('ThrottlingException'));
    await expect(records.put({ key: key('a'), value: {} })).rejects.toThrow('slow down');
    expect(requests).toHaveLength(5);
  });

  it.concurrent('retries the rest of a batch until every record is written once', async () => {
    const written: string[] = [];
    const { records } = await connect((requests) => {
      const parts = partsOf<unknown>(requests.at(-1));
      expect(parts.length).toBeLessThanOrEqual(25);
      const taken = Math.ceil(parts.length / 3);
      written.push(...parts.slice(0, taken).map((part) => JSON.stringify(part)));
      const left = parts.slice(taken);
      return { body: { UnprocessedItems: left.length > 0 ? { [TABLE]: left } : {} } };
    });
    await records.putMany(sorts(60).map((sort) => ({ key: key(sort), value: { sort } })));
    const expected = sorts(60).map((sort) => JSON.stringify({ PutRequest: { Item: item(sort) } }));
    expect(written.sort()).toEqual(expected.sort());
  });

  it.concurrent('retries the keys that a response left out', async () => {
    const { records, requests } = await connect((received) => {
      const { Keys } = partsOf(received.at(-1)) as unknown as { Keys: { sk: { S: string } }[] };
      expect(Keys.length).toBeLessThanOrEqual(100);
      const left = Keys.slice(40);
      const UnprocessedKeys = left.length > 0 ? { [TABLE]: { Keys: left, ConsistentRead: true } } : {};
      return {
        body: { Responses: { [TABLE]: Keys.slice(0, 40).map(({ sk }) => item(sk.S)) }, UnprocessedKeys },
      };
    });
    const found = await records.getMany(sorts(150).map(key));
    expect(found.map((record) => record.key.sort).sort()).toEqual(sorts(150).sort());
    expect(requests).toHaveLength(5);
    for (const request of requests) expect(request).toContain('"ConsistentRead":true');
  });

  it.concurrent('fails if a batch never makes progress', async () => {
    const { records, requests } = await connect((received) => ({
      body: { UnprocessedItems: { [TABLE]: partsOf(received.at(-1)) } },
    }));
    await expect(records.deleteMany([key('a')])).rejects.toThrow('did not accept');
    expect(requests).toHaveLength(9);
  });
});
