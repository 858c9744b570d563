import type { CommandArgument, Word, WordPart } from 'unbash';
import { HOLE } from '../template.ts';

/** A list of names, apart by blanks. */
export function wordSet(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/));
}

type TextOf = (part: WordPart, next?: WordPart) => string;

/** The text of a word as the program gets it, with a hole for what is not known before. */
export function wordText(word: Word, textOf: TextOf = partText): string {
  const parts = word.parts?.map((part, at, all) => textOf(part, all[at + 1]));
  const text = parts?.join('') ?? word.value;
  return /^~/.test(word.text) ? text.replace(/^~[^/\0]*/, HOLE) : text;
}

/** Finds `.git`, or how it begins, among the choices of braces. */
const BEGINS_GIT = /[{,]\.((g|gi)?(?=[,}*?[])|git(?=[,}*?[/]))/i;
const HAS_EMPTY = /[{,](?=[,}])/;
/** Quotes are taken away after the braces were read: `{a,'.'git}` is a choice of `.git`. */
const QUOTES = /\$(?=['"])|['"\\]/g;

/** The text of an argument with the choice of its braces that leads to a folder of git, where there is one. */
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

/** What a variable holds, or a glob finds, may be several words: a hole is any text. */
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
