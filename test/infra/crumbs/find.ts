import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface Crumb {
  file: string;
  lines: number;
  /** The only file that imports it. */
  importer: string;
}

interface Import {
  importer: string;
  /** Imported by `import()`, for its side effects only, or as the URL of a worker. */
  isApart: boolean;
}

const MIN_LINES = 40;
const MAX_LINES = 250;
const SOURCES = ['lib', 'functions', 'cli', 'infra', 'web'];
/** `import x from './y.ts'`, `import type …`, `import './y.ts'`, `import('./y.ts')`, `import url from './y.ts?worker&url'`. */
const IMPORT = /\b(from|import)\b[\s(]*'(\.{1,2}\/[^'?]+)(\?[^']*)?'/g;

/**
 * Returns the files that belong in their only importer: with fewer than 40 lines, and without a test. Exceptions:
 *
 * - Programs and entry points, which nothing imports.
 * - Files that are loaded when needed (`import()`, workers), and for their side effects in a certain order.
 * - Lists (`all-….ts`) of tools, commands, or formats, and their entries: one file each.
 * - `schema.ts` and `queries.ts`, which areas have in the same place.
 * - Files that a docs page names.
 * - Files that would make their importer longer than 250 lines.
 */
export function crumbsOf(root: string): Crumb[] {
  const texts = textsOf(root, [...SOURCES, 'test'], '{ts,tsx}');
  const docs = [...textsOf(root, ['docs'], 'md').values()].join('\n');
  const imports = importsOf(texts);
  return [...texts].flatMap(([file, text]) => {
    const [only, ...others] = imports.get(file) ?? [];
    if (only === undefined || others.length > 0 || only.isApart) return [];
    const { importer } = only;
    if (isTest(file) || isTest(importer) || texts.has(testOf(file))) return [];
    const lines = linesOf(text);
    const isShort = lines < MIN_LINES && lines + linesOf(texts.get(importer) ?? '') <= MAX_LINES;
    return isShort && !isOwnByName(file, importer) && !docs.includes(file) ? [{ file, lines, importer }] : [];
  });
}

function textsOf(root: string, folders: string[], extension: string): Map<string, string> {
  const files = globSync(
    folders.map((folder) => `${folder}/**/*.${extension}`),
    { cwd: root, exclude: (name) => name === 'node_modules' },
  );
  return new Map(files.sort().map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

/** Returns the importers of each file, including type imports. */
function importsOf(texts: Map<string, string>): Map<string, Import[]> {
  const found = new Map<string, Map<string, Import>>();
  for (const [importer, text] of texts)
    for (const [, word, path = '', query] of text.matchAll(IMPORT)) {
      const target = join(dirname(importer), path);
      const known = found.get(target) ?? new Map<string, Import>();
      const isApart = word === 'import' || query !== undefined || known.get(importer)?.isApart === true;
      found.set(target, known.set(importer, { importer, isApart }));
    }
  return new Map([...found].map(([file, known]) => [file, [...known.values()]]));
}

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

function testOf(file: string): string {
  return `test/${file.replace(/\.(tsx?)$/, '.test.$1')}`;
}

function isTest(file: string): boolean {
  return file.startsWith('test/');
}

function isOwnByName(file: string, importer: string): boolean {
  const isList = [file, importer].some((path) => basename(path).startsWith('all-'));
  return isList || ['schema.ts', 'queries.ts'].includes(basename(file));
}
