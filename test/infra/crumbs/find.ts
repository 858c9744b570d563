import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Crumb {
  file: string;
  lines: number;
  /** The only file that imports it; undefined for a program or an entry point. */
  importer: string | undefined;
}

const MIN_LINES = 40;
const SOURCES = ['lib', 'functions', 'cli', 'infra', 'web'];
const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** Returns the source files with fewer than 40 lines that at most one file imports, and no test. */
export function crumbsOf(root: string): Crumb[] {
  const texts = textsOf(root);
  const importers = importersOf(texts);
  return [...texts].flatMap(([file, text]) => {
    const lines = text.split('\n').length - 1;
    if (isTest(file) || lines >= MIN_LINES || texts.has(mirrored(file))) return [];
    const from = importers.get(file) ?? [];
    if (from.some(isTest) || from.length > 1) return [];
    return [{ file, lines, importer: from[0] }];
  });
}

function textsOf(root: string): Map<string, string> {
  const files = globSync(
    [...SOURCES, 'test'].map((folder) => `${folder}/**/*.{ts,tsx}`),
    { cwd: root, exclude: (name) => name === 'node_modules' || name === 'dist' },
  );
  return new Map(files.sort().map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

/** Type imports and dynamic imports count too. */
function importersOf(texts: Map<string, string>): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const [file, text] of texts)
    for (const [, path = ''] of text.matchAll(IMPORT)) {
      const target = join(dirname(file), path);
      found.set(target, (found.get(target) ?? new Set()).add(file));
    }
  return new Map([...found].map(([file, from]) => [file, [...from]]));
}

function mirrored(file: string): string {
  return `test/${file.replace(/\.(tsx?)$/, '.test.$1')}`;
}

function isTest(file: string): boolean {
  return file.startsWith('test/');
}
