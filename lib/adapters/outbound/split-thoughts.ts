import { LRUCache } from 'lru-cache';
import { type AnswerPiece, AnswerSplitter } from '../../api-contract/split-answer.ts';
import type { ModelEvent, ModelRequest } from '../../ports/language-model.ts';

type SaidEvent = Extract<ModelEvent, { type: 'text' | 'reasoning' | 'text-was-reasoning' }>;

/**
 * Whether the model's template may open the thought, so that only its end is in the answer. `unsure` passes the text on, and takes it
 * back when that end comes; `whole` holds it back, for readers who need only the whole answer.
 */
export type OpenedByTemplate = 'never' | 'always' | 'unsure' | 'whole';

const TAG = String.raw`(?:\w{1,12}[:_])?(?:think(?:ing)?|thoughts?|reasoning)`;
const CLOSING = new RegExp(`</${TAG}>`, 'iu');
const AT_CLOSING = new RegExp(`^</${TAG}>`, 'iu');
const MENTIONED = new RegExp(`^<${TAG}>`, 'iu');
const OPENING = new RegExp(String.raw`^<${TAG}(?:\s[^<>]{0,30})?>`, 'iu');
const CHANNEL = String.raw`^(?:<\|start\|>\w{0,20})?<\|channel\|>\s?`;
/** How model families write thoughts. All but the last ends with a tag. */
const THOUGHTS: { open: RegExp; close: RegExp }[] = [
  { open: OPENING, close: CLOSING },
  { open: /^\[THINK\]/i, close: /\[\/THINK\]/i },
  { open: /^◁think▷/, close: /◁\/think▷/ },
  { open: /^<\|(?:begin_of_thought|START_THINKING)\|>/, close: /<\|(?:end_of_thought|END_THINKING)\|>/ },
  { open: new RegExp(String.raw`${CHANNEL}analysis[^<]{0,40}<\|message\|>`), close: /<\|(?:end|return)\|>/ },
  { open: /^<\|channel>thought\s/, close: /<channel\|>/ },
  { open: /^<unused94>/, close: /<unused95>/ },
  // The channels of gpt-oss from a server that left their tokens out.
  { open: /^analysis(?=[\p{Lu}\p{Lo}])/u, close: /assistantfinal/ },
];
/** A control token by its shape, a bar inside an angle bracket, and the few without a bar. Those of tool calls aren't removed. */
const TOKEN = String.raw`(?:<[|｜](?![^<>]{0,40}(?:tool|call|function|python))[^<>\s]{1,40}>|<[^<>\s|｜/]{1,40}[|｜]>|</s>|<(?:eos|eot|bos|(?:end|start)_of_\w{1,20})>|\[/INST\])`;
const AT_TOKEN = new RegExp(`^${TOKEN}`, 'u');
/** What precedes an answer: its role or its channel. After a thought, a token or an element around the answer too. */
const PREAMBLE = new RegExp(
  String.raw`${CHANNEL}(?:final|commentary)\s?(?:<\|constrain\|>\w{1,20})?<\|message\|>|^${TOKEN}(?:assistant|model)?(?:${TOKEN})?[ \t]*(?:\n|$)`,
  'u',
);
const AROUND = new RegExp(String.raw`^(?!<\|(?:channel|start)\|>)(?:${TOKEN}|<(?:answer|response)>)`, 'u');
const AROUND_END = /^<\/(?:answer|response)>/;
/** The beginnings of all of these. */
const MAY_BECOME = new RegExp(
  String.raw`^(?:<[^<>\n]{0,60}|\[[^\]\n]{0,8}|◁[^▷]{0,8}|<\|(?:start|channel)\|>(?![^]*<\|message\|>)[^]{0,120}|${TOKEN}\w{0,20}(?:<[^<>\n]{0,42}>?)?[ \t]*)$`,
  'u',
);
const UNENDED = /^(?:<[^<>\s]{0,42}|\[\/?I?N?S?T?)$/;
const IN_SENTENCE = /[^\s.!?。！？…\p{Pe}\p{Pf}"*_`][ \t]+$/u;
/** Blanks after a token. */
const MAX_BLANKS = 400;
const MAX_CLOSE = 40;
/** Longer than what anyone reads as a whole. */
const MAX_WHOLE = 40_000;
const QUOTES: Record<string, string> = {
  '`': '`',
  '"': '"',
  "'": "'",
  '“': '”',
  '‘': '’',
  '«': '»',
  '「': '」',
};

const MAX_KNOWN = 200;
/** Models whose template opens the thought, as an answer of this process showed. */
const opened = new LRUCache<string, true>({ max: MAX_KNOWN });

/** The splitter for an answer. The endpoint of a provider (`baseUrl` undefined) sends thoughts apart, or with both of their tags. */
export function thoughtSplitter(
  baseUrl: string | undefined,
  model: string,
  { thinking, reader }: Pick<ModelRequest, 'thinking' | 'reader'>,
): ThoughtSplitter {
  if (baseUrl === undefined) return new ThoughtSplitter('never');
  const key = JSON.stringify([baseUrl, model, thinking]);
  const unknown = reader === 'whole' ? 'whole' : 'unsure';
  return new ThoughtSplitter(opened.has(key) ? 'always' : unknown, (isOpened) => {
    if (isOpened) opened.set(key, true);
    else opened.delete(key);
  });
}

/**
 * Splits the content of an answer into thoughts and text while it is streamed, and removes control tokens that a server left at its
 * end. A thought is at the beginning, or after another one; elsewhere, and in code, its tags are text. How the content was cut into
 * pieces makes no difference.
 */
export class ThoughtSplitter {
  #state: 'start' | 'thought' | 'answer' | 'over' = 'start';
  #held = '';
  #close = CLOSING;
  #hadThought = false;
  /** Whether the thought was begun without a tag, and its text so far. */
  #assumed: string | undefined;
  #isWrapped = false;
  #answer = new AnswerSplitter();
  #prose = '';
  /** The end of what was passed on. */
  #before = '';
  /** Thoughts that were opened in the text itself. */
  #mentioned = 0;
  /** Text that is held back as a whole. */
  #kept = '';
  #events: SaidEvent[] = [];
  #opened: OpenedByTemplate;

  #onOpened: (isOpened: boolean) => void;

  /** `onOpened` learns whether the template opens thoughts, if the answer shows it. */
  constructor(opened: OpenedByTemplate, onOpened: (isOpened: boolean) => void = () => {}) {
    this.#opened = opened;
    this.#onOpened = onOpened;
  }

  /** Takes more of the content. */
  add(text: string): SaidEvent[] {
    this.#held += text;
    while (this.#step(false));
    return this.#events.splice(0);
  }

  /** Passes on what is held back. `stop`: the model has said all; `cut`: it had more to say; otherwise a tool call follows. */
  end(ending?: 'stop' | 'cut'): SaidEvent[] {
    while (this.#step(true));
    if (this.#assumed !== undefined && ending === 'stop') {
      this.#onOpened(false);
      const again = new ThoughtSplitter('never');
      this.#events.push(...again.add(this.#assumed), ...again.end('stop'));
    }
    this.#releaseKept('text');
    return this.#events.splice(0);
  }

  /** True if it is to be called again. */
  #step(isEnd: boolean): boolean {
    if (this.#state === 'start') return this.#begin(isEnd);
    if (this.#state === 'thought') return this.#think(isEnd);
    const text = this.#held;
    this.#held = '';
    if (this.#state === 'answer') this.#read(text, isEnd);
    return this.#held !== '';
  }

  #begin(isEnd: boolean): boolean {
    const text = this.#held.trimStart();
    if (text === '') return false;
    const thought = THOUGHTS.find(({ open }) => open.test(text));
    if (thought !== undefined) return this.#open(thought, text);
    if (!isEnd && (MAY_BECOME.test(text) || 'analysis'.startsWith(text))) return false;
    const cut = this.#cutBefore(text);
    if (cut > 0) {
      this.#held = text.slice(cut);
      return this.#held !== '';
    }
    if (this.#opened === 'always' && !this.#hadThought) {
      this.#assumed = '';
      return this.#open({ open: /^/, close: CLOSING }, text);
    }
    this.#state = 'answer';
    if (this.#hadThought) this.#held = text;
    return true;
  }

  /** Characters of what precedes the answer. */
  #cutBefore(text: string): number {
    const [closing] = AT_CLOSING.exec(text) ?? []; // the server took the rest of the thought out
    this.#hadThought ||= closing !== undefined;
    const [preamble] = PREAMBLE.exec(text) ?? [];
    const [around] = (this.#hadThought && AROUND.exec(text)) || [];
    this.#isWrapped ||= preamble === undefined && around?.endsWith('r>') === true;
    return (closing ?? preamble ?? around ?? '').length;
  }

  #open({ open, close }: (typeof THOUGHTS)[number], text: string): boolean {
    this.#state = 'thought';
    this.#close = close;
    this.#held = text.replace(open, '');
    return this.#held !== '';
  }

  #think(isEnd: boolean): boolean {
    const end = this.#findClose();
    if (end === undefined) {
      const first = this.#close.source.startsWith('a') ? /a/ : /[<[◁]/;
      const tail = Math.max(0, this.#held.length - MAX_CLOSE);
      const at = isEnd ? -1 : this.#held.slice(tail).search(first);
      this.#reason(at < 0 ? this.#held : this.#held.slice(0, tail + at));
      this.#held = at < 0 ? '' : this.#held.slice(tail + at);
      return false;
    }
    if (!isEnd && end.to === this.#held.length && end.isAfterQuote) return false;
    this.#reason(this.#held.slice(0, end.from));
    this.#held = this.#held.slice(end.to);
    if (this.#assumed !== undefined) this.#onOpened(true);
    this.#assumed = undefined;
    this.#state = 'start';
    this.#hadThought = true;
    return this.#held !== '';
  }

  /** A tag in quotation marks is one that the thought is about. */
  #findClose() {
    for (const { 0: tag, index: from } of this.#held.matchAll(new RegExp(this.#close, 'giu'))) {
      const to = from + tag.length;
      const quote = QUOTES[this.#held[from - 1] ?? this.#before.at(-1) ?? ''];
      if (quote === undefined || this.#held[to] !== quote)
        return { from, to, isAfterQuote: quote !== undefined };
    }
    return undefined;
  }

  #reason(text: string): void {
    if (text === '') return;
    if (this.#assumed !== undefined) this.#assumed += text;
    this.#before = text.slice(-1);
    this.#events.push({ type: 'reasoning', text });
  }

  #read(text: string, isEnd: boolean): void {
    const pieces = [...this.#answer.add(text), ...(isEnd ? this.#answer.end() : [])];
    if (isEnd) this.#answer = new AnswerSplitter();
    for (const [at, piece] of pieces.entries()) {
      this.#readPiece(piece, isEnd && at === pieces.length - 1 ? 'end' : 'more');
      if (this.#state === 'answer') continue;
      this.#leaveAnswer(pieces.slice(at + 1));
      return;
    }
    if (isEnd) this.#readProse('end');
    if (isEnd && this.#state !== 'answer') this.#leaveAnswer([]);
  }

  #readPiece({ kind, text }: AnswerPiece, next: 'more' | 'end'): void {
    if (kind === 'code') {
      this.#readProse('code');
      if (this.#state === 'answer') this.#say(text);
      else this.#prose += text;
    } else {
      this.#prose += text;
      this.#readProse(next);
    }
  }

  /** What follows a thought is read again from its beginning. */
  #leaveAnswer(left: AnswerPiece[]): void {
    const rest = [...left, ...this.#answer.end()].map(({ text }) => text).join('');
    this.#answer = new AnswerSplitter();
    this.#held = this.#state === 'over' ? '' : this.#prose + rest;
    this.#prose = '';
  }

  /** Passes prose on up to what may be a tag or a token; `next` is what follows it. */
  #readProse(next: 'more' | 'code' | 'end'): void {
    while (this.#prose !== '' && this.#state === 'answer') {
      const at = this.#prose.search(/<|\[(?=\/|$)/);
      const said = at < 0 ? this.#prose.length : at;
      this.#say(this.#prose.slice(0, said));
      this.#prose = this.#prose.slice(said);
      if (this.#prose === '') return;
      if (next === 'more' && UNENDED.test(this.#prose)) return;
      const length = this.#readTag(next);
      if (length === undefined) return;
      this.#say(this.#prose.slice(0, length));
      this.#prose = this.#prose.slice(length);
    }
  }

  /** How much of the prose is text; undefined if more must come first. */
  #readTag(next: 'more' | 'code' | 'end'): number | undefined {
    if (MENTIONED.test(this.#prose)) this.#mentioned += 1;
    const [closing] = AT_CLOSING.exec(this.#prose) ?? [];
    if (closing !== undefined) return this.#readClosing(closing, next);
    const around = this.#isWrapped ? AROUND_END.exec(this.#prose) : null;
    const [token] = AT_TOKEN.exec(this.#prose) ?? around ?? [];
    if (token === undefined) return 1;
    return IN_SENTENCE.test(this.#before) ? token.length : this.#readToken(token, next);
  }

  #readToken(token: string, next: 'more' | 'code' | 'end'): number | undefined {
    const rest = this.#prose.slice(token.length, token.length + MAX_BLANKS).trimStart();
    if (rest === '' && next === 'end') return this.#drop();
    const mayContinue = next === 'more' && this.#prose.length < MAX_BLANKS;
    if (mayContinue && (rest === '' || UNENDED.test(rest))) return undefined;
    // Two tokens: the model writes the next turn of the conversation.
    if (!AT_TOKEN.test(rest) && !rest.startsWith('[INST]')) return token.length;
    this.#state = 'over';
    return 0;
  }

  #drop(): number {
    this.#prose = '';
    return 0;
  }

  /** The end of a thought that no tag opened is between two sentences, and not one of a pair. */
  #readClosing(tag: string, next: 'more' | 'code' | 'end'): number | undefined {
    const rest = this.#prose.slice(tag.length);
    if (this.#mentioned > 0 || this.#hadThought || this.#opened === 'never') {
      this.#mentioned = Math.max(0, this.#mentioned - 1);
      return tag.length;
    }
    if (next === 'more' && /^[ \t]*$/.test(rest)) return undefined;
    const line = this.#before.slice(this.#before.lastIndexOf('\n') + 1).trim();
    const isBetween = line === '' || /[\p{Po}\p{Pe}\p{Pf}]$/u.test(line);
    if (QUOTES[this.#before.at(-1) ?? ''] !== undefined || !(isBetween || /^[ \t]*(?:\n|$)/.test(rest)))
      return tag.length;
    if (this.#opened === 'unsure') this.#events.push({ type: 'text-was-reasoning' });
    this.#releaseKept('reasoning');
    this.#onOpened(true);
    this.#hadThought = true;
    this.#state = 'start';
    this.#prose = rest;
    return 0;
  }

  #say(text: string): void {
    if (text === '') return;
    this.#before = (this.#before + text).slice(-200);
    if (this.#opened !== 'whole') this.#events.push({ type: 'text', text });
    else this.#kept += text;
    if (this.#kept.length > MAX_WHOLE) this.#releaseKept('text');
  }

  #releaseKept(type: 'text' | 'reasoning'): void {
    if (this.#kept !== '') this.#events.push({ type, text: this.#kept });
    this.#kept = '';
    if (this.#opened === 'whole') this.#opened = 'never';
  }
}
