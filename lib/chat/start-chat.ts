import { type Caller, requireRole } from '../access/caller.ts';
import type { StreamPart } from '../api-contract/stream-part.ts';
import { ATTACHMENT_ERRORS } from '../conversations/attachments/attach.ts';
import { KEEP_ATTACHMENT_ERRORS } from '../conversations/attachments/keep.ts';
import { TURN_ERRORS } from '../conversations/turn/claim-turn.ts';
import type { ErrorCode } from '../error-codes.ts';
import { NotConfigured } from '../errors.ts';
import type { LanguageModel, ProviderId } from '../ports/language-model.ts';
import { MODEL_ADMISSION_ERRORS } from '../ports/language-model.ts';
import { admitOthers, placesOf } from '../retrieval/places.ts';
import { isJudged } from '../support/judge-setting.ts';
import type { Use } from '../usage/schema.ts';
import { countWebSearch } from '../web-search/limit.ts';
import type { WebSearchPorts } from '../web-search/ports.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { type AnswerPorts, type AnswerRequest, answerChat } from './answer.ts';
import { answerInConversation } from './answer-in-conversation.ts';
import { attachToChat, type SentMessage } from './attach-files.ts';
import type { ChatBody } from './schema.ts';

export interface StartChatPorts {
  makesTitles: boolean;
  judgesCitations: boolean;
  attachmentQuotaBytes: number;
  searchFor(use: Use): AnswerPorts;
  /** Opens web search; undefined if it isn't configured. */
  webFor?(use: Use): WebSearchPorts | undefined;
  /**
   * Opens the chosen model, or any if none was chosen. Throws NotConfigured if the chosen provider, or every
   * provider, isn't configured.
   */
  openModel(use: Use, choice?: { provider: ProviderId; model: string }): LanguageModel;
}

/** Error codes that are sent before the first part, or as a part if the stream had to start earlier. */
export const SEND_ERRORS: ErrorCode[] = [
  ...ATTACHMENT_ERRORS,
  ...KEEP_ATTACHMENT_ERRORS,
  ...MODEL_ADMISSION_ERRORS,
  ...TURN_ERRORS,
  'web_search_not_configured',
  'web_search_rate_limited',
];

interface StartChatOptions {
  timeLeftMs: number;
  maxOutputTokens?: number | undefined;
}

/**
 * Makes all checks that can refuse a chat, and returns its answer as a stream. If it has an ID, the
 * conversation is stored. The first of several workspaces gets the conversation and the usage; the budgets of
 * the others must not be used up. Throws the errors of SEND_ERRORS.
 */
export async function startChat(
  ports: StartChatPorts,
  caller: Caller,
  asked: Workspace | Workspace[],
  body: ChatBody,
  { timeLeftMs, maxOutputTokens }: StartChatOptions,
): Promise<(signal: AbortSignal) => AsyncIterable<StreamPart>> {
  const { provider, model: name, id, messages, paths, filter } = body;
  const { workspace, workspaces } = placesOf(asked);
  const judge = isJudged(body.judge, workspace, ports);
  const choice = provider && name ? { provider, model: name } : undefined;
  const use: Use = { callerId: caller.id, workspaceId: workspace.id, kind: 'chat' };
  const model = ports.openModel(use, choice);
  await model.admit?.(); // a request can still be rejected with a status here
  await admitOthers(ports, use, workspaces, choice);
  const web = body.web ? await admitWeb(ports, caller, use) : undefined;
  const request = { workspace, workspaces, web, actor: caller.id, model, judge, maxOutputTokens };
  const search = ports.searchFor(use);
  if (id === undefined) return answerWithoutStoring(search, messages, { ...request, paths, filter });
  return answerInConversation(
    { ...search, attachmentQuotaBytes: ports.attachmentQuotaBytes },
    caller,
    { ...body, id },
    { ...request, timeLeftMs, makesTitle: ports.makesTitles },
  );
}

/** Checks that the caller may search the web and save its pages. Throws Forbidden, NotConfigured, TooManyRequests. */
async function admitWeb(ports: StartChatPorts, caller: Caller, use: Use): Promise<WebSearchPorts> {
  requireRole(caller, 'member');
  const web = ports.webFor?.(use);
  if (web === undefined)
    throw new NotConfigured(
      'web_search_not_configured',
      'Web search is not configured. Ask an administrator to choose a provider in the settings.',
      { field: 'web' },
    );
  await countWebSearch(web, caller.id);
  return web;
}

/** Answers a chat that isn't stored. */
async function answerWithoutStoring(
  ports: AnswerPorts,
  sent: SentMessage[],
  asked: Omit<AnswerRequest, 'messages' | 'signal'>,
) {
  const messages = await attachToChat(ports, asked.workspace, sent);
  return (signal: AbortSignal) => answerChat(ports, { ...asked, messages, signal });
}
