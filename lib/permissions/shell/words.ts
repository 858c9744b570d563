import type { CommandArgument, Word, WordPart } from 'unbash';
import { HOLE } from '../template.ts';

/** Splits a list of names at blanks. */
export function wordSet(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/));
}

type TextOf = (part: WordPart, next?: WordPart) => string;

/** Returns the text of a word as the program receives it, with a hole for each unknown part. */
export function wordText(word: Word, textOf: TextOf = partText): string {
  const parts = word.parts?.map((part, at, all) => textOf(part, all[at + 1]));
  const text = parts?.join('') ?? word.value;
  return /^~/.test(word.text) ? text.replace(/^~[^/\0]*/, HOLE) : text;
}

/** Finds `.git`, or a prefix of it, among the alternatives of braces. */
const BEGINS_GIT = /[{,]\.((g|gi)?(?=[,}*?[])|git(?=[,}*?[/]))/i;
const HAS_EMPTY = /[{,](?=[,}])/;
/** Quotes are removed after braces are expanded: `{a,'.'git}` is an alternative of `.git`. */
const QUOTES = /\$(?=['"])|['"\\]/g;

/** Returns the text of an argument with the brace alternative that leads to a git folder, if there is one. */
export function gitText(argument: CommandArgument): string {
  return argument.type === 'Word' ? wordText(argument, gitPart) : argumentText(argument);
}

function gitPart(part: WordPart, next?: WordPart): string {
  if (part.type !== 'BraceExpansion') return partText(part);
  const choices = unquoted(part);
  if (BEGINS_GIT.test(choices)) return `.${HOLE}`;
  const isBeforeDot = next !== undefined && unquoted(next).startsWith('.');
  return HAS_EMPTY.test(choices) && isBeforeDot ? '' : partText(part);
}

function unquoted({ text }: WordPart): string {
  return text.replace(QUOTES, '');
}

/** A variable or a glob may expand to several words, so a hole is any text. */
function partText(part: WordPart): string {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value;
    case 'DoubleQuoted':
      return part.parts.map(partText).join('');
    default:
      return HOLE;
  }
}

export function argumentText(argument: CommandArgument): string {
  if (argument.type === 'Word') return wordText(argument);
  const { name, value, append, index } = argument;
  if (value.type === 'ArrayValue' || index !== undefined) return `${name}${HOLE}`;
  return `${name}${append ? '+' : ''}=${wordText(value)}`;
}
