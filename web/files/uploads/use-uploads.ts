import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { folderQuery } from '../queries.ts';
import { alreadyThere } from './already-there.ts';
import type { Dropped } from './interrupted-uploads.ts';
import { dropUpload, findAgain, type InterruptedUpload, readInterrupted } from './interrupted-uploads.ts';
import { useUploadsOf } from './running-uploads.ts';
import { sendAll } from './upload-list.ts';

const handedOver = new Map<string, Dropped[]>();

/** Files for a workspace whose view opens next: it starts their upload, and asks before it replaces any. */
export function handOver(workspaceId: string, dropped: Dropped[]): void {
  handedOver.set(workspaceId, dropped);
}

export type Uploads = ReturnType<typeof useUploads>;

/** Uploads of a workspace: those of this page, those that a reload interrupted, and the question before some of them start. */
export function useUploads(workspaceId: string) {
  const queries = useQueryClient();
  const uploads = useUploadsOf(workspaceId);
  const [isNew] = useState(() => handedOver.has(workspaceId));
  const [kept, setKept] = useState(() => readInterrupted(workspaceId));
  const { asked, setAsked, send, ...question } = useQuestion(workspaceId);
  const isCutOff = ({ path }: InterruptedUpload) => !uploads.some((each) => each.path === path);
  const cutOff = kept.filter(isCutOff);
  /** An existing file is replaced only after the person confirmed it: for an interrupted upload they have. */
  const start = async (dropped: Dropped[]) => {
    const { again, rest } = findAgain(dropped, cutOff);
    const went = new Set(again.map(({ path }) => path));
    setKept(cutOff.filter(({ path }) => !went.has(path)));
    if (again.length > 0) void sendAll(workspaceId, again);
    if (rest.length === 0) return;
    const listed = (folder: string) => queries.fetchQuery(folderQuery(workspaceId, folder)).catch(() => []);
    const there = await alreadyThere(rest, listed);
    if (there.length > 0) setAsked({ all: rest, there });
    else await send(rest);
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
    start,
    send,
    ...question,
  };
}

interface Question {
  all: Dropped[];
  there: string[];
}

/** The question what becomes of files that exist already, and how many were left as they are by the latest answer. */
function useQuestion(workspaceId: string) {
  const [asked, setAsked] = useState<Question>();
  const [leftOut, setLeftOut] = useState(0);
  const send = (dropped: Dropped[]) => {
    setAsked(undefined);
    setLeftOut(0);
    return sendAll(workspaceId, dropped);
  };
  /** Sends only the files that are new. */
  const leaveOut = () => {
    const { all = [], there = [] } = asked ?? {};
    const rest = all.filter(({ path }) => !there.includes(path));
    if (rest.length > 0) void send(rest);
    else setAsked(undefined);
    setLeftOut(there.length);
  };
  return { asked, setAsked, send, leftOut, leaveOut, forget: () => setAsked(undefined) };
}
