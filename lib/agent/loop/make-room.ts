import type { StreamPart } from '../../api-contract/stream-part.ts';
import { noneIfRefused } from '../../errors.ts';
import type { LanguageModel, ModelMessage, ModelRequest, ModelTool } from '../../ports/language-model.ts';
import { isShort, type PromptRoom } from '../../support/prompt-room.ts';
import { notice } from '../../ui-messages/notice.ts';
import { condense } from '../summarize.ts';
import { type AgentConversation, addUsage } from './conversation.ts';
import { groupTurns, leavesOut } from './fit-context.ts';
import { fitRequest } from './fit-request.ts';

/** The share of the turns, counted in characters, that a summary replaces. */
const SUMMARIZED_SHARE = 2 / 3;
/** The share of the prompt that the summary may take. */
const SUMMARY_SHARE = 1 / 5;

const SUMMARIZED =
  "The conversation is too long for the model's context window, so its earlier part was summarized.";
const SHORTENED =
  "The conversation is too long for the model's context window, so older results were shortened, or left out.";

interface RoomNeeds {
  conversation: AgentConversation;
  model: LanguageModel;
  modelTools: ModelTool[];
}

/**
 * Makes room for the next step, and notifies the reader: shortens old results, then summarizes the earlier
 * part if that isn't enough. A small window has no room for a summary, so its oldest turns are dropped.
 */
export async function* makeRoom(
  run: RoomNeeds,
  room: PromptRoom,
  signal: AbortSignal,
): AsyncGenerator<StreamPart, ModelRequest> {
  const { conversation, modelTools } = run;
  const fitted = fitRequest(conversation, modelTools, room);
  if (fitted.messages === conversation.messages) return fitted;
  if (leavesOut(fitted.messages) && !isShort(room) && (await summarizeEarlier(run, room, signal))) {
    yield notice('context-summarized', SUMMARIZED);
    return fitRequest(conversation, modelTools, room);
  }
  if (!conversation.toldOfShortening) yield notice('context-shortened', SHORTENED);
  conversation.toldOfShortening = true;
  return fitted;
}

/** Replaces the earlier part with the model's summary. Returns false on failure. */
async function summarizeEarlier(
  { conversation, model }: RoomNeeds,
  { tokens }: PromptRoom,
  signal: AbortSignal,
): Promise<boolean> {
  const { earlier, latest } = splitTurns(conversation);
  if (earlier.length < 2) return false;
  const language = 'Write in the language of the conversation.';
  const onUsage = (usage: AgentConversation['usage']) => addUsage(conversation.usage, usage);
  const written = await condense(model, earlier, {
    ...{ language, signal, onUsage, maxTokens: tokens * SUMMARY_SHARE },
  }).catch(noneIfRefused);
  if (written === undefined) return false;
  const request = latest.some(({ role }) => role === 'user') ? undefined : lastRequest(earlier);
  const parts = [`Summary of the conversation so far:\n\n${written.text}`];
  if (request !== undefined) parts.push(`The current request:\n\n${request}`);
  conversation.messages = [{ role: 'user', content: parts.join('\n\n') }, ...latest];
  return true;
}

/** Splits the conversation between two turns. */
function splitTurns({ messages }: AgentConversation): Record<'earlier' | 'latest', ModelMessage[]> {
  const turns = groupTurns(messages);
  const sizes = turns.map((turn) => turn.reduce((sum, { content }) => sum + content.length, 0));
  const most = sizes.reduce((sum, size) => sum + size, 0) * SUMMARIZED_SHARE;
  let sum = 0;
  const counted = sizes.findIndex((size) => {
    sum += size;
    return sum > most;
  });
  const at = Math.min(Math.max(counted, 1), turns.length - 1);
  return { earlier: turns.slice(0, at).flat(), latest: turns.slice(at).flat() };
}

function lastRequest(messages: ModelMessage[]): string | undefined {
  return messages.findLast(({ role }) => role === 'user')?.content;
}
