import { useParams, useSearch } from '@tanstack/react-router';
import { useConversation } from '../conversations/queries.ts';
import { Skeletons } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { ChatRoom } from './chat-room.tsx';

export function ChatView() {
  const { workspaceId, conversationId } = useParams({ from: '/w/$workspaceId/chat/$conversationId' });
  const { source } = useSearch({ from: '/w/$workspaceId/chat/$conversationId' });
  const conversation = useConversation(conversationId);
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
  return (
    <ChatRoom
      key={conversationId}
      workspaceId={workspaceId}
      conversationId={conversationId}
      kept={conversation.data}
      source={source}
    />
  );
}
