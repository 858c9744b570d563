import './schemas-without-eval.ts';
import { type UseChatHelpers, useChat } from '@ai-sdk/react';
import { useQueryClient } from '@tanstack/react-query';
import type { FileUIPart, UIMessage } from 'ai';
import { useEffect, useMemo, useRef, useState } from 'react';
import { api, callApi } from '../api/client.ts';
import { chooseBranch, type KeptConversation } from '../conversations/queries.ts';
import type { Filter } from '../search/filter.ts';
import { CodedTransport } from './coded-transport.ts';
import { useJudgeChoice } from './judge-choice.tsx';
import { readModelChoice } from './model-choice.tsx';
import { closeNewChat } from './new-chat.ts';
import { catchUp, tellTabs, untilStopped, useOtherTabs } from './other-tabs.ts';
import { shownEnd } from './shown-end.ts';
import { keepUnsent, type UnsentChat, type UnsentPlace, unsentQuestion } from './unsent.ts';
import { useChangedConversation } from './use-changed-conversation.ts';
import { useReconnect } from './use-reconnect.ts';
import { useWebChoice } from './web-choice.tsx';

/** Milliseconds for which an answer's chunks are collected, to limit the number of renders per second. */
const THROTTLE_MS = 60;

export interface ChatSessionOptions {
  workspaceId: string;
  conversationId: string;
  kept: KeptConversation | null;
}

/** Returns a stored conversation: its messages, and the actions on them. Joins an answer in progress. */
export function useChatSession(options: ChatSessionOptions) {
  const { workspaceId, conversationId, kept } = options;
  const queries = useQueryClient();
  const [waitUntil, setWaitUntil] = useState<number>();
  const transport = useTransport(workspaceId);
  const chat = useChat({
    id: conversationId,
    messages: (kept?.messages ?? []) as unknown as UIMessage[],
    resume: kept?.answering === true,
    throttle: THROTTLE_MS,
    transport,
    onData: (part) => setWaitUntil((until) => endOfWait(part) ?? until),
    onFinish: () => void queries.invalidateQueries({ queryKey: ['conversations', workspaceId] }),
  });
  const [isStopping, setStopping] = useState(false);
  const isBusy = chat.status === 'submitted' || chat.status === 'streaming' || isStopping;
  const { branches, show } = useBranches(kept, chat);
  const shown = { ...chat, branches, show };
  const { latest, isMissed } = useOtherTabs(
    { workspaceId, conversationId, isKept: kept !== null },
    { ...shown, isBusy },
  );
  const keptLast = useRef(kept?.messages.at(-1)?.id);
  useChangedConversation(conversationId, shown, keptLast);
  const send = useSending(options, chat, {
    end: () => shownEnd(latest.current.messages, keptLast.current),
    onSend(changesBranches) {
      isMissed.current ||= changesBranches;
      setWaitUntil(undefined);
    },
  });
  const hasAnswer = chat.messages.some(({ role }) => role === 'assistant');
  useKeptUnsent({ workspaceId, conversationId, isNew: kept === null && !hasAnswer }, chat);
  const isReconnecting = useReconnect(conversationId, { ...shown, again: send.again });
  const stop = async () => {
    isMissed.current = false; // the answer that is stopping would be rejoined
    await stopAnswer(conversationId, chat, setStopping);
    void catchUp(conversationId, latest); // the answer may have been stopped before its first token
  };
  const shownWait = hasWords(chat.messages.at(-1)) ? undefined : waitUntil;
  const choose = async (messageId: string) => {
    await chooseBranch(conversationId, messageId);
    await catchUp(conversationId, latest);
    tellTabs(conversationId);
  };
  return { ...shown, ...send, stop, choose, isBusy, isReconnecting, waitUntil: shownWait };
}

interface Sending {
  end: () => { parentId: string | null };
  /**
   * `changesBranches` is true if the service will have other IDs, or another number of answers, than this
   * tab.
   */
  onSend: (changesBranches: boolean) => void;
}

/** Returns the choice of model, judge, and web search, and the functions that ask with it. */
function useSending(
  { workspaceId, conversationId }: ChatSessionOptions,
  chat: UseChatHelpers<UIMessage>,
  { end, onSend }: Sending,
) {
  const queries = useQueryClient();
  const model = useRef(readModelChoice());
  const judge = useJudgeChoice(conversationId);
  const web = useWebChoice(conversationId);
  const ask = ({ text, files = [], paths = [], filter, others = [], messageId }: Question) => {
    const body = { ...model.current, ...judge.field, ...web.field, ...end() };
    onSend(messageId !== undefined);
    closeNewChat(workspaceId, conversationId);
    const metadata = {
      ...(paths.length > 0 && others.length === 0 && { paths }),
      ...(filter && { filter }),
      ...(others.length > 0 && { workspaceIds: [workspaceId, ...others] }),
    };
    const message = { text, files, metadata, ...(messageId !== undefined && { messageId }) };
    void chat.sendMessage(message, { body });
    void queries.invalidateQueries({ queryKey: ['conversations', workspaceId] });
  };
  const again = (messageId?: string) => {
    const body = { ...model.current, ...judge.field, ...web.field, ...end() };
    onSend(true);
    void chat.regenerate({ ...(messageId !== undefined && { messageId }), body });
  };
  return { ask, again, model, judge, web };
}

/**
 * Ends the answer here and in the service. `setStopping` is true until the notice arrives, because the answer
 * isn't complete before that.
 */
async function stopAnswer(
  conversationId: string,
  { stop, setMessages }: UseChatHelpers<UIMessage>,
  setStopping: (isStopping: boolean) => void,
): Promise<void> {
  setStopping(true);
  await untilStopped(conversationId, async () => {
    await stop();
    setMessages(withNotice(STOPPED));
    setTimeout(() => setStopping(false), 2 * THROTTLE_MS); // messages are rendered at most THROTTLE_MS later
    await api.POST('/api/chat/{conversationId}/stop', { params: { path: { conversationId } } });
  });
}

/** Returns the alternatives to the shown messages, and a function that shows a conversation as the service has it. */
function useBranches(
  kept: KeptConversation | null,
  { setMessages }: Pick<UseChatHelpers<UIMessage>, 'setMessages'>,
) {
  const [branches, setBranches] = useState(kept?.branches ?? {});
  const show = (now: KeptConversation, unsent?: UIMessage) => {
    const messages = now.messages as unknown as UIMessage[];
    setMessages(unsent === undefined ? messages : [...messages, unsent]);
    setBranches(now.branches);
  };
  return { branches, show };
}

/** Returns until when the service waits for the model provider's rate limit, in milliseconds since the epoch. */
function endOfWait({ type, data }: { type: string; data: unknown }): number | undefined {
  const { code, seconds } = data as { code?: unknown; seconds?: unknown };
  const isWait = type === 'data-notice' && code === 'waiting-for-rate-limit' && typeof seconds === 'number';
  return isWait ? Date.now() + seconds * 1000 : undefined;
}

function hasWords(last: UIMessage | undefined): boolean {
  return last?.role === 'assistant' && last.parts.some((part) => part.type === 'text' && part.text !== '');
}

function useTransport(workspaceId: string) {
  return useMemo(
    () =>
      new CodedTransport({
        ...{ api: '/api/chat', body: { workspaceId }, fetch: callOver },
        // The service has the other messages. With their images, they would be too large for a request.
        prepareSendMessagesRequest: ({ id, messages, trigger, messageId, body }) => ({
          body: {
            ...body,
            ...askedIn(messages.at(-1)),
            id,
            trigger,
            messageId,
            messages: messages.slice(-1),
          },
        }),
      }),
    [workspaceId],
  );
}

/** Returns the fields that limit a question, also if it is asked again. */
function askedIn(question: UIMessage | undefined) {
  const { paths, filter, workspaceIds } = (question?.metadata ?? {}) as {
    paths?: string[];
    filter?: Filter;
    workspaceIds?: string[];
  };
  return {
    ...(paths && { paths }),
    ...(filter && { filter }),
    ...(workspaceIds && { workspaceId: undefined, workspaceIds }),
  };
}

/** Keeps an unsent question when the view, or the page, is left. */
function useKeptUnsent(place: UnsentPlace, chat: UnsentChat): void {
  const latest = useRef({ place, question: unsentQuestion(chat) });
  latest.current = { place, question: unsentQuestion(chat) };
  useEffect(() => {
    const keep = () => {
      const { place, question } = latest.current;
      if (question !== undefined) keepUnsent(place, question);
    };
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, []);
}

interface Question {
  text: string;
  files?: FileUIPart[];
  /** Files and folders that the question is limited to; if empty, all. */
  paths?: string[];
  /** The facts of the files that it is limited to; undefined for any. */
  filter?: Filter | undefined;
  /** Other workspaces that are searched as well. */
  others?: string[];
  /** The ID of the edited question. */
  messageId?: string;
}

/** The notice as stored by the service. */
const STOPPED = {
  type: 'data-notice',
  data: { code: 'answer-cut', text: 'The answer was stopped.' },
} as const;

/** Adds the outcome to an answer whose stream this tab had left. */
function withNotice(notice: typeof STOPPED) {
  return (messages: UIMessage[]) => {
    const last = messages.at(-1);
    if (last?.role !== 'assistant') return messages;
    return messages.with(-1, { ...last, parts: [...last.parts, notice] });
  };
}

export type ChatSession = ReturnType<typeof useChatSession>;

const callOver: typeof fetch = (input, init) => callApi(input as RequestInfo, init);
