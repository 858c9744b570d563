import type { StreamPart } from '../../api-contract/stream-part.ts';

/** Output of calls that are still running, for readers of the run. It isn't part of the stored answer. */
export interface LiveOutput {
  add(toolCallId: string, chunk: string): void;
  /** Returns the output since the last call, one part per tool call. */
  take(): StreamPart[];
  /** Resolves when `take` has something to return. */
  more(): Promise<void>;
}

export function liveOutput(): LiveOutput {
  const chunks = new Map<string, string>();
  let added = Promise.withResolvers<void>();
  return {
    add(toolCallId, chunk) {
      chunks.set(toolCallId, (chunks.get(toolCallId) ?? '') + chunk);
      added.resolve();
    },
    take() {
      const parts = [...chunks].map(([toolCallId, chunk]): StreamPart => {
        return { type: 'data-output', transient: true, data: { toolCallId, chunk } };
      });
      chunks.clear();
      added = Promise.withResolvers();
      return parts;
    },
    more: () => added.promise,
  };
}
