import { Link, Navigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { useConversation } from '../conversations/queries.ts';
import { EmptyState, Skeletons } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { ChatPanel } from './chat-panel.tsx';
import { isNewChat } from './new-chat.ts';

export function ChatView() {
  const { workspaceId, conversationId } = useParams({ from: '/w/$workspaceId/chat/$conversationId' });
  const { source, nth, q, as } = useSearch({ from: '/w/$workspaceId/chat/$conversationId' });
  return (
    <Chat key={conversationId} {...{ workspaceId, conversationId, source, nth, q }} isChat={as === 'chat'} />
  );
}

interface Props {
  workspaceId: string;
  conversationId: string;
  source: string | undefined;
  nth: string | undefined;
  q: string | undefined;
  /** True if an agent's conversation continues as a chat. */
  isChat: boolean;
}

/**
 * A chat. If it was new when it was opened, it stays mounted, because its first question must not reload it.
 */
function Chat({ isChat, ...props }: Props) {
  const [isNew] = useState(() => isNewChat(props.workspaceId, props.conversationId));
  return isNew ? <ChatPanel {...props} kept={null} /> : <KeptChat {...props} isChat={isChat} />;
}

function KeptChat({ isChat, ...props }: Props) {
  const conversation = useConversation(props.conversationId);
  if (conversation.error)
    return (
      <div className="mx-auto max-w-3xl p-6">
        <Problem error={conversation.error} onRetry={() => conversation.refetch()} />
      </div>
    );
  if (conversation.data === undefined)
    return (
      <div className="mx-auto w-full max-w-3xl space-y-6 p-6">
        <Skeletons rows={3} className="h-16" />
      </div>
    );
  if (conversation.data === null) return <NotReadable workspaceId={props.workspaceId} />;
  const run = runOf(conversation.data);
  if (run === undefined || isChat) return <ChatPanel {...props} kept={conversation.data} />;
  const { workspaceId } = props;
  return <Navigate to={run.to} params={{ workspaceId, runId: run.runId }} replace />;
}

/**
 * A conversation that can't be read. Someone else's unshared conversation looks like a missing one, because
 * neither accepts questions.
 */
function NotReadable({ workspaceId }: Pick<Props, 'workspaceId'>) {
  const { t } = useTranslation();
  return (
    <EmptyState icon="chat" title={t('chat.notReadable')}>
      <p>{t('chat.notReadableNext')}</p>
      <p className="mt-4 flex flex-wrap justify-center gap-x-5 gap-y-2">
        <Link to="/w/$workspaceId/chat" params={{ workspaceId }} className="text-accent underline">
          {t('conversations.new')}
        </Link>
        <Link to="/" className="text-accent underline">
          {t('shell.toWorkspaces')}
        </Link>
      </p>
    </EmptyState>
  );
}

/**
 * Returns the run of a conversation, because runs have a page of their own. The answer of a run, and a
 * conversation that a run started, have the run's ID.
 */
function runOf({ id, kind, messages }: Schemas['ConversationWithMessages']) {
  if (kind !== 'agent' && kind !== 'research') return undefined;
  const runId = messages.findLast(({ role }) => role === 'assistant')?.id ?? id;
  const to = kind === 'research' ? '/w/$workspaceId/research/$runId' : '/w/$workspaceId/agent/$runId';
  return { runId, to } as const;
}
