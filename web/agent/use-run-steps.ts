import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { followFrames } from '../api/event-stream.ts';
import { addPart, NO_STEPS, type RunSteps } from './run-steps.ts';

/** The steps of a run from its beginning, and on as they come; drawn once a frame, however many parts it brings. */
export function useRunSteps(runId: string): RunSteps {
  const queries = useQueryClient();
  const [run, setRun] = useState(NO_STEPS);
  useEffect(() => {
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
        if (part.type === 'tool-approval-request')
          void queries.invalidateQueries({ queryKey: ['run', runId] });
      }
      latest = { ...latest, isOver: true };
      setRun(latest);
    };
    follow()
      .catch((error: Error) => error.name !== 'AbortError' && setRun({ ...latest, error, isOver: true }))
      .finally(() => !leaving.signal.aborted && queries.invalidateQueries({ queryKey: ['run', runId] }));
    return () => {
      leaving.abort();
      cancelAnimationFrame(drawing);
    };
  }, [runId, queries]);
  return run;
}
