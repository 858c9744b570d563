import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Dropped } from './dropped.ts';
import { type Progress, uploadFile } from './upload.ts';

export interface Upload extends Progress {
  path: string;
  error?: Error;
}

const AT_ONCE = 3;

/** Uploads of this view: three at once, each with its own fate. What came through the API is indexed by itself. */
export function useUploads(workspaceId: string) {
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const change = (path: string, changed: Partial<Upload>) =>
    setUploads((before) => before.map((each) => (each.path === path ? { ...each, ...changed } : each)));
  const send = async ({ path, file }: Dropped) => {
    try {
      await uploadFile(workspaceId, path, file, (progress) => change(path, progress));
    } catch (error) {
      change(path, { error: error as Error });
    }
  };
  const start = async (dropped: Dropped[]) => {
    setUploads(dropped.map(({ path, file }) => ({ path, sent: 0, total: file.size })));
    const waiting = [...dropped];
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await send(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await queries.invalidateQueries({ queryKey: ['folder', workspaceId] });
    await queries.invalidateQueries({ queryKey: ['sync', workspaceId] });
  };
  return { uploads, start, clear: () => setUploads([]) };
}
