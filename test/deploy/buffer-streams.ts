import { installRuntime, invokeStreaming, responseStream } from '../../infra/local/lambda-runtime.ts';
import { readStream } from '../lanes/invocation.ts';

/**
 * MiniStack calls a streaming handler as if it returned a value, and has no `awslambda`. Loaded before such a
 * function (`node --import`), this collects the stream and returns it as a whole. It doesn't show that parts
 * arrive one by one in Lambda's own runtime client: test/package/chat.test.ts does.
 */
type StreamingHandler = Parameters<typeof invokeStreaming>[0];

installRuntime();
const { awslambda } = globalThis as unknown as { awslambda: Record<string, unknown> };
awslambda.streamifyResponse = (handler: StreamingHandler) => (event: unknown) => collect(handler, event);

const TIMEOUT_MS = 60_000;

/** The response as a function without streaming would return it. */
async function collect(handler: StreamingHandler, event: unknown) {
  const stream = responseStream();
  const written = stream.toArray();
  await invokeStreaming(handler, event, stream, TIMEOUT_MS);
  stream.end();
  const chunks = (await written).map((bytes) => Buffer.from(bytes));
  const { prelude, text } = readStream(Buffer.concat(chunks), '');
  return { ...prelude, body: text };
}
