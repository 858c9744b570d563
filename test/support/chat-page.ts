import { DefaultChatTransport, type UIMessage } from 'ai';
import { PlainChat, plainState } from './plain-chat.ts';
import type { Service } from './service.ts';

export interface ChatPage {
  /** The errors that onError received. */
  failures: string[];
  chat: PlainChat;
}

/** A page: useChat with only the URL and the workspace. */
export function openChatPage(
  service: Service,
  { workspaceId, id, messages = [] }: { workspaceId: string; id: string; messages?: UIMessage[] },
): ChatPage {
  const failures: string[] = [];
  const transport = new DefaultChatTransport({ api: `${service.url}/api/chat`, body: { workspaceId } });
  const onError = ({ message }: Error) => void failures.push(message);
  return { failures, chat: new PlainChat({ id, transport, state: plainState(messages), onError }) };
}
