import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FunctionError, type Invocation, readStream } from './invocation.ts';

/** Lambda's Runtime API for one function, which AWS's runtime client calls, one event at a time. */
export interface RuntimeApi {
  /** Host and port, for AWS_LAMBDA_RUNTIME_API. */
  address: string;
  /** Resolves when the function requests its first event; rejects with its initialization error. */
  ready: Promise<void>;
  /** Sends the function an event as soon as it requests one; resolves with the response. */
  handOver(event: unknown, timeoutMs: number, onText?: (text: string) => void): Promise<Invocation>;
  /** Resolves when the function requests its next event. */
  idle(): Promise<unknown>;
  close(): void;
}

interface Turn {
  requestId: string;
  onText: ((text: string) => void) | undefined;
  end(invocation: Invocation): void;
}

const PREFIX = '/2018-06-01/runtime';

export async function startRuntimeApi(functionName: string): Promise<RuntimeApi> {
  const first = Promise.withResolvers<void>();
  first.promise.catch(() => {}); // reported to the caller of `ready`
  let asking = Promise.withResolvers<ServerResponse>();
  let turn: Turn | undefined;
  const server = createServer((request, response) => {
    if (request.url === `${PREFIX}/invocation/next`) {
      first.resolve();
      asking.resolve(response);
      return;
    }
    receive(request, turn, first.reject).then(
      () => response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"OK"}'),
      (error: unknown) => response.writeHead(400).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: first.promise,
    async handOver(event, timeoutMs, onText) {
      const next = await asking.promise;
      asking = Promise.withResolvers();
      const { promise, resolve: end } = Promise.withResolvers<Invocation>();
      turn = { requestId: crypto.randomUUID(), onText, end };
      sendEvent(next, event, { functionName, requestId: turn.requestId, timeoutMs });
      return promise;
    },
    idle: () => asking.promise,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Delivery {
  functionName: string;
  requestId: string;
  timeoutMs: number;
}

function sendEvent(next: ServerResponse, event: unknown, delivery: Delivery): void {
  next.writeHead(200, {
    'content-type': 'application/json',
    'lambda-runtime-aws-request-id': delivery.requestId,
    'lambda-runtime-deadline-ms': String(Date.now() + delivery.timeoutMs),
    'lambda-runtime-invoked-function-arn': `arn:aws:lambda:eu-west-1:000000000000:function:${delivery.functionName}`,
  });
  next.end(JSON.stringify(event));
}

/** Handles the function's requests: its response, complete or as a stream, its error, or a failed start. */
async function receive(
  request: IncomingMessage,
  turn: Turn | undefined,
  failStart: (error: Error) => void,
): Promise<void> {
  const streaming = request.headers['lambda-runtime-function-response-mode'] === 'streaming';
  const bytes = await readBytes(request, turn?.onText);
  const body = () => bytes.toString();
  if (request.url === `${PREFIX}/init/error`) {
    const { errorType, errorMessage } = JSON.parse(body()) as FunctionError;
    return failStart(new Error(`${errorType}: ${errorMessage}`));
  }
  const place = `${PREFIX}/invocation/${turn?.requestId}`;
  if (turn === undefined || !request.url?.startsWith(place)) throw new Error(`unexpected ${request.url}`);
  if (request.url === `${place}/error`) return turn.end({ error: JSON.parse(body()) as FunctionError });
  if (!streaming) return turn.end({ payload: JSON.parse(body()) });
  turn.end({
    stream: readStream(bytes, request.headers['content-type'] ?? ''),
    error: trailingError(request),
  });
}

async function readBytes(request: IncomingMessage, onText?: (text: string) => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const bytes of request as AsyncIterable<Buffer>) {
    chunks.push(bytes);
    onText?.(bytes.toString());
  }
  return Buffer.concat(chunks);
}

/** A handler that throws after its stream has started reports the error after the last byte. */
function trailingError({ trailers }: IncomingMessage): FunctionError | undefined {
  const body = trailers['lambda-runtime-function-error-body'];
  if (body === undefined) return undefined;
  return JSON.parse(Buffer.from(body, 'base64').toString()) as FunctionError;
}
