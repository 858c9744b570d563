import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { whenDone } from './temp-folder.ts';

const MAX_ANSWER_BYTES = 6 * 1024 * 1024;

export interface FakeLambda {
  client: LambdaClient;
  /** The payloads of all invocations that were let in. */
  payloads: string[];
}

type Handle = (event: unknown, context: { tenantId?: string }) => Promise<unknown>;

/**
 * Lambda's Invoke over HTTP, as its API reference has it: the payload in, the answer or the function's error out. Each
 * invocation has an environment for itself, one of those that stand idle for its tenant, or else one that `start` makes.
 */
export async function startLambda(
  start: () => Promise<Handle>,
  isThrottled = () => false,
): Promise<FakeLambda> {
  const idle: { tenant: string | undefined; handle: Handle }[] = [];
  const payloads: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    if (isThrottled()) {
      response.writeHead(429, { 'x-amzn-errortype': 'TooManyRequestsException' });
      return response.end('{"Reason":"ReservedFunctionConcurrentInvocationLimitExceeded","Type":"User"}');
    }
    const tenant = request.headers['x-amz-tenant-id']?.toString();
    const at = idle.findIndex((one) => one.tenant === tenant);
    const environment = at === -1 ? { tenant, handle: await start() } : idle.splice(at, 1)[0];
    try {
      payloads.push(Buffer.concat(chunks).toString());
      const context = tenant === undefined ? {} : { tenantId: tenant };
      const answer = JSON.stringify(await environment?.handle(JSON.parse(payloads.at(-1) ?? ''), context));
      if (answer.length > MAX_ANSWER_BYTES) throw new Error('Function.ResponseSizeTooLarge');
      response.end(answer);
    } catch (error) {
      response.setHeader('x-amz-function-error', 'Unhandled');
      response.end(JSON.stringify({ errorMessage: (error as Error).message }));
    } finally {
      if (environment !== undefined) idle.push(environment);
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  whenDone(async () => {
    server.close();
    server.closeAllConnections();
  });
  const client = new LambdaClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    maxAttempts: 1,
  });
  whenDone(async () => client.destroy());
  return { client, payloads };
}
