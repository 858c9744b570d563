import { useCallback, useState } from 'react';
import { useRunParts } from '../agent/use-run-parts.ts';
import { type Progress, readProgress } from './progress.ts';

/** The progress of an open run. Its results are fetched again when it reports more. */
export function useProgress(runId: string, isOpen: boolean): Progress | undefined {
  const [progress, setProgress] = useState<Progress>();
  const onProgress = useCallback(
    (data: unknown) => setProgress((before) => readProgress(data) ?? before),
    [],
  );
  useRunParts(runId, { isOpen, result: 'research', onProgress });
  return progress;
}
