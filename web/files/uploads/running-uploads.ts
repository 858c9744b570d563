import { useMemo, useSyncExternalStore } from 'react';
import type { Progress } from './sending.ts';

export interface Upload extends Progress {
  workspaceId: string;
  path: string;
  file: File;
  uploadId?: string | undefined;
  /** True when the file is stored, not only sent. */
  isDone: boolean;
  /** When it was stored, in milliseconds. */
  doneAt?: number | undefined;
  error?: Error | undefined;
}

/**
 * The uploads of this page: they continue while another view is open, and end with the tab or on sign-out. The code that sends them is
 * elsewhere, because other views only show them.
 */
let uploads: Upload[] = [];
const listeners = new Set<() => void>();

export function useUploadsOf(workspaceId: string): Upload[] {
  const all = useSyncExternalStore(listen, () => uploads);
  return useMemo(() => all.filter((each) => each.workspaceId === workspaceId), [all, workspaceId]);
}

function listen(told: () => void): () => void {
  listeners.add(told);
  return () => listeners.delete(told);
}

export function uploadsNow(): Upload[] {
  return uploads;
}

/** The bytes are the tab's: the browser asks before it closes while uploads are running. */
export function setUploads(next: Upload[]): void {
  uploads = next;
  const isBusy = uploads.some(isUnderWay);
  if (isBusy) addEventListener('beforeunload', ask);
  else removeEventListener('beforeunload', ask);
  for (const told of listeners) told();
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** How many of the files are stored, while any is being sent. */
export function uploadedSoFar(all: readonly Upload[]): { done: number; total: number } | undefined {
  if (!all.some(isUnderWay)) return undefined;
  return { done: all.filter(({ isDone }) => isDone).length, total: all.length };
}

export function isUnderWay({ isDone, error }: Upload): boolean {
  return error === undefined && !isDone;
}
