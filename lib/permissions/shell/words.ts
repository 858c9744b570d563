import type { CommandArgument, Word, WordPart } from 'unbash';
import { HOLE } from '../template.ts';

/** The text of a word as the program gets it, with a hole for what is not known before. */
export function wordText(word: Word, textOf = partText): string {
  const text = word.parts === undefined ? word.value : word.parts.map((part) => textOf(part)).join('');
  return /^~/.test(word.text) ? text.replace(/^~[^/\0]*/, HOLE) : text;
}

/** Among the choices of braces: `.git`, or how it begins. */
const BEGINS_GIT = /[{,]['"\\]*\.((g|gi)?(?=[,}*?[])|git(?=[,}*?[/]))/i;

/** The same with the choice that leads to a folder of git, where there is one: of others it says nothing. */
export function gitText(argument: CommandArgument): string {
  if (argument.type !== 'Word') return argumentText(argument);
  return wordText(argument, (part) =>
    part.type === 'BraceExpansion' && BEGINS_GIT.test(part.text) ? `.${HOLE}` : partText(part),
  );
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
