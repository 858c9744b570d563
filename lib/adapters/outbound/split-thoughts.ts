import { LRUCache } from 'lru-cache';
import { type AnswerPiece, AnswerSplitter } from '../../api-contract/split-answer.ts';
import type { ModelEvent, ModelRequest } from '../../ports/language-model.ts';
import { AnswerLeft } from './bounded-events.ts';

type SaidEvent = Extract<ModelEvent, { type: 'text' | 'reasoning' | 'text-was-reasoning' }>;

/**
 * Whether the model's template may open the reasoning, so that the answer contains only its end. `unsure`
 * passes the text on, and withdraws it if that end arrives; `whole` holds the text back, for readers who need
 * only the whole answer.
 */
export type OpenedByTemplate = 'never' | 'always' | 'unsure' | 'whole';

const TAG = String.raw`(?:\w{1,12}[:_])?(?:think(?:ing)?|thoughts?|reasoning)`;
const CLOSING = new RegExp(`</${TAG}>`, 'iu');
const AT_CLOSING = new RegExp(`^</${TAG}>`, 'iu');
const MENTIONED = new RegExp(`^<${TAG}>`, 'iu');
const OPENING = new RegExp(String.raw`^<${TAG}(?:\s[^<>]{0,30})?>`, 'iu');
const CHANNEL = String.raw`^(?:<\|start\|>\w{0,20})?<\|channel\|>\s?`;
/** The ways in which model families mark reasoning. All but the last end with a tag. */
const THOUGHTS: { open: RegExp; close: RegExp; isWord?: true }[] = [
  { open: OPENING, close: CLOSING },
  { open: /^\[THINK\]/i, close: /\[\/THINK\]/i },
  { open: /^◁think▷/, close: /◁\/think▷/ },
  { open: /^<\|(?:begin_of_thought|START_THINKING)\|>/, close: /<\|(?:end_of_thought|END_THINKING)\|>/ },
  { open: new RegExp(String.raw`${CHANNEL}analysis[^<]{0,40}<\|message\|>`), close: /<\|(?:end|return)\|>/ },
  { open: /^<\|channel>thought\s/, close: /<channel\|>/ },
  { open: /^<unused94>/, close: /<unused95>/ },
  // The channels of gpt-oss, when a server has removed their tokens.
  { open: /^analysis(?=[\p{Lu}\p{Lo}])/u, close: /assistantfinal/, isWord: true },
];
/** Matches what must follow a tag that is markup. Before other text, the answer may be about the tag. */
const AFTER_MARKUP = /^(?:\s*\n|\p{Lu})/u;
/**
 * Matches a control token: a bar inside an angle bracket, or one of the few without a bar. Tokens of tool
 * calls stay.
 */
const TOKEN = String.raw`(?:<[|｜](?![^<>]{0,40}(?:tool|call|function|python))[^<>\s]{1,40}>|<[^<>\s|｜/]{1,40}[|｜]>|</s>|<(?:eos|eot|bos|(?:end|start)_of_\w{1,20})>|\[/INST\])`;
const AT_TOKEN = new RegExp(`^${TOKEN}`, 'u');
/**
 * Matches the role or channel before an answer. After reasoning, also a token or an element around the
 * answer.
 */
const PREAMBLE = new RegExp(
  String.raw`${CHANNEL}(?:final|commentary)\s?(?:<\|constrain\|>\w{1,20})?<\|message\|>|^${TOKEN}(?:assistant|model)?(?:${TOKEN})?[ \t]*(?:\n|$)`,
  'u',
);
/** The role of the next turn, which templates write after a token, or as a token. */
const ROLE = '(?:user|assistant|system|model|human)';
const HAS_ROLE = new RegExp(ROLE, 'i');
const NEXT_TURN = new RegExp(
  String.raw`^\s*(?:${TOKEN}\s*)*(?:<[|｜]${ROLE}[|｜]>|${TOKEN}${ROLE}[ \t]*(?:\n|${TOKEN}|$)|(?:<s>\s*)?\[INST\])`,
  'iu',
);
const ONLY_TOKENS = new RegExp(String.raw`^(?:${TOKEN}|\s)*$`, 'u');
const MAY_BE_RUN = new RegExp(
  String.raw`^(?:${TOKEN}|\s)*(?:<[^<>\s]{0,42}|\[\w{0,5}|\p{L}{0,12}[ \t]*)$`,
  'u',
);
/**
 * Matches text that makes a following token part of the answer: a line that ends in a colon, or another such
 * token.
 */
const SHOWN = new RegExp(String.raw`(?:[:：][ \t]*\n\s*|${TOKEN}\s*)$`, 'u');
/** The same for the end of reasoning, which may be on the next line. */
const SHOWN_APART = /[:：][ \t]*\n[ \t]*\n\s*$/;
const AROUND = new RegExp(String.raw`^(?!<\|(?:channel|start)\|>)(?:${TOKEN}|<(?:answer|response)>)`, 'u');
const AROUND_END = /^<\/(?:answer|response)>/;
/** Matches text that may become a match of any of these patterns. */
const MAY_BECOME = new RegExp(
  String.raw`^(?:<[^<>\n]{0,60}|\[[^\]\n]{0,8}|◁[^▷]{0,8}|<\|(?:start|channel)\|>(?![^]*<\|message\|>)[^]{0,120}|${TOKEN}\w{0,20}(?:<[^<>\n]{0,42}>?)?[ \t]*)$`,
  'u',
);
const UNENDED = /^(?:<[^<>\s]{0,42}|\[\/?I?N?S?T?)$/;
const IN_SENTENCE = /[^\s.!?。！？…\p{Pe}\p{Pf}"*_`][ \t]+$/u;
/**
 * Maximum white space characters at the start of an answer, or characters after its end, before the stream is
 * ended.
 */
const MAX_UNSAID = 2000;
/** Maximum spaces after a token, or before the first word of an answer. */
const MAX_BLANKS = 400;
const MAX_CLOSE = 40;
/** Maximum characters to hold back; longer than anything read as a whole. */
const MAX_WHOLE = 40_000;
/** Maximum spaces to keep. After more of them a model may write nothing else, so the caller decides. */
const MAX_KEPT_BLANKS = 50;
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
/**
 * Milliseconds for which a template is remembered, because a server may be restarted with another template.
 */
const KNOWN_MS = 60 * 60_000;
/** Minimum answers. A single one may be about the tag that ends reasoning. */
const ENOUGH = 2;
/**
 * Per model: the number of answers that showed that the template opens the reasoning, minus those that showed
 * the opposite.
 */
const opened = new LRUCache<string, number>({ max: MAX_KNOWN, ttl: KNOWN_MS });

/**
 * Returns the splitter for an answer. A provider's own endpoint (`baseUrl` undefined) sends reasoning
 * separately, or with both of its tags.
 */
export function thoughtSplitter(
  baseUrl: string | undefined,
  model: string,
  { thinking, reader }: Pick<ModelRequest, 'thinking' | 'reader'>,
): ThoughtSplitter {
  if (baseUrl === undefined) return new ThoughtSplitter('never');
  const key = JSON.stringify([baseUrl, model, thinking]);
  const unknown = reader === 'whole' ? 'whole' : 'unsure';
  const seen = () => opened.get(key) ?? 0;
  return new ThoughtSplitter(seen() === ENOUGH ? 'always' : unknown, (isOpened) => {
    opened.set(key, isOpened ? Math.min(seen() + 1, ENOUGH) : Math.max(seen() - 1, 0));
  });
}

/**
 * Splits a streamed answer into reasoning and text, and removes control tokens that a server left at its end.
 * Reasoning is at the start, or follows other reasoning; elsewhere, and in code, its tags are text. The
 * result doesn't depend on how the stream is split into chunks.
 */
export class ThoughtSplitter {
  #state: 'start' | 'thought' | 'answer' | 'over' = 'start';
  #held = '';
  #close = CLOSING;
  #hadThought = false;
  /** The unclosed reasoning, with its opener. */
  #unclosed: string | undefined;
  #opening = '';
  /** What opened the reasoning: a tag, the template, or a word that counts only if the end follows. */
  #openedBy: 'tag' | 'template' | 'word' = 'tag';
  #callsTools = false;
  /** Number of characters that were received but not passed on. */
  #unsaid = 0;
  #isWrapped = false;
  #answer = new AnswerSplitter();
  #prose = '';
  /** The end of the text that was already passed on. */
  #before = '';
  /** Number of reasoning tags that were opened within the text. */
  #mentioned = 0;
  /** Text that is held back in full. */
  #kept = '';
  #events: SaidEvent[] = [];
  #opened: OpenedByTemplate;

  #onOpened: (isOpened: boolean) => void;

  /** `onOpened` is called with whether the template opens the reasoning, if the answer shows it. */
  constructor(opened: OpenedByTemplate, onOpened: (isOpened: boolean) => void = () => {}) {
    this.#opened = opened;
    this.#onOpened = onOpened;
  }

  /** Adds content; returns the events. */
  add(text: string): SaidEvent[] {
    this.#held += text;
    while (this.#step(false));
    return this.#events.splice(0);
  }

  /**
   * Passes on the held text. `stop`: the model has finished; `cut`: it was interrupted; otherwise, a tool
   * call follows.
   */
  end(ending?: 'stop' | 'cut'): SaidEvent[] {
    while (this.#step(true));
    this.#callsTools ||= ending === undefined;
    if (ending !== undefined && !this.#callsTools) this.#settle(ending);
    this.#releaseKept('text');
    return this.#events.splice(0);
  }

  /** If the model has finished, reasoning without an end and without text after it is the answer. */
  #settle(ending: 'stop' | 'cut'): void {
    if (!this.#hadThought) this.#onOpened(false);
    const said = this.#unclosed;
    const isWord = this.#openedBy === 'word';
    this.#unclosed = undefined;
    if (said === undefined || (ending === 'cut' && !isWord)) return;
    const again = new ThoughtSplitter('never');
    again.#state = 'answer';
    const isMarkup = !isWord && AFTER_MARKUP.test(said);
    const whole = isMarkup ? said.trimStart() : this.#opening + said;
    this.#events.push(...again.add(whole), ...again.end(ending));
  }

  /** Takes one step. Returns whether it must be called again. */
  #step(isEnd: boolean): boolean {
    if (this.#state === 'start') return this.#begin(isEnd);
    if (this.#state === 'thought') return this.#think(isEnd);
    const text = this.#held;
    this.#held = '';
    if (this.#state === 'answer') this.#read(text, isEnd);
    else this.#skip(text.length, 'stop');
    return this.#held !== '';
  }

  #begin(isEnd: boolean): boolean {
    const text = this.#collapseBlanks();
    if (text === '') return false;
    const thought = THOUGHTS.find(
      ({ open, isWord }) => open.test(text) && !(isWord && this.#opened === 'never'),
    );
    if (thought !== undefined) return this.#open(thought, text, thought.isWord ? 'word' : 'tag');
    if (!isEnd && (MAY_BECOME.test(text) || 'analysis'.startsWith(text))) return false;
    const cut = this.#cutBefore(text);
    if (cut > 0) {
      this.#held = text.slice(cut);
      return this.#held !== '';
    }
    if (this.#opened === 'always' && !this.#hadThought)
      return this.#open({ open: /^/, close: CLOSING }, text, 'template');
    this.#state = 'answer';
    if (this.#hadThought) this.#held = text;
    return true;
  }

  /** Returns the held text without white space at its start, except the first line's indentation. */
  #collapseBlanks(): string {
    const text = this.#held.trimStart();
    const blanks = this.#held.slice(0, this.#held.length - text.length);
    const indentation = blanks.slice(blanks.lastIndexOf('\n') + 1).slice(0, MAX_BLANKS);
    this.#held = indentation + text;
    if (text === '') this.#skip(blanks.length - indentation.length, 'repeats');
    return text;
  }

  /** Ends a stream that continues without content, because nothing else counts such characters. */
  #skip(characters: number, reason: AnswerLeft['reason']): void {
    this.#unsaid += characters;
    if (this.#unsaid > MAX_UNSAID) throw new AnswerLeft(reason);
  }

  /** Returns the number of characters before the answer. */
  #cutBefore(text: string): number {
    const [closing] = AT_CLOSING.exec(text) ?? []; // the server removed the start of the reasoning
    this.#hadThought ||= closing !== undefined;
    const [preamble] = PREAMBLE.exec(text) ?? [];
    const [around] = (this.#hadThought && AROUND.exec(text)) || [];
    this.#isWrapped ||= preamble === undefined && around?.endsWith('r>') === true;
    return (closing ?? preamble ?? around ?? '').length;
  }

  #open({ open, close }: (typeof THOUGHTS)[number], text: string, by: 'tag' | 'template' | 'word'): boolean {
    this.#opening = open.exec(text)?.[0] ?? '';
    this.#state = 'thought';
    this.#close = close;
    this.#openedBy = by;
    this.#held = text.slice(this.#opening.length);
    this.#unclosed = '';
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
    if (this.#openedBy === 'template') this.#onOpened(true);
    this.#unclosed = undefined;
    this.#state = 'start';
    this.#hadThought = true;
    return this.#held !== '';
  }

  /** Finds the closing tag. The reasoning only mentions a tag that is in quotation marks. */
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
    if (this.#unclosed !== undefined) this.#unclosed += text;
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

  /** Ends the reasoning, and reads the text after it as the start of an answer. */
  #leaveAnswer(left: AnswerPiece[]): void {
    const rest = [...left, ...this.#answer.end()].map(({ text }) => text).join('');
    this.#answer = new AnswerSplitter();
    this.#held = this.#state === 'over' ? '' : this.#prose + rest;
    this.#prose = '';
  }

  /** Passes on prose up to a possible tag or token. `next` is the kind of text after the prose. */
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

  /** Returns how much of the prose is text; undefined if that depends on more text. */
  #readTag(next: 'more' | 'code' | 'end'): number | undefined {
    if (MENTIONED.test(this.#prose)) this.#mentioned += 1;
    const [closing] = AT_CLOSING.exec(this.#prose) ?? [];
    if (closing !== undefined) return this.#readClosing(closing, next);
    const around = this.#isWrapped ? AROUND_END.exec(this.#prose) : null;
    const [token] = AT_TOKEN.exec(this.#prose) ?? around ?? [];
    if (token === undefined) return 1;
    return IN_SENTENCE.test(this.#before) ? token.length : this.#readToken(token, next);
  }

  /**
   * Reads a token. It ends the answer if nothing follows, or only the next turn of the conversation, which
   * the model has made up.
   */
  #readToken(token: string, next: 'more' | 'code' | 'end'): number | undefined {
    if (SHOWN.test(this.#before)) return token.length;
    const rest = this.#prose.slice(token.length, next === 'end' ? undefined : token.length + MAX_BLANKS);
    if (next === 'end' && ONLY_TOKENS.test(rest)) return this.#drop();
    const mayBeRun = next === 'more' && MAY_BE_RUN.test(rest);
    if (mayBeRun && this.#prose.length < MAX_BLANKS) return undefined;
    const line = next === 'code' ? `${rest}\`` : rest; // before code, a role doesn't end its line
    const isTurn = !HAS_ROLE.test(token) && NEXT_TURN.test(line);
    if (!isTurn && !(mayBeRun && rest.trim() !== '')) return token.length;
    this.#state = 'over';
    return 0;
  }

  #drop(): number {
    this.#prose = '';
    return 0;
  }

  /**
   * Reads the end of reasoning that no tag opened. It must be between two sentences, and not part of a pair
   * of tags.
   */
  #readClosing(tag: string, next: 'more' | 'code' | 'end'): number | undefined {
    const rest = this.#prose.slice(tag.length);
    if (this.#mentioned > 0 || this.#hadThought || this.#opened === 'never') {
      this.#mentioned = Math.max(0, this.#mentioned - 1);
      return tag.length;
    }
    if (next === 'more' && /^[ \t]*$/.test(rest)) return undefined;
    const line = this.#before.slice(this.#before.lastIndexOf('\n') + 1).trim();
    const isBetween = line === '' || /[\p{Po}\p{Pe}\p{Pf}]$/u.test(line);
    const endsLine = next !== 'code' && /^[ \t]*(?:\n|$)/.test(rest);
    const isShown = QUOTES[this.#before.at(-1) ?? ''] !== undefined || SHOWN_APART.test(this.#before);
    if (isShown || !(isBetween || endsLine)) return tag.length;
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
    const isBlank = this.#kept.length > MAX_KEPT_BLANKS && this.#kept.slice(-MAX_KEPT_BLANKS).trim() === '';
    if (isBlank || this.#kept.length > MAX_WHOLE) this.#releaseKept('text');
  }

  #releaseKept(type: 'text' | 'reasoning'): void {
    if (this.#kept !== '') this.#events.push({ type, text: this.#kept });
    this.#kept = '';
    if (this.#opened === 'whole') this.#opened = 'never';
  }
}
