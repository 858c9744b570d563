import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

type Words = { [key: string]: string | Words };
const LANGUAGES = resolve(import.meta.dirname, '../../web/languages');
const LISTS = ['first.ts', 'first-use.ts', 'later.ts'];

export type ConsoleLanguage = 'en' | 'zh-CN';

/** The text files that a language's list imports. */
export function namesIn(file: string): string[] {
  const lines = readFileSync(join(LANGUAGES, file), 'utf8');
  return [...lines.matchAll(/^import (\w+) from '\.\/\1\.json';$/gm)].map(([, name = '']) => name);
}

/** The text files that a view in this language can load. */
export function listedNames(language: ConsoleLanguage): string[] {
  return LISTS.flatMap((list) => namesIn(`${language}/${list}`));
}

/** Each text of the console by its full key. */
export function consoleWords(language: ConsoleLanguage): Map<string, string> {
  const read = (name: string) => readFileSync(join(LANGUAGES, language, `${name}.json`), 'utf8');
  return flatten(Object.fromEntries(listedNames(language).map((name) => [name, JSON.parse(read(name))])));
}

function flatten(words: Words, above = ''): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([key, value]): [string, string][] =>
      typeof value === 'string' ? [[above + key, value]] : [...flatten(value, `${above}${key}.`)],
    ),
  );
}
