import type { useChat } from '@ai-sdk/react';
import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';
import { followFrames } from '../api/event-stream.ts';
import { type KeptConversation, readConversation, useConversations } from '../conversations/queries.ts';
import { isNewChat } from './new-chat.ts';

type Chat = Pick<ReturnType<typeof useChat>, 'messages' | 'resumeStream' | 'error' | 'status'> & {
  isBusy: boolean;
  branches: KeptConversation['branches'];
  show: (kept: KeptConversation) => void;
};

interface Place {
  workspaceId: string;
  conversationId: string;
}

const TABS = 'conversation-grew';

/**
 * Loads messages from other tabs when they report them, and from other computers while this tab is visible.
 * Returns the current chat, and whether it missed anything while it was busy.
 */
export function useOtherTabs(
  { workspaceId, conversationId, isKept }: Place & { isKept: boolean },
  chat: Chat,
) {
  const latest = useRef(chat);
  latest.current = chat;
  const isListed = useIsListed(workspaceId, conversationId);
  const isNew = isNewChat(workspaceId, conversationId);
  const isMissed = useRef(false);
  const { isBusy } = chat;
  useEffect(() => {
    if (isBusy || !isMissed.current) return;
    isMissed.current = false;
    void catchUp(conversationId, latest, isMissed);
  }, [conversationId, isBusy]);
  useEffect(() => {
    const catchUpIfSeen = () => {
      const mayBeMore = isListed || !isNew;
      if (mayBeMore && document.visibilityState === 'visible') void catchUp(conversationId, latest, isMissed);
    };
    if (isListed && isNew) catchUpIfSeen();
    const tabs = new BroadcastChannel(TABS);
    tabs.onmessage = ({ data }) => data === conversationId && catchUpIfSeen();
    addEventListener('focus', catchUpIfSeen);
    document.addEventListener('visibilitychange', catchUpIfSeen);
    return () => {
      tabs.close();
      removeEventListener('focus', catchUpIfSeen);
      document.removeEventListener('visibilitychange', catchUpIfSeen);
    };
  }, [conversationId, isListed, isNew]);
  useTelling(conversationId, chat.status);
  useFollowing(conversationId, isKept || isListed, () => void catchUp(conversationId, latest, isMissed));
  return { latest, isMissed };
}

/** Calls `onChange` when the stored conversation changes, while this tab is visible. */
export function useFollowing(conversationId: string, isStored: boolean, onChange: () => void): void {
  const isVisible = useSyncExternalStore(
    (tell) => {
      document.addEventListener('visibilitychange', tell);
      return () => document.removeEventListener('visibilitychange', tell);
    },
    () => document.visibilityState === 'visible',
  );
  const change = useRef(onChange);
  change.current = onChange;
  useEffect(() => {
    if (!isStored || !isVisible) return;
    const leaving = new AbortController();
    const address = () => `/api/conversations/${encodeURIComponent(conversationId)}/stream`;
    const follow = async () => {
      for await (const { part } of followFrames(address, 0, leaving.signal))
        if (part.type === 'data-conversation') change.current();
    };
    follow().catch(() => undefined); // the conversation is gone, or no longer readable
    return () => leaving.abort();
  }, [conversationId, isStored, isVisible]);
}

/**
 * Returns whether a chat is in the list. A duplicated tab has the same new chat as the first tab, whose
 * questions are already in the list.
 */
function useIsListed(workspaceId: string, conversationId: string): boolean {
  const listed = useConversations(workspaceId, '').data ?? [];
  return listed.some(({ id }) => id === conversationId);
}

/** Notifies other tabs that the stored conversation changed. */
export function tellTabs(conversationId: string): void {
  const tabs = new BroadcastChannel(TABS);
  tabs.postMessage(conversationId);
  tabs.close();
}

/**
 * Notifies other tabs when a question is stored (its answer has then started), and when the answer is stored.
 */
function useTelling(conversationId: string, status: Chat['status']): void {
  const told = useRef(status);
  useEffect(() => {
    if (told.current === status || status === 'submitted') return;
    told.current = status;
    tellTabs(conversationId);
  }, [conversationId, status]);
}

/**
 * IDs of conversations whose answer this tab is stopping. Otherwise, the tab would rejoin an answer before
 * the service has ended it.
 */
const stopping = new Set<string>();
const LOOK_MS = 250;
const MAX_LOOKS = 20;

/** Stops an answer, and waits until the service has ended it. */
export async function untilStopped(conversationId: string, stop: () => Promise<unknown>): Promise<void> {
  stopping.add(conversationId);
  try {
    await stop();
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      await new Promise((done) => setTimeout(done, LOOK_MS));
      const kept = await readConversation(conversationId).catch(() => null);
      if (kept?.answering !== true) return;
    }
  } finally {
    stopping.delete(conversationId);
  }
}

/**
 * Shows the service's conversation, and joins its answer. A busy tab misses updates, and checks again
 * afterwards.
 */
export async function catchUp(
  conversationId: string,
  latest: RefObject<Chat>,
  isMissed: RefObject<boolean> = { current: false },
): Promise<void> {
  const isAtWork = () => {
    const { isBusy, error } = latest.current;
    isMissed.current ||= isBusy;
    return isBusy || error !== undefined; // a failed question exists only in this tab until it's asked again
  };
  if (stopping.has(conversationId) || isAtWork()) return;
  const kept = await readConversation(conversationId).catch(() => null);
  if (stopping.has(conversationId) || isAtWork() || kept === null || !isOther(kept, latest.current)) return;
  latest.current.show(kept);
  if (kept.answering) void latest.current.resumeStream();
}

/** Returns whether the service's conversation differs from the one in this tab. */
function isOther({ answering, messages, branches }: KeptConversation, chat: Chat): boolean {
  const ids = (all: { id: string }[]) => JSON.stringify(all.map(({ id }) => id));
  const hasOthers = JSON.stringify(branches) !== JSON.stringify(chat.branches);
  return answering || hasOthers || ids(messages) !== ids(chat.messages);
}
