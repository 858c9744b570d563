import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { setTitle } from '../shell/title.ts';
import { type Counted, sortUnread } from './sort-unread.ts';

/** The unread ones of a workspace. The title of the tab has their number. */
export function useUnread(workspaceId: string, listed: readonly Counted[] | undefined): ReadonlySet<string> {
  const { conversationId } = useParams({ strict: false });
  const [unread, setUnread] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (listed === undefined) return;
    const key = `seen ${workspaceId}`;
    const kept = localStorage.getItem(key);
    const sorted = sortUnread(kept === null ? undefined : JSON.parse(kept), listed, conversationId);
    localStorage.setItem(key, JSON.stringify(sorted.seen));
    setUnread(sorted.unread);
    setTitle({ unread: sorted.unread.size });
  }, [workspaceId, listed, conversationId]);
  return unread;
}
