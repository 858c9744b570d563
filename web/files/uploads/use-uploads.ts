import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { folderQuery } from '../queries.ts';
import { alreadyThere, hasMost } from './already-there.ts';
import type { Dropped } from './interrupted-uploads.ts';
import { dropUpload, findAgain, type InterruptedUpload, readInterrupted } from './interrupted-uploads.ts';
import { useUploadsOf } from './running-uploads.ts';
import { isSameFile } from './same-bytes.ts';
import { sendAll } from './upload-list.ts';

const handedOver = new Map<string, Dropped[]>();

/**
 * Passes files to a workspace whose view opens next. That view starts their upload, and asks before it
 * replaces any.
 */
export function handOver(workspaceId: string, dropped: Dropped[]): void {
  handedOver.set(workspaceId, dropped);
}

/** Returns whether the workspace already has most of the files, so that they aren't copied into another one. */
export function holdsMost(queries: QueryClient, workspaceId: string, dropped: Dropped[]): Promise<boolean> {
  return hasMost(dropped, (folder) => listFolder(queries, workspaceId, folder));
}

function listFolder(queries: QueryClient, workspaceId: string, folder: string) {
  return queries.fetchQuery(folderQuery(workspaceId, folder)).catch(() => []);
}

export type Uploads = ReturnType<typeof useUploads>;

/**
 * Returns the uploads of a workspace: those of this page, those that a reload interrupted, and the question before some
 * of them start.
 */
export function useUploads(workspaceId: string) {
  const queries = useQueryClient();
  const uploads = useUploadsOf(workspaceId);
  const [isNew] = useState(() => handedOver.has(workspaceId));
  const [kept, setKept] = useState(() => readInterrupted(workspaceId));
  const { asked, setAsked, send, ...question } = useQuestion(workspaceId);
  const [same, setSame] = useState<Same>();
  const isCutOff = ({ path }: InterruptedUpload) => !uploads.some((each) => each.path === path);
  const cutOff = kept.filter(isCutOff);
  /** An existing file is replaced only after confirmation. An interrupted upload was already confirmed. */
  const start = async (dropped: Dropped[]) => {
    const { again, rest } = findAgain(dropped, cutOff);
    const went = new Set(again.map(({ path }) => path));
    setKept(cutOff.filter(({ path }) => !went.has(path)));
    if (again.length > 0) void sendAll(workspaceId, again);
    if (rest.length === 0) return;
    setSame({ total: rest.length });
    const listed = (folder: string) => listFolder(queries, workspaceId, folder);
    const there = await alreadyThere(rest, listed, (each) => isSameFile(workspaceId, each));
    setSame(there.same.size === 0 ? undefined : { count: there.same.size, total: rest.length });
    const other = rest.filter(({ path }) => !there.same.has(path));
    if (there.other.length > 0) setAsked({ all: other, there: there.other });
    else if (other.length > 0) await send(other);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the view opens
  useEffect(() => {
    const handed = handedOver.get(workspaceId);
    handedOver.delete(workspaceId);
    if (handed !== undefined) void start(handed);
  }, [workspaceId]);
  const giveUp = () => {
    for (const { path } of cutOff) dropUpload(workspaceId, path);
    setKept([]);
  };
  return {
    workspaceId,
    isNew,
    uploads,
    cutOff,
    giveUp,
    asked,
    same,
    start,
    send,
    ...question,
  };
}

/**
 * How many of the files already exist with the same bytes, once they have been compared. These aren't sent
 * again.
 */
interface Same {
  count?: number;
  total: number;
}

interface Question {
  all: Dropped[];
  there: string[];
}

/** Returns the question about existing files, and how many files the latest answer left unchanged. */
function useQuestion(workspaceId: string) {
  const [asked, setAsked] = useState<Question>();
  const [leftOut, setLeftOut] = useState(0);
  const send = (dropped: Dropped[]) => {
    setAsked(undefined);
    setLeftOut(0);
    return sendAll(workspaceId, dropped);
  };
  /** Sends only new files. */
  const leaveOut = () => {
    const { all = [], there = [] } = asked ?? {};
    const rest = all.filter(({ path }) => !there.includes(path));
    if (rest.length > 0) void send(rest);
    else setAsked(undefined);
    setLeftOut(there.length);
  };
  return { asked, setAsked, send, leftOut, leaveOut, forget: () => setAsked(undefined) };
}
