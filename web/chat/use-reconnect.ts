import type { UIMessage } from 'ai';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { STREAM_BROKEN } from '../api/api-error.ts';
import { ApiError } from '../api/client.ts';
import { untilReached } from '../api/reach.ts';
import { type KeptConversation, readConversation } from '../conversations/queries.ts';

interface Chat {
  messages: UIMessage[];
  error: Error | undefined;
  show: (kept: KeptConversation) => void;
  clearError: () => void;
  resumeStream: () => Promise<void>;
  again: () => void;
}

const PAUSE_MS = 2_000;

/**
 * Reconnects after a lost connection: shows the conversation as the service has stored it, joins its answer,
 * and sends a question that the service never got, once. Returns whether it is reconnecting.
 */
export function useReconnect(conversationId: string, chat: Chat): boolean {
  const latest = useRef(chat);
  latest.current = chat;
  const seen = useRef(new Set<string>());
  for (const { id, role } of chat.messages) if (role === 'assistant') seen.current.add(id);
  const sent = useRef<string>(undefined);
  const { error } = chat;
  const [given, giveUp] = useState<Error>();
  useEffect(() => {
    if (!isUnreached(error)) return;
    const leaving = new AbortController();
    const reconnect = async () => {
      const kept = await readWhenReached(conversationId, leaving.signal);
      if (kept === undefined) return;
      const isBroken = error.code === STREAM_BROKEN;
      if (takeOver(kept, latest, (id) => isBroken || !seen.current.has(id))) return;
      const question = latest.current.messages.findLast(({ role }) => role === 'user')?.id;
      if (question === undefined || sent.current === question) return giveUp(error);
      sent.current = question;
      latest.current.again();
    };
    reconnect().catch(() => giveUp(error)); // the error stays, with its button
    return () => leaving.abort();
  }, [error, conversationId]);
  return isUnreached(error) && given !== error;
}

function isUnreached(error: Error | undefined): error is ApiError {
  return error instanceof ApiError && error.status === 0;
}

type Kept = KeptConversation | null;

/**
 * Reads the conversation, with retries while the service is unreachable, because the page may come from
 * another server. Undefined once the page has been left.
 */
async function readWhenReached(conversationId: string, left: AbortSignal): Promise<Kept | undefined> {
  while (!left.aborted) {
    await untilReached();
    try {
      const kept = await readConversation(conversationId);
      return left.aborted ? undefined : kept;
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status > 0 && error.status < 500)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return undefined;
}

/**
 * Shows the service's conversation if it has an answer to the latest question, or is writing one. Returns
 * whether it did.
 */
function takeOver(kept: Kept, { current: chat }: RefObject<Chat>, isNew: (id: string) => boolean): boolean {
  const question = chat.messages.findLast(({ role }) => role === 'user')?.id;
  const last = kept?.messages.at(-1);
  if (!kept || question === undefined || !hasQuestion(kept, question)) return false;
  if (!kept.answering && !(last?.role === 'assistant' && isNew(last.id))) return false;
  chat.show(kept);
  chat.clearError();
  if (kept.answering) void chat.resumeStream();
  return true;
}

/** An edited question has another ID in the service, in addition to the one that this tab uses. */
function hasQuestion({ messages, branches }: KeptConversation, question: string): boolean {
  return messages.some(({ id }) => id === question) || Object.values(branches).flat().includes(question);
}
