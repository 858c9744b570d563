import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const READMES = '{cli,functions,infra,lib,web}/{,*/}README.md';
const pages = globSync(['*.md', 'docs/**/*.md', READMES], { cwd: root }).sort();
/** Decision records and the changelog describe the past: they may name deleted files. */
const current = pages.filter((page) => !page.startsWith('docs/adr/') && page !== 'CHANGELOG.md');
/** Chinese isn't counted in words, and decision records have their own format. */
const written = current.filter((page) => page.includes('/') && !page.startsWith('docs/zh-CN/'));
const prose = written.filter((page) => page !== 'docs/reference/errors.md');
const sources = globSync(['*.yml', '{functions,infra,lib,test,web}/**/*.{ts,tsx,yml}'], { cwd: root });

/**
 * Matches `lib/records/page.ts` or any page in a text. A path with a placeholder or an asterisk isn't a
 * single file.
 */
const NAMED_FILE =
  /(?<![\w./>*-])(?:(?:cli|docs|functions|infra|lib|skills|test|web)\/[\w./-]+\.(?:tsx?|json|js|py|sh|yml)|\w[\w./-]*\/[\w.-]+\.md)\b/g;
const COMMENT = /^\s*(?:\/?\*|\/\/|#)/;

const MOST_WORDS_OF_SECTION = 250;
const MOST_WORDS_OF_ITEM = 60;
const MOST_LINES_OF_PARAGRAPH = 5;

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

interface Text {
  file: string;
  text: string;
}

function commentsOf(file: string): Text {
  const lines = read(file).split('\n');
  return { file, text: lines.filter((line) => COMMENT.test(line)).join('\n') };
}

/** Also fails if no text names any file, because the pattern is then broken. */
function expectNamedFiles(texts: Text[]): void {
  const named = texts.flatMap(({ file, text }) =>
    (text.match(NAMED_FILE) ?? []).map((name) => ({ file, name })),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter(({ name }) => !existsSync(join(root, name)))).toEqual([]);
}

interface Link {
  page: string;
  file: string;
  heading: string | undefined;
}

/** Returns the page without its code blocks. */
function withoutCode(page: string): string {
  return read(page).replace(/^( *)```[\s\S]*?^\1```$/gm, '');
}

/** Returns a page's links to files of this repository; `#heading` alone is a link within the page. */
function linksOf(page: string): Link[] {
  const inline = /\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g;
  const defined = /^\[[^\]]+\]: (?!https?:)([^\s#]*)(?:#(\S+))?$/gm;
  const links = [inline, defined].flatMap((pattern) => [...withoutCode(page).matchAll(pattern)]);
  return links.map(([, to = '', heading]) => ({
    page,
    file: to === '' ? page : join(dirname(page), to),
    heading,
  }));
}

/**
 * Returns headings as anchors (`## 3. Add an endpoint` becomes `3-add-an-endpoint`), and anchors without a
 * heading.
 */
function anchorsOf(page: string): string[] {
  const text = withoutCode(page);
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...headings, ...[...text.matchAll(/<a id="(\w+)">/g)].map(([, id = '']) => id)];
}

/** Returns paragraphs and list items, without tables and code. */
function blocksOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('|'));
  return lines
    .join('\n')
    .replace(/^ *(?:[-*]|\d+\.) /gm, '\n$&')
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== '' && !block.startsWith('#'));
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

interface Section {
  page: string;
  heading: string;
  words: number;
}

function sectionsOf(page: string): Section[] {
  return withoutCode(page)
    .split(/^(?=#+ )/m)
    .map((section) => ({
      page,
      heading: section.split('\n')[0] ?? '',
      words: countWords(blocksOf(section).join(' ')),
    }));
}

describe('docs page', () => {
  it('names only existing files', () => {
    const withoutTargets = (text: string) => text.replace(/\]\([^)]*\)/g, ']');
    expectNamedFiles(current.map((file) => ({ file, text: withoutTargets(read(file)) })));
  });

  it('links only to existing files', () => {
    const links = pages.flatMap(linksOf);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('links only to existing headings', () => {
    const links = pages.flatMap(linksOf).filter(({ heading }) => heading !== undefined);
    expect(links.length).toBeGreaterThan(0);
    expect(
      links.filter(
        ({ file, heading = '' }) => existsSync(join(root, file)) && !anchorsOf(file).includes(heading),
      ),
    ).toEqual([]);
  });

  it('can be reached from README by links', () => {
    const found = new Set(['README.md']);
    for (const page of found) {
      for (const { file } of linksOf(page)) if (pages.includes(file)) found.add(file);
    }
    expect(pages.filter((page) => page.includes('/') && !found.has(page))).toEqual([]);
  });

  it('states its purpose after its title', () => {
    const first = (page: string) => read(page).split('\n').slice(0, 3);
    const lacking = current.filter((page) => {
      const [title = '', blank, sentence = ''] = first(page);
      return !title.startsWith('# ') || blank !== '' || !/^\p{L}/u.test(sentence);
    });
    expect(lacking).toEqual([]);
  });

  it(`has a heading at least every ${MOST_WORDS_OF_SECTION} words`, () => {
    const sections = prose.flatMap(sectionsOf);
    expect(sections.filter(({ words }) => words > MOST_WORDS_OF_SECTION)).toEqual([]);
  });

  it('has short paragraphs and list items', () => {
    const blocks = prose.flatMap((page) => blocksOf(withoutCode(page)).map((block) => ({ page, block })));
    const isItem = (block: string) => /^(?:[-*]|\d+\.) /.test(block);
    const tooLong = blocks.filter(({ block }) =>
      isItem(block)
        ? countWords(block) > MOST_WORDS_OF_ITEM
        : block.split('\n').length > MOST_LINES_OF_PARAGRAPH,
    );
    expect(tooLong).toEqual([]);
  });

  it('names vendors instead of their letters in variables', () => {
    const lettered = current.filter((page) =>
      /\b(?:[Pp]rovider|[Hh]ub|[Pp]latform) [ABC]\b/.test(read(page)),
    );
    expect(lettered).toEqual([]);
  });
});

describe('comment', () => {
  it('names only existing files', () => {
    expectNamedFiles(sources.map(commentsOf));
  });
});
