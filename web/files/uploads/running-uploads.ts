import { useMemo, useSyncExternalStore } from 'react';
import { isUnderWay, type Upload } from './upload.ts';

/**
 * This page's uploads. They continue while another view is open, and end with the tab or on sign-out. The
 * code that sends them is in other files, because most views only show uploads.
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

/** Sets the uploads. Their bytes are in the tab, so the browser asks before it closes while uploads are running. */
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
