import { decodeHTMLStrict } from 'entities';
import type { ModelMessage, ModelRequest } from '../../ports/language-model.ts';
import { isBoundedJson } from '../../validation/bounded-json.ts';

export interface WrittenCall {
  /** The name of the offered tool. */
  name: string;
  /** The arguments as JSON. */
  input: string;
  /** The call as written in the answer, and as JSON. */
  sources: string[];
}

/** Matches words that appear in a call's notation, at least one of them near every call. */
const FORM = /^(?:arguments|parameters?|args?|input|tools?|functions?|invoke)$/;
/**
 * Minimum letters of the longest argument. Shorter arguments occur in any text, so such a call must appear
 * exactly.
 */
const TELLING = 4;
/**
 * Number of words allowed between two words of a call. A search puts the path and the line number between
 * them.
 */
const ROOM_PER_WORD = 4;
const ROOM = 20;
/** Maximum rounds of decoding nested escapes, such as those of HTML in JSON. */
const MAX_ROUNDS = 4;

/**
 * Returns whether the model's input contains one of the calls. The call itself counts anywhere, however it is
 * escaped or spaced. In results and attachments, the tool's name near the texts of the arguments also counts,
 * because a quote may omit, reorder, or decode the text around them.
 */
export function isQuoted(calls: WrittenCall[], { system, messages }: ModelRequest): boolean {
  const said = messages.flatMap((message) => (message.role === 'user' ? message.content : []));
  const files = messages.flatMap(filesIn);
  const found = [files.join('\n'), ...joinFields(files)].map(wordsOf);
  const letters = [...found, ...[...said, system].map(wordsOf)].map((words) => words.join(''));
  return calls.some((call) => {
    const sources = call.sources.map((source) => wordsOf(source).join(''));
    const wanted = wordsOfCall(call);
    return (
      sources.some((source) => letters.some((text) => text.includes(source))) ||
      (wanted !== undefined && found.some((words) => areTogether(wanted, words)))
    );
  });
}

/** Returns the texts that other people may have written. */
function filesIn(message: ModelMessage): string[] {
  if (message.role === 'tool') return [message.content];
  return message.role === 'user' ? (message.attachments ?? []).map(({ text }) => text) : [];
}

/**
 * Joins the texts of each field across the results, such as a search's lines or a file's parts, without the
 * text around each.
 */
function joinFields(files: string[]): string[] {
  const fields = new Map<string, string>();
  for (const file of files)
    readJson(file, (field, text) => fields.set(field, `${fields.get(field) ?? ''}\n${text}`));
  return [...fields.values()];
}

function readJson(json: string, onText: (field: string, text: string) => void): void {
  if (!isBoundedJson(json)) return;
  try {
    JSON.parse(json, (field, value) => void (typeof value === 'string' && onText(field, value)));
  } catch {
    // not JSON
  }
}

/**
 * Returns the call's tool, and the names and texts of its arguments; undefined if they are too short to identify it.
 */
function wordsOfCall({ name, input }: WrittenCall): Set<string> | undefined {
  const wanted = new Set(wordsOf(name));
  let longest = 0;
  readJson(input, (field, text) => {
    const words = wordsOf(text);
    longest = Math.max(longest, words.join('').length);
    for (const word of [...wordsOf(field), ...words]) wanted.add(word);
  });
  return longest < TELLING ? undefined : wanted;
}

function areTogether(wanted: Set<string>, words: string[]): boolean {
  const room = wanted.size * ROOM_PER_WORD + ROOM;
  /** The latest position of each word found so far, earliest position first. */
  const places = new Map<string, number>();
  const put = (key: string, at: number) => {
    places.delete(key);
    places.set(key, at);
  };
  for (const [at, word] of words.entries()) {
    if (wanted.has(word)) put(word, at);
    if (FORM.test(word)) put('', at);
    const [first = at] = places.values();
    if (places.size > wanted.size && at - first <= room) return true;
  }
  return false;
}

/** Returns the words of a text in lower case, with escapes removed. */
function wordsOf(text: string): string[] {
  const plain = decode(text).replace(/\\+[nrtbf]?/g, ' ');
  return plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function decode(text: string, rounds = MAX_ROUNDS): string {
  const unescaped = text.replace(/\\+u([\da-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const decoded = decodeHTMLStrict(unescaped);
  return decoded === text || rounds === 1 ? decoded : decode(decoded, rounds - 1);
}
