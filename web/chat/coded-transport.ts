import { DefaultChatTransport, type UIMessage, type UIMessageChunk } from 'ai';
import { ApiError, STREAM_BROKEN } from '../api/api-error.ts';
import { streamError } from '../api/stream-error.ts';

/** A transport whose answers fail with the error's code, because the SDK reports only the text of an `error` part. */
export class CodedTransport extends DefaultChatTransport<UIMessage> {
  protected override processResponseStream(
    stream: Parameters<DefaultChatTransport<UIMessage>['processResponseStream']>[0],
  ): ReadableStream<UIMessageChunk> {
    return endsWhole(super.processResponseStream(stream).pipeThrough(failWithCode()));
  }
}

const ENDS = ['finish', 'abort', 'error'];

/** Fails with a code of its own if the connection breaks, even if a proxy ends the stream normally. */
export function endsWhole(stream: ReadableStream<UIMessageChunk>): ReadableStream<UIMessageChunk> {
  const reader = stream.getReader();
  const broken = () => new ApiError(0, '', { code: STREAM_BROKEN });
  let isWhole = false;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done && !isWhole) return controller.error(broken());
        if (done) return controller.close();
        isWhole ||= ENDS.includes(value.type);
        controller.enqueue(value);
      } catch (error) {
        const isKnown = error instanceof ApiError || (error as Error).name === 'AbortError';
        controller.error(isKnown ? error : broken());
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Holds an `error` part until the `data-error` after it, and fails with both. */
export function failWithCode(): TransformStream<UIMessageChunk, UIMessageChunk> {
  let text: string | undefined;
  return new TransformStream({
    transform(part, controller) {
      if (text !== undefined)
        return controller.error(streamError(text, part.type === 'data-error' ? part.data : {}));
      if (part.type === 'error') text = part.errorText;
      else controller.enqueue(part);
    },
    flush(controller) {
      if (text !== undefined) controller.error(streamError(text));
    },
  });
}
