import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const pages = globSync(['*.md', 'docs/**/*.md', 'infra/*.md'], { cwd: root });
const sources = globSync('{functions,infra,lib,test}/**/*.{ts,yml}', { cwd: root });

/** `lib/records/page.ts` or any page in a text; a path with a placeholder or a star in it names no one file. */
const NAMED_FILE =
  /(?<![\w./>*-])(?:(?:functions|infra|lib|skills|test)\/[\w./-]+\.(?:ts|js|py|sh|yml)|\w[\w./-]*\/[\w.-]+\.md)\b/g;
const COMMENT = /^\s*(?:\/?\*|\/\/|#)/;

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

/** Fails, too, where no text names any file: then the pattern finds nothing. */
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

/** The links of a page to files of this repository; `#heading` alone leads into the page itself. */
function linksOf(page: string): Link[] {
  return [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].map(([, to = '', heading]) => ({
    page,
    file: to === '' ? page : join(dirname(page), to),
    heading,
  }));
}

/** A heading as a link names it: `## 3. Add an endpoint` is `3-add-an-endpoint`. */
function anchorsOf(page: string): string[] {
  const headings = [...read(page).matchAll(/^#+ (.*)$/gm)];
  return headings.map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('a page', () => {
  it('names only files that are there', () => {
    expectNamedFiles(pages.map((file) => ({ file, text: read(file) })));
  });

  it('links only to files that are there', () => {
    const links = pages.flatMap(linksOf);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('links only to headings that are there', () => {
    const links = pages.flatMap(linksOf).filter(({ heading }) => heading !== undefined);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter(({ file, heading = '' }) => !anchorsOf(file).includes(heading))).toEqual([]);
  });

  it('of infra is named by README', () => {
    const [, listed = ''] = /\| `infra\/` \|.*?pages: ([^;]*);/.exec(read('README.md')) ?? [];
    const named = listed.split(', ').map((name) => name.replace(/ \(.*\)/, ''));
    const there = globSync('infra/*.md', { cwd: root }).map((file) => basename(file, '.md'));
    expect(named.toSorted()).toEqual(there.toSorted());
  });
});

describe('a comment', () => {
  it('names only files that are there', () => {
    expectNamedFiles(sources.map(commentsOf));
  });
});
