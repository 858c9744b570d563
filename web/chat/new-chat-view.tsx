import { Navigate, useParams } from '@tanstack/react-router';
import { newChatId } from './new-chat.ts';

/** A new chat. It has a URL before its first question, so that its draft survives a reload. */
export function NewChatView() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const conversationId = newChatId(workspaceId);
  return (
    <Navigate to="/w/$workspaceId/chat/$conversationId" params={{ workspaceId, conversationId }} replace />
  );
}
