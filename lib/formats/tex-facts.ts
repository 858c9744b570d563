import { type StatedFacts, statedFacts } from './stated-facts.ts';

/** The maximum number of characters before the body. A preamble may be long, but its commands are short. */
const MAX_PREAMBLE = 100_000;
const MAX_ARGUMENT = 3000;

/** Reads `\title`, `\author`, and `\date` of a LaTeX source, removing the names of commands inside them. */
export function texFacts(source: string): StatedFacts {
  const preamble = source.slice(0, MAX_PREAMBLE).replace(/(?<!\\)%.*/g, '');
  const title = argumentOf(preamble, 'title');
  const authors = argumentOf(preamble, 'author')?.split(/\\and\b|\\And\b|\\AND\b/);
  return statedFacts({
    title: title && plainTex(title),
    authors: authors?.map((author) => plainTex(author.split('\\\\')[0] ?? '')),
    date: argumentOf(preamble, 'date'),
    isPublished: true,
  });
}

/** Returns the argument of a command, with balanced braces. */
function argumentOf(source: string, command: string): string | undefined {
  const found = new RegExp(`\\\\${command}\\s{0,9}(?:\\[[^\\]]{0,500}\\]\\s{0,9})?\\{`).exec(source);
  if (found === null) return undefined;
  const from = found.index + found[0].length;
  let depth = 1;
  for (let at = from; at < Math.min(source.length, from + MAX_ARGUMENT); at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '{') depth++;
    else if (source[at] === '}' && --depth === 0) return source.slice(from, at);
  }
  return undefined;
}

/** Removes notes together with their text, and other commands without their text. */
function plainTex(text: string): string {
  return text
    .replace(/\\(?:thanks|footnote|label|inst|orcidID|vspace|hspace)\*?\{[^{}]{0,1000}\}/g, '')
    .replace(/\\\\(?:\[[^\]]{0,20}\])?/g, ' ')
    .replace(/\\[a-zA-Z]+\*?|[{}]/g, '')
    .replace(/\\([&%$#_])/g, '$1')
    .replace(/~/g, ' ');
}
