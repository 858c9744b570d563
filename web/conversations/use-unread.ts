import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { runQuery } from '../agent/queries.ts';
import { setTitle } from '../shell/title.ts';
import { type Counted, sortUnread } from './sort-unread.ts';

/** Returns a workspace's unread conversations. The tab's title shows their number. */
export function useUnread(workspaceId: string, listed: readonly Counted[] | undefined): ReadonlySet<string> {
  const openId = useOpenConversation();
  const [unread, setUnread] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (listed === undefined) return;
    const key = `seen ${workspaceId}`;
    const kept = localStorage.getItem(key);
    const sorted = sortUnread(kept === null ? undefined : JSON.parse(kept), listed, openId);
    localStorage.setItem(key, JSON.stringify(sorted.seen));
    setUnread(sorted.unread);
    setTitle({ unread: sorted.unread.size });
  }, [workspaceId, listed, openId]);
  return unread;
}

/** Returns the ID of the page's conversation, which may be a run's. */
function useOpenConversation(): string | undefined {
  const { conversationId, runId } = useParams({ strict: false });
  const run = useQuery({ ...runQuery(runId ?? ''), enabled: runId !== undefined });
  return conversationId ?? run.data?.conversationId ?? undefined;
}
