import type { ModelMessage, ToolCall } from '../../ports/language-model.ts';

/** The number of identical calls in a row at which further ones are refused, because the model loops. */
const MAX_REPEATS = 3;
/** The number of steps in a row without a new result at which the run ends. */
const MAX_USELESS = 4;

/** Tracks whether the latest steps made progress. */
export interface Circle {
  /** The latest call, and how many times it was made in a row. */
  call: string;
  times: number;
  /** The number of steps in a row without a new result. */
  useless?: number;
}

/** A result of a step, as the model gets it. */
export interface StepResult {
  call: ToolCall;
  content: string;
  /** True if the call wasn't made. */
  isRefused: boolean;
}

/** Counts a call before it is made. Returns the reason for refusing it if it's repeated too often. */
export function countCall(circle: Circle, { name, input }: ToolCall): string | undefined {
  const call = `${name} ${input}`;
  circle.times = circle.call === call ? circle.times + 1 : 1;
  circle.call = call;
  if (circle.times < MAX_REPEATS) return undefined;
  return `This call was requested ${circle.times} times in a row, so it was not run again. Its result is above. Try another way, or say what is missing.`;
}

/**
 * Counts a step whose calls were all refused or returned the same results as before. `earlier` has the
 * messages before these results. A step that waited for approval doesn't count.
 */
export function countStep(circle: Circle, results: StepResult[], earlier: ModelMessage[]): void {
  const isUseless = results.every((result) => result.isRefused || isKnown(result, earlier));
  circle.useless = isUseless && results.length > 0 ? (circle.useless ?? 0) + 1 : 0;
}

/** Returns why the run ends here; undefined if it continues. */
export function uselessText({ useless = 0 }: Circle): string | undefined {
  if (useless < MAX_USELESS) return undefined;
  return `The model's last ${useless} steps brought nothing new: it repeated calls, or made calls that can't be run. The run was ended. Rephrase the request, or choose another model.`;
}

/** Returns whether the same call had the same result before. */
function isKnown({ call, content }: StepResult, earlier: ModelMessage[]): boolean {
  const same = earlier.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []).filter((each) => isSame(each, call)) : [],
  );
  const ids = new Set(same.map(({ id }) => id));
  return earlier.some(
    (message) => message.role === 'tool' && ids.has(message.toolCallId) && message.content === content,
  );
}

function isSame(one: ToolCall, other: ToolCall): boolean {
  return one.name === other.name && one.input === other.input;
}
