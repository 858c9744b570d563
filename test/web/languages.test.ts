import { globSync, readFileSync } from 'node:fs';
import { dirname, join, parse, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseSync } from '@swc/core';
import { consoleWords, listedNames, namesIn } from '../support/console-words.ts';

const root = resolve(import.meta.dirname, '../..');
const english = consoleWords('en');
const chinese = consoleWords('zh-CN');

function holes(text: string | undefined): string[] {
  return [...(text ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).sort();
}

describe('languages', () => {
  it.each(['en', 'zh-CN'] as const)('have the texts of every file: %s', (language) => {
    const files = globSync('*.json', { cwd: join(root, 'web/languages', language) });
    expect(listedNames(language).sort()).toEqual(files.map((each) => parse(each).name).sort());
  });

  it.each(['first.ts', 'first-use.ts', 'later.ts'])('load the same texts with %s', (list) => {
    expect(namesIn(`zh-CN/${list}`)).toEqual(namesIn(`en/${list}`));
  });

  it('have the same keys', () => {
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it('have the same placeholders in each text, and no empty text', () => {
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

/** Returns texts in JSX and in attributes that are read aloud, anywhere in the tree. */
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

describe('view', () => {
  it('contains no text, because all texts are in the catalogs', () => {
    const files = globSync('web/**/*.tsx', { cwd: root });
    expect(files.length).toBeGreaterThan(20);
    const found = files.flatMap((file) =>
      literalsOf(readFileSync(join(root, file), 'utf8')).map((text) => `${file}: ${text}`),
    );
    expect(found).toEqual([]);
  });

  it('is detected if it contains text', () => {
    expect(literalsOf('const a = <p title="Hello">World {x}</p>;')).toEqual(['Hello', 'World']);
  });
});

/** Returns the files that these files load statically. */
function broughtBy(entries: string[]): Set<string> {
  const found = new Set<string>();
  const queue = [...entries];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const source = readFileSync(join(root, file), 'utf8');
    for (const [, path = ''] of source.matchAll(
      /^(?:import|export) (?!type )[^;]*?from '(\.[^']+\.tsx?)';/gm,
    ))
      queue.push(relative(root, resolve(root, dirname(file), path)));
  }
  return found;
}

describe('text visible before a page opens', () => {
  it('is loaded', () => {
    const files = broughtBy(['web/main.tsx', 'web/workspaces/workspaces-view.tsx']);
    expect(files.size).toBeGreaterThan(30);
    const used = [...files].flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/\bt\(\s*[`'](\w+)\./g)].map(
        ([, area = '']) => area,
      ),
    );
    expect([...new Set(used)].filter((area) => !namesIn('en/first.ts').includes(area))).toEqual([]);
  });

  it('is loaded without a workspace', () => {
    const later = namesIn('en/later.ts');
    const files = broughtBy(['web/first-use/first-use.tsx', 'web/settings/model-tiles.tsx']);
    const used = [...files].flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/[`'](\w+)\.\w+/g)].map(([, area = '']) => area),
    );
    expect(used).toEqual(expect.arrayContaining(namesIn('en/first-use.ts')));
    expect([...new Set(used)].filter((area) => later.includes(area))).toEqual([]);
  });
});
