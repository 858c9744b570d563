import { HOLE } from '../template.ts';

/** One word of a shell command. */
export interface ShellWord {
  /** The text that the program receives. A hole marks each unknown part. */
  text: string;
  /** The text as written. */
  raw: string;
  /** True if the word consists of unquoted variables only, so it may become no word, or several. */
  mayVanish: boolean;
}

export interface PlainScript {
  /** The words of each command. An empty list means that the command only opens files. */
  commands: ShellWord[][];
  /** Files that the shell itself writes, by `>` and similar redirections. */
  writes: ShellWord[];
  /** True if the shell opens a file for reading, by `<`. */
  opens: boolean;
  /** The first part that isn't plain. The rest of the script isn't read. */
  doubt: string | undefined;
}

/**
 * Splits a bash script of plain commands: words with quotes, variables, and globs, redirections to files, and
 * here-documents that bash doesn't expand, joined by `&&`, `||`, `;`, `|`, `&`, and new lines. Stops at
 * anything else. Operators in an order that bash rejects also separate commands; bash then runs fewer
 * commands than are returned.
 */
export function splitScript(source: string): PlainScript {
  const splitter = new Splitter(source);
  splitter.split();
  return splitter.script;
}

const BLANK = /[ \t]+(?:\\\n[ \t]*)*/y;
const COMMENT = /#[^\n]*/y;
const SEPARATOR = /&&|\|\||\|&|[;|&\n]/y;
/** Matches a target that is a digit or `-`, because bash expands any other target a second time. */
const DUPLICATE = /\d?[<>]&[\d-](?=[\s;|&<>]|$)/y;
const REDIRECTION = /(?:&>>?|\d?(?:>>|>\||>|<))(?![<>&#])[ \t]*(?!#)/y;
const HEREDOC =
  /\d?<<(?<strips>-?)[ \t]*(?:(?<quote>['"])(?<quoted>\w+)\k<quote>|(?<name>\w+))(?=[\s;|&<>]|$)/y;
const LINE = /[^\n]*\n?/y;
const MAX_SHOWN = 30;
const AFTER_WORD = /(?=[\s;|&<>]|$)/y;

const VARIABLE = String.raw`\$(?:[A-Za-z_]\w*(?!\w)|\{[A-Za-z_]\w*\}|\?)`;
const UNQUOTED_VARIABLE = new RegExp(VARIABLE, 'y');
/** A `$` before the end, a space, or one of `|)/` is literal. */
const DOUBLE_QUOTED = new RegExp(String.raw`"((?:[^"\\$${'`'}]|\\[\s\S]|${VARIABLE}|\$(?=["\s|)/]))*)"`, 'y');
const IN_DOUBLE_QUOTES = new RegExp(String.raw`\\\n|\\([$${'`'}"\\])|${VARIABLE}`, 'g');

/** The parts of a word, each with a function that returns the text of that part. */
const PARTS: [RegExp, (text: string, inner: string) => string][] = [
  [/(?:[\w.,:/@%+^=\]!#-]|[^\0-\x7f])+|\{\}/y, (text) => text],
  [/\\[^\n]/y, (text) => text.slice(1)],
  [/'([^']*)'/y, (_, inner) => inner],
  [DOUBLE_QUOTED, (_, inner) => withoutEscapes(inner)],
  [UNQUOTED_VARIABLE, () => HOLE],
  [/[*?[]/y, () => HOLE],
  [/(?<=^|[\s;|&<>=:])~[\w.+-]*/y, () => HOLE],
  [/~/y, (text) => text],
];

function withoutEscapes(quoted: string): string {
  return quoted.replace(IN_DOUBLE_QUOTES, (text, escaped?: string) => {
    return escaped ?? (text.startsWith('$') ? HOLE : '');
  });
}

interface Heredoc {
  delimiter: string;
  isQuoted: boolean;
  strips: boolean;
  at: number;
}

class Splitter {
  readonly script: PlainScript = { commands: [], writes: [], opens: false, doubt: undefined };
  readonly #source: string;
  #at = 0;
  #words: ShellWord[] = [];
  #isRedirected = false;
  #heredocs: Heredoc[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  split(): void {
    while (this.#at < this.#source.length && this.script.doubt === undefined) this.#readToken();
    if (this.#heredocs.length > 0) this.#doubt('a here-document without an end');
    if (this.script.doubt === undefined) this.#endCommand();
  }

  #readToken(): void {
    if (this.#take(BLANK) || this.#take(COMMENT) || this.#take(DUPLICATE)) return;
    if (this.#readHeredoc() || this.#readRedirection()) return;
    const separator = this.#take(SEPARATOR)?.[0];
    if (separator === undefined) return void this.#words.push(this.#readWord());
    this.#endCommand();
    if (separator === '\n') this.#readBodies();
  }

  #endCommand(): void {
    if (this.#words.length > 0 || this.#isRedirected) this.script.commands.push(this.#words);
    this.#words = [];
    this.#isRedirected = false;
  }

  #readRedirection(): boolean {
    const operator = this.#take(REDIRECTION)?.[0];
    if (operator === undefined) return false;
    this.#isRedirected = true;
    const target = this.#readWord();
    if (operator.includes('>')) this.script.writes.push(target);
    else this.script.opens = true;
    return true;
  }

  #readHeredoc(): boolean {
    const { groups } = this.#take(HEREDOC) ?? {};
    if (groups === undefined) return false;
    const { strips, quoted, name = '' } = groups;
    const isQuoted = quoted !== undefined;
    this.#isRedirected = true;
    this.#heredocs.push({ delimiter: quoted ?? name, isQuoted, strips: strips === '-', at: this.#at });
    return true;
  }

  /** Reads the here-documents whose text starts after this line. */
  #readBodies(): void {
    const heredocs = this.#heredocs.splice(0);
    // If a quote in between contains a line break, shells disagree about where the text starts.
    if (this.#source.slice(heredocs[0]?.at ?? this.#at, this.#at - 1).includes('\n'))
      this.#doubt('a here-document in a command of several lines');
    for (const heredoc of heredocs) this.#readBody(heredoc);
  }

  #readBody({ delimiter, isQuoted, strips }: Heredoc): void {
    while (this.#at < this.#source.length) {
      const line = (this.#take(LINE)?.[0] ?? '').replace(/\n$/, '');
      if ((strips ? line.replace(/^\t+/, '') : line) === delimiter) return;
      if (!isQuoted && /[$`\\]/.test(line)) this.#doubt('a here-document that is expanded');
    }
    this.#doubt('a here-document without an end');
  }

  #readWord(): ShellWord {
    const start = this.#at;
    const word: ShellWord = { text: '', raw: '', mayVanish: true };
    let isBracket = false;
    for (let part = this.#readPart(); part !== undefined; part = this.#readPart()) {
      isBracket ||= part.raw === '[';
      word.mayVanish &&= part.raw.startsWith('$');
      // Each character between brackets may match others, but never a slash.
      if (isBracket && word.text.endsWith(HOLE)) part.text = part.text.replace(/^[^/]+/, '');
      isBracket &&= !part.text.includes('/');
      word.text += part.text;
    }
    word.raw = this.#source.slice(start, this.#at);
    if (word.raw === '[') word.text = '[';
    // Bash may read a number before a redirection as a file descriptor.
    const isFile = /^\d+$/.test(word.raw) && /[<>]/.test(this.#source[this.#at] ?? '');
    if (word.raw === '' || isFile || this.#take(AFTER_WORD) === null)
      this.#doubt(JSON.stringify(this.#source.slice(this.#at, this.#at + MAX_SHOWN)));
    return word;
  }

  #readPart(): { raw: string; text: string } | undefined {
    for (const [pattern, textOf] of PARTS) {
      const [raw, inner = ''] = this.#take(pattern) ?? [];
      if (raw !== undefined) return { raw, text: textOf(raw, inner) };
    }
    return undefined;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }

  #doubt(what: string): void {
    this.script.doubt ??= what;
  }
}
