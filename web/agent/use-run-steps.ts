import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { followFrames } from '../api/event-stream.ts';
import { addPart, NO_STEPS, type RunSteps } from './run-steps.ts';

/** Events after which the run itself has changed: its approvals, or its messages. */
const REREAD = ['tool-approval-request', 'data-user-message'];

/**
 * Returns the steps of a run from its start, and live. Renders at most once per frame, however many parts
 * arrive.
 */
export function useRunSteps(runId: string | undefined): RunSteps {
  const queries = useQueryClient();
  const [run, setRun] = useState(NO_STEPS);
  useEffect(() => {
    setRun(NO_STEPS);
    if (runId === undefined) return;
    const leaving = new AbortController();
    let latest = NO_STEPS;
    let drawing = 0;
    const draw = () => {
      drawing = 0;
      setRun(latest);
    };
    const follow = async () => {
      const address = (after: number) => `/api/agent/runs/${encodeURIComponent(runId)}/stream?after=${after}`;
      for await (const { part } of followFrames(address, 0, leaving.signal)) {
        latest = addPart(latest, part);
        drawing ||= requestAnimationFrame(draw);
        if (REREAD.includes(part.type)) void queries.invalidateQueries({ queryKey: ['run', runId] });
      }
      latest = { ...latest, isOver: true };
      setRun(latest);
    };
    follow()
      .catch((error: Error) => error.name !== 'AbortError' && setRun({ ...latest, error, isOver: true }))
      .finally(() => {
        if (leaving.signal.aborted) return;
        for (const queryKey of [['run', runId], ['conversations'], ['conversation']])
          void queries.invalidateQueries({ queryKey });
      });
    return () => {
      leaving.abort();
      cancelAnimationFrame(drawing);
    };
  }, [runId, queries]);
  return run;
}
