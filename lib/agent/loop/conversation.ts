import type { UsedFacts } from '../../memories/prompt-facts.ts';
import type { ModelMessage, Usage } from '../../ports/language-model.ts';
import type { PendingCall } from '../../runs/approvals.ts';
import { type CitedPassages, noPassages } from './cited-passages.ts';
import type { Searched } from './searched.ts';
import type { Circle } from './useless-steps.ts';

/** The state of a run between its steps, over hours and processes. */
export interface AgentConversation {
  system: string;
  messages: ModelMessage[];
  usage: Usage;
  steps: number;
  /** The number of failed calls. Absent before the first one. */
  failedCalls?: number;
  /** Calls of the latest step that wait for approval. */
  pending: PendingCall[];
  repeated: Circle;
  /** True if the reader has been notified that a budget is nearly used up. */
  toldOfBudget?: boolean;
  /** True if the reader has been notified that results were shortened. */
  toldOfShortening?: boolean;
  /** True if the reader has been notified that the server truncated a prompt. */
  toldOfCut?: boolean;
  /** The number of prompt tokens in the latest step; null if the provider doesn't report it. */
  promptTokens?: number | null;
  /** Absent before the first search of the index. */
  searched?: Searched;
  /** The passages that the answer may cite, and the cited ones. Absent before the first search. */
  cited?: CitedPassages;
  /** True if a model judges the citations of the answer. */
  judge?: boolean;
  /** The facts of people in the request. Absent if there are none. */
  memories?: UsedFacts;
}

export function citedIn(conversation: AgentConversation): CitedPassages {
  conversation.cited ??= noPassages();
  return conversation.cited;
}

/** Adds usage counts. A count is unknown if no call reports it. */
export function addUsage(total: Usage, { inputTokens, outputTokens }: Usage): void {
  if (inputTokens !== null) total.inputTokens = (total.inputTokens ?? 0) + inputTokens;
  if (outputTokens !== null) total.outputTokens = (total.outputTokens ?? 0) + outputTokens;
}
