import { randomUUID } from 'node:crypto';
import type { AbstractChat, DefaultChatTransport, UIMessage } from 'ai';
import type { FakeOpenai } from '../fakes/fake-openai.ts';
import { plainState } from '../plain-chat.ts';
import type { Service } from '../service.ts';

/** The AI SDK in one of its versions, as its package exports it; 5 has no approvals. */
export type Sdk = typeof import('ai');

/** A service with a workspace, in which the rules ask before the agent writes a file. */
export interface SdkWorld {
  sdk: Sdk;
  /** The major version of `sdk`. */
  version: number;
  service: Pick<Service, 'url' | 'call'>;
  headers: Record<string, string>;
  workspaceId: string;
  provider: FakeOpenai;
}

export interface SdkPage {
  id: string;
  chat: AbstractChat<UIMessage>;
  /** The errors that onError received. */
  failures: string[];
  /** The method, path and status of each request. */
  requests: string[];
}

export interface ToolPart {
  type: string;
  state: string;
  toolCallId: string;
  errorText?: string;
  rawInput?: unknown;
  output?: unknown;
  approval?: { id: string; approved?: boolean; reason?: string };
}

interface PageOptions {
  api?: '/api/chat' | '/api/agent';
  id?: string;
  messages?: UIMessage[];
  /** Says the version of the SDK in a header. */
  saysVersion?: boolean;
}

/** Opens a page with useChat and only the URL, the workspace, and the token. */
export function openPage(world: SdkWorld, options: PageOptions = {}): SdkPage {
  const { api = '/api/agent', id = randomUUID(), messages = [] } = options;
  const failures: string[] = [];
  const requests: string[] = [];
  const says: Record<string, string> = options.saysVersion
    ? { 'x-ai-sdk-version': String(world.version) }
    : {};
  const transport: DefaultChatTransport<UIMessage> = new world.sdk.DefaultChatTransport({
    api: `${world.service.url}${api}`,
    headers: { ...world.headers, ...says },
    body: { workspaceId: world.workspaceId, ...(api === '/api/agent' && { cwd: '' }) },
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      requests.push(`${init?.method ?? 'GET'} ${new URL(String(input)).pathname} ${response.status}`);
      return response;
    },
  });
  const Chat = class extends world.sdk.AbstractChat<UIMessage> {};
  const sendAutomaticallyWhen = world.sdk.lastAssistantMessageIsCompleteWithApprovalResponses;
  const chat = new Chat({
    ...{ id, transport, state: plainState(messages) },
    ...(sendAutomaticallyWhen !== undefined && { sendAutomaticallyWhen }),
    onError: ({ message }) => void failures.push(message),
  });
  return { id, chat, failures, requests };
}

/** The page after a reload: the stored conversation, and what is still running in it. */
export async function reloadPage(
  world: SdkWorld,
  { id }: Pick<SdkPage, 'id'>,
  options: PageOptions = {},
): Promise<SdkPage> {
  const { messages } = await readKept(world, id);
  const page = openPage(world, { ...options, id, messages });
  await page.chat.resumeStream();
  return page;
}

export interface KeptConversation {
  messages: UIMessage[];
  run: { id: string; status: string; approvals?: { id: string; toolName: string; input: unknown }[] } | null;
}

export async function readKept({ service, headers }: SdkWorld, id: string): Promise<KeptConversation> {
  const path = `/api/conversations/${id}`;
  const { status, body } = await service.call<KeptConversation>('GET', path, undefined, headers);
  if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

export function toolParts(messages: UIMessage[]): ToolPart[] {
  const parts = messages.flatMap(({ parts }) => parts) as unknown as ToolPart[];
  return parts.filter(({ type }) => type.startsWith('tool-'));
}

export function textOf(message: UIMessage | undefined): string {
  return (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}
