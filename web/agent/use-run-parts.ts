import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followFrames } from '../api/event-stream.ts';

/** Milliseconds for which events are collected, so that they cause only one request. */
const GATHER_MS = 400;

interface Options {
  isOpen: boolean;
  /** The query of the run's results. It's refetched when the run reports more. */
  result: 'research' | 'draft-check';
  gatherMs?: number;
  /** Receives the data of a `data-progress` part. Must be a stable function. */
  onProgress?: (data: unknown) => void;
}

/** Follows an open run. Refetches its results when it reports more, and at its end. */
export function useRunParts(
  runId: string,
  { isOpen, result, gatherMs = GATHER_MS, onProgress }: Options,
): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!isOpen) return;
    const leaving = new AbortController();
    const reread = () => {
      for (const name of [result, 'run']) void queries.invalidateQueries({ queryKey: [name, runId] });
    };
    let asking: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      asking ??= setTimeout(() => {
        asking = undefined;
        reread();
      }, gatherMs);
    };
    const follow = async () => {
      const address = (after: number) => `/api/agent/runs/${encodeURIComponent(runId)}/stream?after=${after}`;
      for await (const { part } of followFrames(address, 0, leaving.signal)) {
        if (part.type === 'data-progress') onProgress?.(part.data);
        else if (part.type.startsWith('data-')) later();
      }
    };
    // The run itself shows why it ended.
    follow()
      .catch(() => {})
      .finally(() => !leaving.signal.aborted && reread());
    return () => {
      leaving.abort();
      clearTimeout(asking);
    };
  }, [runId, isOpen, result, gatherMs, onProgress, queries]);
}
