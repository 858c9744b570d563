import { DefaultChatTransport, type UIMessage, type UIMessageChunk } from 'ai';
import { streamError } from '../api/stream-error.ts';

/** A transport whose answers fail with the error's code: the SDK reports only the text of an `error` part. */
export class CodedTransport extends DefaultChatTransport<UIMessage> {
  protected override processResponseStream(
    stream: Parameters<DefaultChatTransport<UIMessage>['processResponseStream']>[0],
  ): ReadableStream<UIMessageChunk> {
    return super.processResponseStream(stream).pipeThrough(failWithCode());
  }
}

/** Holds an `error` part until the `data-error` that follows it, and fails with both. */
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
