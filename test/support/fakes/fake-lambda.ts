import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { whenDone } from '../temp-folder.ts';

const MAX_ANSWER_BYTES = 6 * 1024 * 1024;

export interface FakeLambda {
  client: LambdaClient;
  /** The payloads of all accepted invocations. */
  payloads: string[];
}

interface Environment {
  tenant: string | undefined;
  handle: Handle;
}

async function invoke(
  { tenant, handle }: Environment,
  payload: string,
): Promise<{ error: boolean; text: string }> {
  try {
    const text = JSON.stringify(
      await handle(JSON.parse(payload), tenant === undefined ? {} : { tenantId: tenant }),
    );
    if (text.length > MAX_ANSWER_BYTES) throw new Error('Function.ResponseSizeTooLarge');
    return { error: false, text };
  } catch (error) {
    return { error: true, text: JSON.stringify({ errorMessage: (error as Error).message }) };
  }
}

/** A failed start is a failed invocation. */
function started(starting: Promise<Handle>): Handle {
  starting.catch(() => {});
  return async (event, context) => (await starting)(event, context);
}

type Handle = (event: unknown, context: { tenantId?: string }) => Promise<unknown>;

/**
 * Lambda's Invoke over HTTP, as its API reference documents it: the payload in, the response or the function's error out. Each
 * invocation has an environment of its own, an idle one of its tenant, or a new one from `start`. `refusal` names an error instead.
 */
export async function startLambda(
  start: () => Promise<Handle>,
  refusal: () => string | undefined = () => undefined,
): Promise<FakeLambda> {
  const idle: Environment[] = [];
  const payloads: string[] = [];
  const server = createServer(async (request, response) => {
    const payload = (await buffer(request)).toString();
    const refused = refusal();
    if (refused !== undefined) {
      response.writeHead(refused === 'TooManyRequestsException' ? 429 : 502, { 'x-amzn-errortype': refused });
      return response.end('{"Type":"User"}');
    }
    const tenant = request.headers['x-amz-tenant-id']?.toString();
    const at = idle.findIndex((one) => one.tenant === tenant);
    const environment = idle.splice(at, at === -1 ? 0 : 1)[0] ?? { tenant, handle: started(start()) };
    payloads.push(payload);
    const { error, text } = await invoke(environment, payload);
    idle.push(environment);
    if (error) response.setHeader('x-amz-function-error', 'Unhandled');
    response.end(text);
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
