import type { ModelAttachment, ModelMessage } from '../../ports/language-model.ts';
import { boundTokens, cutMiddleToTokens, mostTokens } from '../../text/count-tokens.ts';
import { PICTURE_TOKENS } from '../../text/estimate-tokens.ts';

/**
 * The maximum length of the messages in characters. At about four characters per token, models with 128,000
 * tokens have room for them and the answer.
 */
const MAX_CHARACTERS = 320_000;
/** The number of latest tool results that stay whole. */
const KEEP_RESULTS = 6;
const SHORT = 400;

/**
 * Shortens the conversation to fit the model: drops the attachments of old messages, then truncates old tool
 * results, then drops the oldest turns. Keeps the first message, and the user's latest, which contains the
 * current request.
 */
export function fitContext(messages: ModelMessage[], maxCharacters = MAX_CHARACTERS): ModelMessage[] {
  return shrink(messages, { size: maxCharacters, of: ({ length }) => length, picture: 4 * PICTURE_TOKENS });
}

function shrink(messages: ModelMessage[], most: Size): ModelMessage[] {
  if (sizeOf(messages, most) <= most.size) return messages;
  const light = dropAttachments(messages, most);
  if (sizeOf(light, most) <= most.size) return light;
  const condensed = condenseResults(light);
  return sizeOf(condensed, most) <= most.size ? condensed : dropOldest(condensed, most);
}

/**
 * Shortens the conversation as usual. Undefined unless it certainly has at most this many tokens, because
 * counting them takes 20 ms per 100,000 characters.
 */
export function fitSurely(messages: ModelMessage[], tokens: number): ModelMessage[] | undefined {
  const usual = fitContext(messages);
  return sizeOf(usual, { size: tokens, of: boundTokens, picture: PICTURE_TOKENS }) <= tokens
    ? usual
    : undefined;
}

/**
 * Shortens the conversation for a known window: first as usual, then by tokens. The latest results lose their
 * middles.
 */
export function fitTokens(messages: ModelMessage[], tokens: number): ModelMessage[] {
  const usual = fitContext(messages);
  const most = { size: tokens, of: mostTokens, picture: PICTURE_TOKENS };
  const fitted = shrink(usual, most);
  const over = sizeOf(fitted, most) - tokens;
  const results = fitted.filter(({ role }) => role === 'tool');
  if (over <= 0 || results.length === 0) return fitted;
  const share = (sizeOf(results, most) - over) / results.length;
  return fitted.map((message) =>
    message.role === 'tool'
      ? { ...message, content: cutMiddleToTokens(message.content, Math.max(share, LEAST_RESULT), NOTE) }
      : message,
  );
}

const LEAST_RESULT = 40;
const NOTE = '. Ask for less per call';

/** The maximum size of the messages, and how to measure it. */
interface Size {
  size: number;
  of(text: string): number;
  /** The size that each image counts. */
  picture: number;
}

/** Drops the oldest attachments first, but never those of the user's latest message. */
function dropAttachments(messages: ModelMessage[], most: Size): ModelMessage[] {
  const latest = messages.findLast(({ role }) => role === 'user');
  let size = sizeOf(messages, most);
  return messages.map((message) => {
    const isHeavy = message.role === 'user' && message.attachments !== undefined && message !== latest;
    if (!isHeavy || size <= most.size) return message;
    const light = { ...message, attachments: message.attachments?.map(leaveOut) ?? [] };
    size -= sizeOfOne(message, most) - sizeOfOne(light, most);
    return light;
  });
}

function leaveOut({ name }: ModelAttachment): ModelAttachment {
  return { name, text: `[The attachment ${JSON.stringify(name)} was omitted because it doesn't fit.]` };
}

function condenseResults(messages: ModelMessage[]): ModelMessage[] {
  const results = messages.filter(({ role }) => role === 'tool');
  const recent = new Set(results.slice(-KEEP_RESULTS));
  return messages.map((message) => {
    if (message.role !== 'tool' || recent.has(message) || message.content.length <= SHORT) return message;
    const gone = message.content.length - SHORT;
    const note = `\n[${gone} characters of this old result were omitted. Call the tool again to get them.]`;
    return { ...message, content: message.content.slice(0, SHORT) + note };
  });
}

const LEFT_OUT = 'Earlier parts of this conversation were omitted because they were too long.';

/** Drops an assistant turn together with the results of its calls, because models refuse a result without its call. */
function dropOldest([first, ...rest]: ModelMessage[], most: Size): ModelMessage[] {
  if (first === undefined) return [];
  const turns = groupTurns(rest);
  const request = turns.findLast(([message]) => message?.role === 'user');
  const last = turns.at(-1);
  let size = sizeOf([first, ...rest], most);
  const kept = turns.filter((turn) => {
    if (turn === request || turn === last || size <= most.size) return true;
    size -= sizeOf(turn, most);
    return false;
  });
  return [shorten(first, most), { role: 'user', content: LEFT_OUT }, ...kept.flat()];
}

/** Returns whether parts of the conversation were dropped, not only shortened. */
export function leavesOut(fitted: ModelMessage[]): boolean {
  return fitted[1]?.content === LEFT_OUT;
}

/** Groups each assistant turn with the results of its calls. Every other message is its own group. */
export function groupTurns(messages: ModelMessage[]): ModelMessage[][] {
  const turns: ModelMessage[][] = [];
  for (const message of messages) {
    if (message.role === 'tool' && turns.length > 0) turns.at(-1)?.push(message);
    else turns.push([message]);
  }
  return turns;
}

/** Shortens a message to at most a third of the maximum size. */
function shorten(message: ModelMessage, { size, of }: Size): ModelMessage {
  const share = size / 3 / Math.max(size / 3, of(message.content));
  if (share === 1) return message;
  const length = Math.floor(message.content.length * share);
  return { ...message, content: `${message.content.slice(0, length)}\n[truncated]` };
}

function sizeOf(messages: ModelMessage[], most: Size): number {
  return sumOf(messages.map((message) => sizeOfOne(message, most)));
}

function sizeOfOne(message: ModelMessage, { of, picture: ofPicture }: Size): number {
  const sizeOfAttachment = ({ text, picture }: ModelAttachment) =>
    of(text) + (picture === undefined ? 0 : ofPicture);
  if (message.role === 'user')
    return of(message.content) + sumOf((message.attachments ?? []).map(sizeOfAttachment));
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return of(message.content) + sumOf(calls.map(({ name, input }) => of(name) + of(input)));
}

function sumOf(sizes: number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}
