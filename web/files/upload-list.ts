import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { alreadyThere } from './already-there.ts';
import type { Dropped } from './dropped.ts';
import { folderQuery } from './queries.ts';
import { type Progress, uploadFile } from './upload.ts';

export interface Upload extends Progress {
  path: string;
  error?: Error;
}

const AT_ONCE = 3;

export type Uploads = ReturnType<typeof useUploads>;

/** Uploads of this view: three at once, each with its own fate. What came through the API is indexed by itself. */
export function useUploads(workspaceId: string) {
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [asked, setAsked] = useState<{ all: Dropped[]; there: string[] }>();
  const ways = useRef(new Map<string, AbortController>());
  const change = (path: string, changed: Partial<Upload>) =>
    setUploads((before) => before.map((each) => (each.path === path ? { ...each, ...changed } : each)));
  const send = async ({ path, file }: Dropped) => {
    const way = new AbortController();
    ways.current.set(path, way);
    const onProgress = (progress: Progress) => change(path, progress);
    try {
      await uploadFile({ workspaceId, path, file, signal: way.signal, onProgress });
    } catch (error) {
      change(path, { error: error as Error });
    }
    ways.current.delete(path);
  };
  const sendAll = async (dropped: Dropped[]) => {
    setAsked(undefined);
    const added = dropped.map(({ path, file }) => ({ path, sent: 0, total: file.size }));
    const isNew = ({ path }: Upload) => !added.some((each) => each.path === path);
    setUploads((before) => [...before.filter(isNew), ...added]);
    const waiting = [...dropped];
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await send(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await queries.invalidateQueries({ queryKey: ['folder', workspaceId] });
    await queries.invalidateQueries({ queryKey: ['sync', workspaceId] });
  };
  /** Nothing that lies there is replaced before the person said so. */
  const start = async (dropped: Dropped[]) => {
    const listed = (folder: string) => queries.fetchQuery(folderQuery(workspaceId, folder)).catch(() => []);
    const there = await alreadyThere(dropped, listed);
    if (there.length > 0) setAsked({ all: dropped, there });
    else await sendAll(dropped);
  };
  useStay(uploads.some(isUnderWay));
  const cancel = (path: string) => ways.current.get(path)?.abort();
  return {
    uploads,
    asked,
    start,
    sendAll,
    cancel,
    forget: () => setAsked(undefined),
    clear: () => setUploads([]),
  };
}

export function isUnderWay({ sent, total, error }: Upload): boolean {
  return error === undefined && sent < total;
}

/** The bytes are the tab's: who leaves it is asked. */
function useStay(isBusy: boolean): void {
  useEffect(() => {
    if (!isBusy) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isBusy]);
}
