import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { UIMessage } from 'ai';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAlone, useMe } from '../access/role.ts';
import { isConversationChanged } from '../api/api-error.ts';
import { ApiError } from '../api/client.ts';
import { useFollowEnd } from '../chat/follow-end.ts';
import { Question } from '../chat/message.tsx';
import { type Part, viewOfMessage } from '../chat/message-view.ts';
import { useFollowing } from '../chat/other-tabs.ts';
import { chooseBranch, type KeptConversation, useConversation } from '../conversations/queries.ts';
import { RateAnswer } from '../feedback/rate-answer.tsx';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { addToDraft } from '../parts/draft.ts';
import { EmptyState, Skeletons } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { AiBanner } from '../settings/ai-banner.tsx';
import { NotifyOffer, useNotification } from './notifications.tsx';
import {
  isOpen,
  type Run,
  type RunOptions,
  useQueued,
  useRun,
  useStartRun,
  useSteer,
  useStopRun,
  useWithdraw,
} from './queries.ts';
import { Queued } from './queued.tsx';
import { RunChanges } from './run-changes.tsx';
import { ModelLimits, RunComposer, useRunChoices } from './run-composer.tsx';
import { RunHead } from './run-head.tsx';
import { type RunSteps, textsBefore } from './run-steps.ts';
import { OpenSource, RunTurn, useTurn } from './run-turn.tsx';
import { stepsOfMessage } from './stored-steps.ts';
import { useRunSteps } from './use-run-steps.ts';

type Message = KeptConversation['messages'][number];

/** A conversation with the agent that has no run yet, such as a chat. */
export function ThreadView() {
  const { conversationId } = useParams({ from: '/w/$workspaceId/agent/in/$conversationId' });
  return <StoredThread key={conversationId} conversationId={conversationId} />;
}

function StoredThread({ conversationId }: { conversationId: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useConversation(conversationId);
  if (error) return <Problem error={error} onRetry={() => refetch()} />;
  if (data === undefined) return <Skeletons rows={3} className="h-16" />;
  if (data === null)
    return <EmptyState icon="agent" title={t('chat.notReadable')} next={t('chat.notReadableNext')} />;
  return <Thread kept={data} />;
}

/** A conversation of ended and working runs, with a text box to continue it. */
export function Thread({ kept }: { kept: KeptConversation }) {
  const { t } = useTranslation();
  const shown = useShownRun(kept);
  const { run, steps } = shown;
  const asking = useAsking(kept, shown);
  const { pane, content, arm } = useFollowEnd();
  const isMine = useIsMine(kept);
  useFollowing(kept.id, true, asking.reread);
  useRunNotifications(kept.title, run);
  const send = (text: string) => {
    arm();
    asking.send(text);
  };
  return (
    <div className="flex h-full">
      <div className="flex min-w-0 flex-1 flex-col">
        <ScrollRegion ref={pane} label={t('agent.stepsOf')} className="min-h-0 flex-1 overflow-y-auto">
          <div ref={content} className="mx-auto w-full max-w-3xl space-y-4 px-5 py-8">
            <RunHead run={run} title={kept.title} />
            <Turns kept={kept} shown={shown} asking={asking} isMine={isMine} />
          </div>
        </ScrollRegion>
        <div className="mx-auto w-full max-w-3xl space-y-3 px-5 pb-4">
          <Problem error={asking.error} />
          {isMine ? (
            <GoOn kept={kept} shown={shown} asking={asking} onSend={send} />
          ) : (
            <Banner>{t('chat.ofOther', { who: kept.ownerName ?? kept.ownerId })}</Banner>
          )}
        </div>
        <p role="status" className="sr-only">
          {run && t(`agent.status.${run.status}`)}
        </p>
      </div>
      <ThreadSource kept={kept} liveId={shown.liveId} live={steps} />
    </div>
  );
}

function useRunNotifications(title: string, run: Run | undefined): void {
  const { t } = useTranslation();
  const status = run?.status;
  const tag = run?.id ?? '';
  const named = (text: string) => ({ title: `${title}: ${text}`, tag });
  useNotification(status === 'waiting', named(t('agent.status.waiting')));
  useNotification(run !== undefined && !isOpen(run), named(t(`agent.status.${status ?? 'done'}`)));
}

function useIsMine({ kind, ownerId }: KeptConversation): boolean {
  const me = useMe();
  return kind !== 'bot' && me.data?.id === ownerId;
}

/**
 * Follows the run that works or waits in the conversation to its end. Without such a run, reads the latest
 * one.
 */
function useShownRun({ run: open, kind, messages }: KeptConversation) {
  const [liveId, setLive] = useState(open?.id);
  if (open && open.id !== liveId) setLive(open.id);
  const last = messages.at(-1);
  const ended = kind === 'agent' && last?.role === 'assistant' ? last.id : undefined;
  const isLive = open !== null || messages.every(({ id }) => id !== liveId) || ended === liveId;
  const runId = isLive && liveId !== undefined ? liveId : ended;
  const run = useRun(runId);
  const steps = useRunSteps(liveId);
  return { liveId, run: run.data?.id === runId ? run.data : undefined, steps };
}

type Shown = ReturnType<typeof useShownRun>;

interface Request {
  text: string;
  mode?: RunOptions['mode'];
  /** The message that it replaces. */
  edited?: Message;
}

/** Sends requests to the conversation, and messages to its run. A refused text returns to the text box. */
function useAsking(kept: KeptConversation, { run }: Shown) {
  const { workspaceId, id } = kept;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const choices = useRunChoices(workspaceId, `run of ${id}`, (kept.mode ?? 'agent') as RunOptions['mode']);
  const start = useStartRun(workspaceId);
  const steer = useSteer(run?.id ?? '');
  const draftName = `agent ${id}`;
  const reread = () => queries.invalidateQueries({ queryKey: ['conversation', id] });
  const opened = async (runId: string) => {
    await reread();
    const to = '/w/$workspaceId/agent/$runId' as const;
    await navigate({ to, params: { workspaceId, runId }, replace: true });
  };
  const ask = ({ text, mode = choices.mode, edited }: Request) => {
    const parentId = edited === undefined ? (kept.messages.at(-1)?.id ?? null) : edited.parentId;
    const place = { id, parentId, messageId: edited?.id };
    const refused = (error: Error) => {
      addToDraft(draftName, text);
      if (isConversationChanged(error)) void reread();
    };
    start.mutate({ text, ...choices.options, mode, ...place }, { onSuccess: opened, onError: refused });
  };
  const steerOrAsk = (text: string) => {
    const isOver = (error: Error) => error instanceof ApiError && error.code === 'run_over';
    const refused = (error: Error) => (isOver(error) ? ask({ text }) : addToDraft(draftName, text));
    steer.mutate(text, { onError: refused });
  };
  const isAtWork = run !== undefined && isOpen(run);
  const error = start.error ?? steer.error;
  return {
    ...{ choices, draftName, reread, ask, error, isBusy: start.isPending },
    send: (text: string) => (isAtWork ? steerOrAsk(text) : ask({ text })),
  };
}

type Asking = ReturnType<typeof useAsking>;

interface TurnsProps {
  kept: KeptConversation;
  shown: Shown;
  asking: Asking;
  isMine: boolean;
}

/** The number of latest turns for which changes are shown. */
const WITH_CHANGES = 5;

function Turns({ kept, shown: { liveId, run, steps }, asking, isMine }: TurnsProps) {
  const [choosing, setChoosing] = useState<Error>();
  const { messages, branches } = kept;
  const isWaited = run !== undefined && isOpen(run);
  const choose = (messageId: string) =>
    chooseBranch(kept.id, messageId).then(asking.reread).catch(setChoosing);
  const isTrailing =
    liveId !== undefined && messages.at(-1)?.role === 'user' && messages.every(({ id }) => id !== liveId);
  const runOf = (id: string) => (run?.id === id ? run : undefined);
  return (
    <>
      {messages.map((message, place) =>
        message.role === 'user' ? (
          <Question
            key={message.id}
            message={message as UIMessage}
            isBusy={isWaited || asking.isBusy}
            isReadOnly={!isMine}
            versions={branches[message.id]}
            onChoose={choose}
            onEdit={(text) => asking.ask({ text, edited: message })}
          />
        ) : message.id === liveId ? (
          <RunTurn key={message.id} runId={message.id} steps={steps} run={runOf(message.id)}>
            <RateAnswer conversationId={kept.id} messageId={message.id} />
          </RunTurn>
        ) : (
          <StoredTurn
            key={message.id}
            conversationId={kept.id}
            message={message}
            run={runOf(message.id)}
            hasChanges={place >= messages.length - 2 * WITH_CHANGES}
          />
        ),
      )}
      {isTrailing && <RunTurn key={liveId} runId={liveId} steps={steps} run={runOf(liveId)} />}
      <Problem error={choosing} />
      {isMine && !isWaited && <Next kept={kept} run={run} asking={asking} />}
    </>
  );
}

interface StoredProps {
  conversationId: string;
  message: Message;
  run: Run | undefined;
  hasChanges: boolean;
}

const StoredTurn = memo(({ conversationId, message, run, hasChanges }: StoredProps) => {
  const steps = useMemo(() => stepsOfMessage(message as { parts: Part[] }), [message]);
  const mayHaveChanged = run === undefined && hasChanges && steps.steps.some(({ kind }) => kind === 'call');
  return (
    <>
      <RunTurn runId={message.id} steps={steps} run={run}>
        <RateAnswer conversationId={conversationId} messageId={message.id} />
      </RunTurn>
      {mayHaveChanged && <RunChanges runId={message.id} steps={steps.steps} />}
    </>
  );
});

/** The usual next requests after a run: execute its plan, try again, or ask about it in the chat. */
function Next({ kept, run, asking }: Pick<TurnsProps, 'kept' | 'asking'> & { run: Run | undefined }) {
  const { t } = useTranslation();
  const { id: conversationId, workspaceId, messages } = kept;
  const { choices, ask, isBusy } = asking;
  const request = messages.findLast(({ role }) => role === 'user');
  const isPlanned = run?.mode === 'plan' && run.status === 'done' && choices.modes.includes('agent');
  const carryOut = () => {
    choices.change({ mode: 'agent' });
    ask({ text: t('agent.carryOutRequest'), mode: 'agent' });
  };
  const again = () => request && ask({ text: textOf(request), edited: request });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
      {isPlanned && (
        <Button look="main" icon="play" disabled={isBusy} onClick={carryOut}>
          {t('agent.carryOut')}
        </Button>
      )}
      {run?.status === 'failed' && (
        <Button icon="again" disabled={isBusy} onClick={again}>
          {t('parts.tryAgain')}
        </Button>
      )}
      <Link
        to="/w/$workspaceId/chat/$conversationId"
        params={{ workspaceId, conversationId }}
        search={{ as: 'chat' }}
        className="inline-flex min-h-9 items-center text-accent underline"
      >
        {t('agent.toChat')}
      </Link>
    </div>
  );
}

function textOf({ parts }: Message): string {
  return viewOfMessage(parts as Part[]).text;
}

interface GoOnProps extends Omit<TurnsProps, 'isMine'> {
  onSend: (text: string) => void;
}

/** The text box below the conversation, with the messages that wait for the run. */
function GoOn({ kept, shown: { run }, asking, onSend }: GoOnProps) {
  const { workspaceId, answering } = kept;
  const { t } = useTranslation();
  const stop = useStopRun(run?.id ?? '');
  const queued = useQueued(run);
  const isAtWork = run !== undefined && isOpen(run);
  useLeftovers(run, queued, onSend);
  const { choices, draftName, isBusy } = asking;
  return (
    <>
      <AiBanner />
      <Problem error={stop.error} />
      {isAtWork ? <NotifyOffer /> : <ModelLimits {...choices} />}
      <Readers kept={kept} />
      <RunComposer
        workspaceId={workspaceId}
        choices={choices}
        draftName={draftName}
        label={t(isAtWork ? 'agent.steer' : 'agent.goOn')}
        isBusy={isBusy || isAtWork || answering} // a chat's answer is stored a moment after its last word
        onStop={isAtWork ? () => stop.mutate() : undefined}
        onSend={onSend}
        above={run && <Queued runId={run.id} queued={queued} onSend={isAtWork ? undefined : onSend} />}
      />
    </>
  );
}

/** Warns before the first run of a private chat, because a run isn't private. */
function Readers({ kept: { kind, shared } }: Pick<GoOnProps, 'kept'>) {
  const { t } = useTranslation();
  const isAlone = useIsAlone();
  return kind !== 'chat' || shared || isAlone ? null : <Banner look="calm">{t('agent.readers')}</Banner>;
}

/**
 * Sends the messages that arrived while a run was ending as the next request. Withdraws each of them first,
 * so that another tab can't send it too. After a failure or a stop, the person decides.
 */
function useLeftovers(
  run: Run | undefined,
  queued: ReturnType<typeof useQueued>,
  onSend: (text: string) => void,
): void {
  const withdraw = useWithdraw(run?.id ?? '').mutateAsync;
  const isSending = useRef(false);
  const isDone = run?.status === 'done' && queued.length > 0;
  useEffect(() => {
    if (!isDone || isSending.current) return;
    isSending.current = true;
    const sendAll = async () => {
      const withdrawn: string[] = [];
      for (const { id, text } of queued)
        await withdraw(id).then(
          () => withdrawn.push(text),
          () => undefined, // another tab sends it
        );
      if (withdrawn.length > 0) onSend(withdrawn.join('\n\n'));
    };
    void sendAll().finally(() => {
      isSending.current = false;
    });
  }, [isDone, queued, withdraw, onSend]);
}

interface SourceProps {
  kept: KeptConversation;
  liveId: string | undefined;
  live: RunSteps;
}

/** The open source of any turn. */
function ThreadSource({ kept: { messages }, liveId, live }: SourceProps) {
  const { source } = useSearch({ strict: false });
  const turnId = source?.slice(0, source.lastIndexOf('.'));
  const message = messages.find(({ id }) => id === turnId);
  const stored = useMemo(() => message && stepsOfMessage(message as { parts: Part[] }), [message]);
  const steps = turnId === liveId ? live : stored;
  return turnId && steps ? <TurnSource runId={turnId} steps={steps} /> : null;
}

function TurnSource({ runId, steps }: { runId: string; steps: RunSteps }) {
  const { steps: shown, citing } = useTurn({ runId, steps, run: undefined });
  const text = textsBefore(shown);
  return <OpenSource runId={runId} text={text} citations={citing.citations} metadata={steps.metadata} />;
}
