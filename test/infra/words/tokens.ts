/** A comment or a text of TypeScript or JavaScript, with the code right before it. */
export interface Token {
  kind: 'comment' | 'text';
  value: string;
  /** The last characters of code in front of it. */
  before: string;
}

interface Reading {
  source: string;
  at: number;
  before: string;
  /** For each open template, how many braces are open in its placeholder. */
  braces: number[];
  tokens: Token[];
}

const PIECE = new RegExp(
  [
    String.raw`(?<comment>/\*.*?\*/|//[^\n]*)`,
    String.raw`(?<text>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")`,
    String.raw`(?<regex>/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+/[a-z]*)`,
    String.raw`(?<blank>\s+)`,
    String.raw`(?<code>\w+|.)`,
  ].join('|'),
  'sy',
);
const TEMPLATE_PART = /(?:\\.|\$(?!\{)|[^`\\$])*(?:`|\$\{|$)/sy;
/** A slash after these begins a regular expression; elsewhere it divides. */
const BEFORE_REGEX = /(?:^|[([{=,;:!&|?+\-*%<>~^]|\b(?:return|typeof|case|in|of|await|yield) ?)$/;
const KEPT = 40;

/** Returns the comments and the texts of a source; a template gives one text per part between its placeholders. */
export function tokensOf(source: string): Token[] {
  const reading: Reading = { source, at: 0, before: '', braces: [], tokens: [] };
  while (reading.at < source.length) readPiece(reading);
  return reading.tokens;
}

function readPiece(reading: Reading): void {
  const { comment, text, blank, regex, code = '/' } = pieceAt(reading);
  if (comment !== undefined) add(reading, 'comment', comment);
  if (text !== undefined) add(reading, 'text', text.slice(1, -1));
  const isDivision = regex !== undefined && !BEFORE_REGEX.test(reading.before);
  const piece = comment ?? text ?? blank ?? (isDivision ? '/' : regex) ?? code;
  reading.at += piece.length;
  if (piece === '`' || (piece === '}' && reading.braces.at(-1) === 0)) readTemplate(reading);
  else if (comment === undefined) moveOn(reading, piece);
  if (blank !== undefined) reading.before = reading.before.replace(/(?<=\w)$/, ' ');
}

function pieceAt({ source, at }: Reading): Record<string, string | undefined> {
  PIECE.lastIndex = at;
  return PIECE.exec(source)?.groups ?? {};
}

function add({ tokens, before }: Reading, kind: Token['kind'], value: string): void {
  tokens.push({ kind, value, before: before.trimEnd() });
}

/** Reads a template to its end or its next placeholder, from its start or from the end of a placeholder. */
function readTemplate(reading: Reading): void {
  if (reading.source[reading.at - 1] === '}') reading.braces.pop();
  TEMPLATE_PART.lastIndex = reading.at;
  const part = TEMPLATE_PART.exec(reading.source)?.[0] ?? '';
  const hasMore = part.endsWith('{');
  add(reading, 'text', part.slice(0, hasMore ? -2 : -1));
  reading.at += part.length;
  reading.before = hasMore ? '(' : '`';
  if (hasMore) reading.braces.push(0);
}

/** Moves past a piece of code. */
function moveOn(reading: Reading, piece: string): void {
  const change = piece === '{' ? 1 : piece === '}' ? -1 : undefined;
  const open = change === undefined ? undefined : reading.braces.pop();
  if (open !== undefined && change !== undefined) reading.braces.push(open + change);
  reading.before = `${reading.before}${piece.trim()}`.slice(-KEPT);
}
