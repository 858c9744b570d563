import type { ModelAttachment, ModelMessage } from '../../ports/language-model.ts';
import { PICTURE_TOKENS } from '../../usage/estimate.ts';

/** About four characters make a token: this fits models of 128,000 tokens with room for the answer. */
const MAX_CHARACTERS = 320_000;
/** The latest tool results stay whole. */
const KEEP_RESULTS = 6;
const SHORT = 400;

/**
 * The conversation as it fits the model: while it is too long, what came with old messages goes, then old tool results are
 * condensed to their beginnings, then the oldest turns go. The first message stays, and the latest of the user, which says what
 * is wanted now.
 */
export function fitContext(messages: ModelMessage[], maxCharacters = MAX_CHARACTERS): ModelMessage[] {
  if (sizeOf(messages) <= maxCharacters) return messages;
  const light = dropAttachments(messages, maxCharacters);
  if (sizeOf(light) <= maxCharacters) return light;
  const condensed = condenseResults(light);
  return sizeOf(condensed) <= maxCharacters ? condensed : dropOldest(condensed, maxCharacters);
}

/** The oldest first; what came with the latest message of the user stays. */
function dropAttachments(messages: ModelMessage[], maxCharacters: number): ModelMessage[] {
  const latest = messages.findLast(({ role }) => role === 'user');
  let size = sizeOf(messages);
  return messages.map((message) => {
    const isHeavy = message.role === 'user' && message.attachments !== undefined && message !== latest;
    if (!isHeavy || size <= maxCharacters) return message;
    const light = { ...message, attachments: message.attachments?.map(leaveOut) ?? [] };
    size -= sizeOfOne(message) - sizeOfOne(light);
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

/** A turn of the assistant goes with the results of its calls: a result without its call is refused by the models. */
function dropOldest([first, ...rest]: ModelMessage[], maxCharacters: number): ModelMessage[] {
  if (first === undefined) return [];
  const turns = groupTurns(rest);
  const request = turns.findLast(([message]) => message?.role === 'user');
  const last = turns.at(-1);
  let size = sizeOf([first, ...rest]);
  const kept = turns.filter((turn) => {
    if (turn === request || turn === last || size <= maxCharacters) return true;
    size -= sizeOf(turn);
    return false;
  });
  const note = 'Earlier parts of this conversation were omitted because they were too long.';
  return [shorten(first, maxCharacters / 3), { role: 'user', content: note }, ...kept.flat()];
}

function groupTurns(messages: ModelMessage[]): ModelMessage[][] {
  const turns: ModelMessage[][] = [];
  for (const message of messages) {
    if (message.role === 'tool' && turns.length > 0) turns.at(-1)?.push(message);
    else turns.push([message]);
  }
  return turns;
}

function shorten(message: ModelMessage, characters: number): ModelMessage {
  return message.content.length <= characters
    ? message
    : { ...message, content: `${message.content.slice(0, characters)}\n[truncated]` };
}

function sizeOf(messages: ModelMessage[]): number {
  return sumOf(messages.map(sizeOfOne));
}

function sizeOfOne(message: ModelMessage): number {
  if (message.role === 'user')
    return message.content.length + sumOf((message.attachments ?? []).map(sizeOfAttachment));
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return message.content.length + sumOf(calls.map(({ name, input }) => name.length + input.length));
}

function sizeOfAttachment({ text, picture }: ModelAttachment): number {
  return text.length + (picture === undefined ? 0 : 4 * PICTURE_TOKENS);
}

function sumOf(sizes: number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}
