import { globSync, readFileSync } from 'node:fs';
import { join, parse, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseSync } from '@swc/core';

type Words = { [key: string]: string | Words };
const root = resolve(import.meta.dirname, '../..');

function flatten(words: Words, above = ''): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([key, value]): [string, string][] =>
      typeof value === 'string' ? [[above + key, value]] : [...flatten(value, `${above}${key}.`)],
    ),
  );
}

/** As `all.ts` of the language has it: what it does not name, no view gets. */
function readWords(language: string): Words {
  const folder = join(root, 'web/languages', language);
  const names = readFileSync(join(folder, 'all.ts'), 'utf8').matchAll(
    /^import (\w+) from '\.\/\1\.json';$/gm,
  );
  return Object.fromEntries(
    [...names].map(([, name = '']) => [name, JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))]),
  );
}

const english = flatten(readWords('en'));
const chinese = flatten(readWords('zh-CN'));

function holes(text: string | undefined): string[] {
  return [...(text ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).sort();
}

describe('the languages', () => {
  it.each(['en', 'zh-CN'])('give the words of every file: %s', (language) => {
    const files = globSync('*.json', { cwd: join(root, 'web/languages', language) });
    expect(Object.keys(readWords(language)).sort()).toEqual(files.map((each) => parse(each).name).sort());
  });

  it('have the same keys', () => {
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it('fill the same things into each text, and leave none empty', () => {
    for (const [key, text] of english) {
      expect([key, holes(chinese.get(key))]).toEqual([key, holes(text)]);
      expect([key, text.trim() !== '' && chinese.get(key)?.trim() !== '']).toEqual([key, true]);
    }
  });
});

/** Attributes that a person reads or hears. */
const SAID = new Set(['aria-label', 'title', 'placeholder', 'alt', 'label', 'hint']);

interface Node {
  type?: string;
  value?: unknown;
  name?: { value?: string };
  [field: string]: unknown;
}

/** Texts in JSX and in attributes that are said, wherever they stand in the tree. */
function literals(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(literals);
  if (typeof node !== 'object' || node === null) return [];
  const { type, value, name } = node as Node;
  if (type === 'JSXText') return /[\p{L}]/u.test(String(value)) ? [String(value).trim()] : [];
  const text = (value as Node | undefined)?.type === 'StringLiteral' ? (value as Node).value : undefined;
  if (type === 'JSXAttribute' && SAID.has(name?.value ?? '') && /\p{L}/u.test(String(text ?? '')))
    return [String(text)];
  return Object.values(node).flatMap(literals);
}

function literalsOf(source: string): string[] {
  return literals(parseSync(source, { syntax: 'typescript', tsx: true }).body);
}

describe('a view', () => {
  it('has no text of its own: each stands in the languages', () => {
    const files = globSync('web/**/*.tsx', { cwd: root });
    expect(files.length).toBeGreaterThan(20);
    const found = files.flatMap((file) =>
      literalsOf(readFileSync(join(root, file), 'utf8')).map((text) => `${file}: ${text}`),
    );
    expect(found).toEqual([]);
  });

  it('would be found with one', () => {
    expect(literalsOf('const a = <p title="Hello">World {x}</p>;')).toEqual(['Hello', 'World']);
  });
});
