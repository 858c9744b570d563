import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Token, tokensOf } from './tokens.ts';

/** Where people read a text. */
export type Place = 'ui' | 'docs' | 'cli' | 'routes' | 'messages' | 'comments' | 'test titles';

export interface Text {
  file: string;
  place: Place;
  /** On one line. */
  text: string;
}

const CODE = '{cli,functions,infra,lib,test,web}/**/*.{ts,tsx,js,mjs}';
/** Generated; captured from elsewhere; or about the refused words themselves. */
const NOT_OURS =
  /^(?:lib\/skills\/built-in-texts\.ts|lib\/example\/built\.ts|web\/api\/schema\.ts|test\/(?:golden|recordings)\/|test\/infra\/words\/|docs\/style\.md$)|node_modules/;
const IN_ROUTES = /^functions\/[^/]+\/routes\.ts$/;
const DESCRIPTION = /\b(?:describe\(|description:|title:)$/;
const TITLE = /\b(?:describe|it|test|step)\($|\)\($/;

/** Returns every text of a checkout that people read: catalog, docs, strings of two words and more, comments, test titles. */
export function textsOf(root: string): Text[] {
  const files = (pattern: string | string[]) =>
    globSync(pattern, { cwd: root })
      .filter((file) => !NOT_OURS.test(file))
      .sort();
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  return [
    ...files('web/languages/en/*.json').flatMap((file) =>
      valuesOf(JSON.parse(read(file))).map((text) => textOf(file, 'ui', text)),
    ),
    ...files(['*.md', 'docs/**/*.md', 'infra/**/*.md', '{cli,functions,lib,web}/{,*/}README.md']).map(
      (file) => textOf(file, 'docs', proseOf(read(file))),
    ),
    ...files(CODE).flatMap((file) => textsOfCode(file, tokensOf(read(file)))),
    ...files(['*.cjs', '*.js']).flatMap((file) => textsOfCode(file, tokensOf(read(file)))),
    ...files(['*.yml', 'infra/**/*.yml']).flatMap((file) =>
      [...read(file).matchAll(/(?:^|\s)# (.*)$/gm)].map(([, text = '']) => textOf(file, 'comments', text)),
    ),
  ];
}

function textOf(file: string, place: Place, text: string): Text {
  return { file, place, text: text.replace(/\s+/g, ' ').trim() };
}

function valuesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesOf) : [];
}

/** Code in a line names things of the source, not of the reader. */
function proseOf(markdown: string): string {
  return markdown.replace(/`[^`\n]+`/g, '`code`');
}

function textsOfCode(file: string, tokens: Token[]): Text[] {
  const comments = joinLines(tokens.filter(({ kind }) => kind === 'comment'));
  const texts = tokens.filter(({ kind, value }) => kind === 'text' && /[a-z]\s+[a-z]/i.test(value));
  return [
    ...comments.map((text) => textOf(file, 'comments', text)),
    ...texts.flatMap((token) => {
      const place = placeOf(file, token);
      return place === undefined ? [] : [textOf(file, place, token.value)];
    }),
  ];
}

function placeOf(file: string, { before }: Token): Place | undefined {
  if (file.startsWith('test/')) return TITLE.test(before) ? 'test titles' : undefined;
  if (file.startsWith('web/')) return undefined; // its strings are in the catalog
  if (file.startsWith('cli/')) return 'cli';
  return IN_ROUTES.test(file) || DESCRIPTION.test(before) ? 'routes' : 'messages';
}

/** The texts of the comments without their marks; `//` lines in a row are one. */
function joinLines(comments: Token[]): string[] {
  const joined: string[] = [];
  let last: Token | undefined;
  for (const comment of comments) {
    const text = comment.value.replace(/^\/\*+|\*\/$|^\/\/+/g, '').replace(/\n\s*\*/g, '\n');
    const continues =
      comment.value.startsWith('//') && last?.value.startsWith('//') && last.before === comment.before;
    if (continues) joined.push(`${joined.pop()} ${text}`);
    else joined.push(text);
    last = comment;
  }
  return joined;
}
