import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
/** decisions.md tells what was: files that it names may be gone. */
const pages = globSync(['*.md', 'infra/*.md'], { cwd: root }).filter((page) => page !== 'infra/decisions.md');
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

describe('a page', () => {
  it('names only files that are there', () => {
    expectNamedFiles(pages.map((file) => ({ file, text: read(file) })));
  });

  it('links only to files that are there', () => {
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, to = '']) => ({ page, to })),
    );
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter(({ page, to }) => !existsSync(join(root, dirname(page), to)))).toEqual([]);
  });
});

describe('a comment', () => {
  it('names only files that are there', () => {
    expectNamedFiles(sources.map(commentsOf));
  });
});
