import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../../../infra/free-port.ts';
import { awaitAws } from '../../../infra/local/await-aws.ts';
import { whenDone } from '../../support/temp-folder.ts';

const FAST = { waitMs: 400, askEveryMs: 20, reportEveryMs: 100 };
const ALL = 'DynamoDB, S3, SQS, Secrets Manager';

let lines: string[];
const say = (line: string) => lines.push(line);

beforeEach(() => {
  lines = [];
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
});

/** All four services, each with an empty list. */
const EMPTY: RequestListener = ({ headers }, response) =>
  response.end(headers['x-amz-target'] === undefined ? '<ListAllMyBucketsResult/>' : '{}');

function refuse(status: number, name: string, message: string): RequestListener {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify({ __type: name, message }));
  };
}

async function serve(listener: RequestListener, port = 0): Promise<string> {
  const server = createServer(listener).listen(port, '127.0.0.1');
  await once(server, 'listening');
  whenDone(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function nowhere(): Promise<string> {
  return `http://127.0.0.1:${await findFreePort()}`;
}

describe('awaitAws', () => {
  it('prints nothing if all services respond', async () => {
    process.env.AWS_ENDPOINT_URL = await serve(EMPTY);
    await awaitAws(say, FAST);
    expect(lines).toEqual([]);
  });

  it('reports the wait until a service starts', async () => {
    const port = await findFreePort();
    process.env.AWS_ENDPOINT_URL = `http://127.0.0.1:${port}`;
    const waiting = awaitAws(say, { ...FAST, waitMs: 20_000 });
    while (!lines.some((line) => line.startsWith('Still'))) await new Promise((done) => setTimeout(done, 10));
    await serve(EMPTY, port);
    await waiting;
    expect(lines[0]).toBe(`Waiting up to 20 s for AWS services: ${ALL} at http://127.0.0.1:${port}.`);
    expect(lines[1]?.replace(/\d+ s/, 'N s')).toBe(
      `Still waiting after N s: ${ALL} at http://127.0.0.1:${port}.`,
    );
    expect(lines.at(-1)).toBe('All AWS services respond.');
  });

  it('reports the service that never responds, its URL, and the commands', async () => {
    process.env.AWS_ENDPOINT_URL = await serve(EMPTY);
    const url = await nowhere();
    process.env.AWS_ENDPOINT_URL_DYNAMODB = url;
    const message = await awaitAws(say, FAST).catch((error: Error) => error.message);
    expect(lines[0]).toBe(`Waiting up to 1 s for AWS services: DynamoDB at ${url}.`);
    expect(message).toContain(
      `didn't respond within 1 s:\n  DynamoDB at ${url}: no response (ECONNREFUSED)\n`,
    );
    expect(message).toContain('docker compose -f infra/local/compose.yml up -d');
    expect(message).toContain('npm run emulator');
  });

  it('reports a different server', async () => {
    process.env.AWS_ENDPOINT_URL = await serve(EMPTY);
    process.env.AWS_ENDPOINT_URL_SQS = await serve((_, response) => response.writeHead(404).end('<html>'));
    await expect(awaitAws(say, FAST)).rejects.toThrow("the server there doesn't respond as SQS (status 404");
  });

  it('waits while a server responds with a startup error', async () => {
    let asked = 0;
    const starting = refuse(503, 'ServiceUnavailable', 'not yet');
    process.env.AWS_ENDPOINT_URL = await serve(EMPTY);
    process.env.AWS_ENDPOINT_URL_DYNAMODB = await serve((request, response) =>
      (asked++ === 0 ? starting : EMPTY)(request, response),
    );
    await awaitAws(say, { ...FAST, waitMs: 20_000 });
    expect(lines.at(-1)).toBe('All AWS services respond.');
  });

  it.each<[string, Record<string, string>, RequestListener, string]>([
    [
      'a DynamoDB that LocalStack has disabled',
      {},
      refuse(501, 'InternalFailure', "Service 'dynamodb' is not enabled."),
      "disabled there (Service 'dynamodb' is not enabled.) Start DynamoDB Local, and add --dynamodb http://127.0.0.1:8000.",
    ],
    [
      'credentials that DynamoDB Local rejects',
      {},
      refuse(400, 'UnrecognizedClientException', 'The Access Key ID or security token is invalid.'),
      'the credentials are rejected (The Access Key ID or security token is invalid.) Unset AWS_ACCESS_KEY_ID',
    ],
    ['a malformed region', { AWS_REGION: 'us east' }, EMPTY, 'AWS_REGION=us east is not a region.'],
    [
      'a missing profile',
      { AWS_PROFILE: 'nope', AWS_ACCESS_KEY_ID: '' },
      EMPTY,
      'AWS_PROFILE=nope has no credentials. Unset AWS_PROFILE.',
    ],
  ])('fails immediately for %s', async (_, settings, listener, text) => {
    Object.assign(process.env, settings);
    process.env.AWS_ENDPOINT_URL = await serve(EMPTY);
    process.env.AWS_ENDPOINT_URL_DYNAMODB = await serve(listener);
    await expect(awaitAws(say, { ...FAST, waitMs: 600_000 })).rejects.toThrow(text);
    expect(lines).toEqual([]);
  });
});
