import { useNavigate } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../access/role.ts';
import { isConversationChanged, STREAM_BROKEN } from '../api/api-error.ts';
import { ApiError } from '../api/client.ts';
import { tryNow } from '../api/reach.ts';
import { BrokenLine } from '../broken-citations/broken-line.tsx';
import { Banner } from '../parts/banner.tsx';
import { addToDraft } from '../parts/draft.ts';
import { Problem } from '../parts/problem.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { useFileDrop } from '../parts/use-file-drop.ts';
import { AiBanner } from '../settings/ai-banner.tsx';
import { useHealth } from '../settings/queries.ts';
import { setTitle } from '../shell/title.ts';
import { IndexLine } from '../workspaces/index-line.tsx';
import { AskBar } from './ask-bar.tsx';
import { nthOf, sourceOf } from './citations.tsx';
import { citingSentences } from './cited-sentence.ts';
import { useFollowEnd } from './follow-end.ts';
import { Message } from './message.tsx';
import {
  announcementOf,
  type Citation,
  countSentences,
  findCitation,
  givenSourceOf,
  type Part,
  viewOfMessage,
} from './message-view.ts';
import { Passages, usePassage } from './passages.tsx';
import { limitsOf, type Scope, useScope } from './scope.ts';
import { SourcePanel } from './source-panel.tsx';
import { toFileParts, useAttachments } from './use-attachments.ts';
import { type ChatSession, type ChatSessionOptions, useChatSession } from './use-chat-session.ts';
import { useMarkedCitations } from './use-lost.ts';
import { Welcome } from './welcome.tsx';

const NONE: Citation[] = [];

interface PanelProps extends ChatSessionOptions {
  source: string | undefined;
  /** The number of the open sentence among the sentences with this citation. */
  nth: string | undefined;
  /** The question whose passages are shown because no model is connected. */
  q: string | undefined;
}

export function ChatPanel({ source, nth, q, ...options }: PanelProps) {
  const { t } = useTranslation();
  const session = useChatSession(options);
  const { workspaceId, kept } = options;
  const reader = useReader(kept);
  const title = kept?.title ?? t('shell.chat');
  useEffect(() => setTitle({ view: title }), [title]);
  const cited = findCitation(session.messages as { id: string; parts: Part[] }[], source);
  const among = useMarkedCitations(
    workspaceId,
    cited?.view.citations ?? NONE,
    ({ messageId }) => messageId === cited?.messageId,
  );
  const nameSource = cited?.isGiven ? givenSourceOf : sourceOf;
  const opened = among.find(({ index }) => index === cited?.citation.index);
  const scope = useScope(session.messages);
  const passage = usePassage(workspaceId, { q, source, scope });
  return (
    <div className="flex h-full">
      <section aria-label={t('shell.chat')} className="flex min-w-0 flex-1 flex-col">
        <h1 data-user-content className="sr-only">
          {title}
        </h1>
        <Transcript
          session={session}
          workspaceId={workspaceId}
          draftName={options.conversationId}
          reader={reader}
          scope={scope}
          q={q}
        />
      </section>
      {cited && opened && (
        <SourcePanel
          workspaceId={workspaceId}
          citation={opened}
          source={nameSource(cited.messageId, opened)}
          among={among.map((each) => nameSource(cited.messageId, each))}
          sentences={citingSentences(cited.view.text, opened)}
          nth={nthOf(nth)}
          conversationId={reader === undefined ? options.conversationId : undefined}
        />
      )}
      {passage && <SourcePanel workspaceId={workspaceId} sentences={[]} {...passage} />}
    </div>
  );
}

interface TranscriptProps {
  session: ChatSession;
  workspaceId: string;
  draftName: string;
  /** The owner's name, if the conversation is read-only. */
  reader: string | undefined;
  scope: Scope;
  q: string | undefined;
}

function Transcript({ session, workspaceId, draftName, reader, scope, q }: TranscriptProps) {
  const { t } = useTranslation();
  const health = useHealth();
  const { pane, content, arm, release } = useFollowEnd();
  const isEmpty = session.messages.length === 0;
  useLayoutEffect(() => {
    if (isEmpty) release(); // the welcome is read from its start
  }, [isEmpty, release]);
  const noAi = health.data?.aiAvailable === false;
  const { attaching, send } = useAsking({ session, scope, noAi, arm });
  const announcement = announcementOf(session);
  const canAnswer = health.data?.aiAvailable === true && reader === undefined;
  useQuestionKept(canAnswer ? q : undefined, draftName);
  const attach = ({ files }: DataTransfer) => {
    if (!noAi) attaching.add(files);
  };
  const isOver = useFileDrop(reader === undefined ? attach : undefined);
  return (
    <>
      <div className="mx-auto w-full max-w-3xl px-4 pt-1 sm:px-6">
        <IndexLine workspaceId={workspaceId} />
        <BrokenLine
          workspaceId={workspaceId}
          isDocument={({ kind, id }) => kind === 'answer' && id === draftName}
        />
      </div>
      {isOver && <DropHint noAi={noAi} />}
      <ScrollRegion
        ref={pane}
        label={t('chat.transcript')}
        className="min-h-0 flex-1 overflow-y-auto [overflow-anchor:none]"
      >
        <div ref={content} className="mx-auto w-full max-w-3xl space-y-8 px-4 py-6 sm:px-6">
          {isEmpty && !(noAi && q) && <Welcome workspaceId={workspaceId} noAi={noAi} onAsk={send} />}
          <Messages
            workspaceId={workspaceId}
            conversationId={draftName}
            session={session}
            isReadOnly={reader !== undefined}
          />
          {noAi && q && <Passages workspaceId={workspaceId} q={q} scope={scope} onShown={release} />}
        </div>
      </ScrollRegion>
      <div className="mx-auto w-full max-w-3xl space-y-3 px-4 pb-4 sm:px-6">
        {!q && <AiBanner />}
        {reader !== undefined && <Banner>{reader}</Banner>}
        {reader === undefined && (
          <AskBar
            session={session}
            workspaceId={workspaceId}
            draftName={draftName}
            noAi={noAi}
            attaching={attaching}
            scope={scope}
            onAsk={send}
          />
        )}
      </div>
      {/* one region for all announcements, which is never removed; the growing text itself isn't announced */}
      <p role="status" className="sr-only">
        {announcement && t(announcement)}
      </p>
    </>
  );
}

interface Asking extends Pick<TranscriptProps, 'session' | 'scope'> {
  noAi: boolean;
  /** Makes the transcript follow its end. */
  arm: () => void;
}

/** Sends a question with its attached files; without a model, searches instead. */
function useAsking({ session, scope, noAi, arm }: Asking) {
  const navigate = useNavigate();
  const attaching = useAttachments();
  const ask = async (text: string) => {
    arm();
    const files = await toFileParts(attaching.attached);
    attaching.clear();
    const { paths, filter, others } = scope;
    session.ask({ text, files, paths, filter, others });
  };
  const send = (text: string) => void (noAi ? navigate({ to: '.', search: { q: text } }) : ask(text));
  return { attaching, send };
}

/** Puts a question that was only searched for back into the text box once a model is connected. */
function useQuestionKept(q: string | undefined, draftName: string): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (q === undefined) return;
    addToDraft(draftName, q);
    void navigate({ to: '.', search: {}, replace: true });
  }, [q, draftName, navigate]);
}

interface MessagesProps {
  workspaceId: string;
  conversationId: string;
  session: ChatSession;
  isReadOnly: boolean;
}

/** The messages, and the state of the latest answer. */
function Messages({ workspaceId, conversationId, session, isReadOnly }: MessagesProps) {
  const { messages, branches, error, isBusy, waitUntil } = session;
  const [choosing, setChoosing] = useState<Error>();
  const choose = (messageId: string) => {
    setChoosing(undefined);
    session.choose(messageId).catch(setChoosing);
  };
  const continueText = useContinueText();
  const hasFailed = error !== undefined && !isConversationChanged(error);
  return (
    <>
      {messages.map((message, place) => (
        <Message
          key={message.id}
          workspaceId={workspaceId}
          conversationId={conversationId}
          message={message}
          question={questionBefore(messages, place)}
          isLast={place === messages.length - 1}
          isBusy={isBusy}
          hasFailed={hasFailed && place === messages.length - 1}
          isReadOnly={isReadOnly}
          versions={branches[message.id]}
          onChoose={choose}
          onAgain={() => session.again(message.id)}
          onContinue={() => {
            const question = questionBefore(messages, place);
            session.ask({ text: continueText(question), ...limitsOf(question) });
          }}
          onEdit={(text) => {
            const files = filesOf(message);
            session.ask({ text, files, ...limitsOf(message), messageId: message.id });
          }}
        />
      ))}
      {isBusy && waitUntil !== undefined && <RateLimitWait key={waitUntil} until={waitUntil} />}
      {session.status === 'submitted' && waitUntil === undefined && <Thinking />}
      <Problem error={choosing} />
      <AnswerError session={session} />
    </>
  );
}

/**
 * Shows once why the latest answer failed. After a lost connection, the page resumes the answer when the
 * connection is back.
 */
function AnswerError({ session }: { session: ChatSession }) {
  const { error, isReconnecting, again } = session;
  const next = useNext(session);
  // Nothing remains to be sent.
  const isShown = isConversationChanged(error) && session.messages.at(-1)?.role !== 'user';
  const retry = isReconnecting ? tryNow : () => again();
  return <Problem error={error} onRetry={isShown ? undefined : retry} unreachedNext={next} />;
}

function useNext({ error, messages, isReconnecting }: ChatSession): string | undefined {
  const { t, i18n } = useTranslation();
  if (!(error instanceof ApiError) || error.status !== 0) return undefined;
  if (error.code !== STREAM_BROKEN) return isReconnecting ? t('chat.notSent') : undefined;
  const last = messages.at(-1);
  const { text } = viewOfMessage(last?.role === 'assistant' ? (last.parts as Part[]) : []);
  const count = countSentences(text, i18n.language);
  const said = count === 0 ? t('chat.brokenEarly') : t('chat.broken', { count });
  return isReconnecting ? `${said} ${t('chat.reconnecting')}` : said;
}

/** Returns the owner of a conversation that is read-only here, because it's someone else's or a bot's. */
function useReader(kept: ChatSessionOptions['kept']): string | undefined {
  const { t } = useTranslation();
  const me = useMe();
  if (kept === null || me.data === undefined) return undefined;
  if (kept.kind === 'bot') return t('chat.ofBot', { who: kept.ownerId });
  return kept.ownerId === me.data.id ? undefined : t('chat.ofOther', { who: kept.ownerName ?? kept.ownerId });
}

function questionBefore(messages: ChatSession['messages'], place: number) {
  return messages.slice(0, place).findLast(({ role }) => role === 'user');
}

function filesOf({ parts }: ChatSession['messages'][number]) {
  return parts.filter((part) => part.type === 'file');
}

function DropHint({ noAi }: { noAi: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="pointer-events-none fixed inset-0 z-40 grid place-items-center bg-canvas/80 p-4">
      <p className="rounded-lg border-2 border-dashed border-accent bg-surface px-8 py-10 text-lg font-semibold">
        {t(noAi ? 'chat.dropNoModel' : 'chat.drop')}
      </p>
    </div>
  );
}

/**
 * Returns a prompt that continues the answer. It includes the question, so that the search finds the same
 * passages.
 */
function useContinueText() {
  const { t } = useTranslation();
  return (asked: ChatSession['messages'][number] | undefined) => {
    const { text } = viewOfMessage((asked?.parts ?? []) as Part[]);
    return t('chat.continueQuestion', { question: text.replace(/\s+/g, ' ').trim().slice(0, MAX_REPEATED) });
  };
}

const MAX_REPEATED = 500;

/** Explains why nothing arrives, and for how long. Screen readers don't announce the seconds. */
function RateLimitWait({ until }: { until: number }) {
  const { t } = useTranslation();
  const [left, setLeft] = useState(() => secondsUntil(until));
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsUntil(until)), 500);
    return () => clearInterval(timer);
  }, [until]);
  return (
    <Banner>
      <span aria-live="off">{left > 0 ? t('chat.rateLimit', { count: left }) : t('chat.rateLimitOver')}</span>
    </Banner>
  );
}

function secondsUntil(until: number): number {
  return Math.max(0, Math.ceil((until - Date.now()) / 1000));
}

function Thinking() {
  return (
    <div aria-hidden="true" className="space-y-2.5">
      <div className="skeleton h-4 w-11/12" />
      <div className="skeleton h-4 w-4/5" />
      <div className="skeleton h-4 w-2/3" />
    </div>
  );
}
