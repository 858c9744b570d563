import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { followFrames } from '../api/event-stream.ts';
import { type Progress, readProgress } from './progress.ts';

/** Events that arrive together cause one request. */
const GATHER_MS = 400;

/** The progress of an open run. Its results are fetched again when it reports more. */
export function useProgress(runId: string, isOpen: boolean): Progress | undefined {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress>();
  useEffect(() => {
    if (!isOpen) return;
    const leaving = new AbortController();
    const reconnect = () => {
      for (const name of ['research', 'run']) void queries.invalidateQueries({ queryKey: [name, runId] });
    };
    let asking: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      asking ??= setTimeout(() => {
        asking = undefined;
        reconnect();
      }, GATHER_MS);
    };
    const follow = async () => {
      const address = (after: number) => `/api/agent/runs/${encodeURIComponent(runId)}/stream?after=${after}`;
      for await (const { part } of followFrames(address, 0, leaving.signal)) {
        if (part.type === 'data-progress') setProgress((before) => readProgress(part.data) ?? before);
        else if (part.type.startsWith('data-')) later();
      }
    };
    // Why it ended says the run itself.
    follow()
      .catch(() => {})
      .finally(() => !leaving.signal.aborted && reconnect());
    return () => {
      leaving.abort();
      clearTimeout(asking);
    };
  }, [runId, isOpen, queries]);
  return progress;
}
