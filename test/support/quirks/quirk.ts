import type { ChatRequest } from '../fakes/fake-openai.ts';
import type { Reply } from './replies.ts';

/** A request to a scripted model. */
export interface Asked {
  request: ChatRequest;
  /** The text of all messages. */
  prompt: string;
  /** Number of earlier requests for this model. */
  turn: number;
}

/** Actions of a person that trigger a quirk. */
type Way = 'chat' | 'second question' | 'title' | 'judge' | 'note' | 'agent' | 'connect';

/** Expectations about the visible result. */
export interface Right {
  /** Must appear in the text, the notices, the error, or the title. */
  sees?: RegExp;
  /** Must not appear in any of them. */
  never?: RegExp;
  /** Files of the citations, in any order. */
  cites?: string[];
  notice?: string;
  /** The code of the error, or `none`; if absent, there is no error. */
  code?: RegExp;
  thinks?: RegExp;
  /** Maximum model calls. */
  calls?: number;
  /** Milliseconds until anything is visible: a text, a notice, an error. */
  withinMs?: number;
  judged?: true;
}

/** Model description of a server, by the kind of server. */
interface Told {
  openai?: Record<string, unknown>;
  lmStudio?: Record<string, unknown>;
  ollama?: Record<string, unknown>;
  show?: Record<string, unknown>;
}

export interface Quirk {
  /** Also the name of the model. */
  name: string;
  /** The public report: `owner/repository#number` on GitHub, or a URL. */
  source: string;
  way?: Way;
  /** Asks about many files, whose passages take more than 4,096 tokens. */
  many?: true;
  tells?: Told;
  /** For `connect`: the path of the base URL, and the key. */
  path?: string;
  key?: string;
  reply(asked: Asked): Reply;
  right: Right;
}

export const NO_ERROR = /^none$/;
export const ANY_ERROR = /^(?!none$)/;
export const ANY_END = /^/;

export const QUESTION = 'What is the default headersTimeout of undici, in seconds?';
export const REQUEST = 'Read undici.md and tell me its default headersTimeout.';
/** Occurs in one file only. */
export const FACT = 'The default headersTimeout is 300 seconds';
export const FILE = 'undici.md';

/** Returns the number of the passage with the fact; 0 if the prompt lacks it. */
export function numberIn(prompt: string): number {
  const before = prompt.slice(0, Math.max(0, prompt.lastIndexOf(FACT)));
  const numbers = before.match(/(?<=number="|^\[|\n\[)\d+/g) ?? [];
  return Number(numbers.at(-1) ?? 0);
}

/** Returns the answer of a good model from its input. */
export function goodAnswer({ prompt }: Asked): string {
  const number = numberIn(prompt);
  return number === 0 ? 'The passages do not say it.' : `${FACT} [${number}].`;
}

/** Returns approximately the server's count. */
export function countTokens({ prompt, request }: Asked): number {
  return Math.ceil((prompt.length + JSON.stringify(request.tools ?? '').length) / 4);
}
