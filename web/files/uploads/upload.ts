import type { Progress } from './sending.ts';

export interface Upload extends Progress {
  workspaceId: string;
  path: string;
  file: File;
  uploadId?: string | undefined;
  /** True when the file is stored, not only sent. */
  isDone: boolean;
  /** When the file was stored, in milliseconds. */
  doneAt?: number | undefined;
  error?: Error | undefined;
  /** True if the service is currently unreachable, so the upload is being retried. */
  isCut?: boolean;
}

/** Returns uploads that ended without their file being stored, unless the person canceled them. */
export function failedUploads(all: readonly Upload[]): Upload[] {
  return all.filter(({ error }) => error !== undefined && error.name !== 'AbortError');
}

/** Returns how many of the files are stored, while any file is being sent. */
export function uploadedSoFar(all: readonly Upload[]): { done: number; total: number } | undefined {
  if (!all.some(isUnderWay)) return undefined;
  return { done: all.filter(({ isDone }) => isDone).length, total: all.length };
}

export function isUnderWay({ isDone, error }: Upload): boolean {
  return error === undefined && !isDone;
}
