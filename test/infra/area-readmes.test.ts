import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');

const LINES_OF_AREA = 1000;
/**
 * A smaller area may have a README if first changes often start there. A folder below this size needs no
 * README.
 */
const MIN_LINES_OF_AREA = 500;
const LINES = { min: 20, max: 40 };
const MAX_WIDTH = 150;
const SECTIONS = ['Entry', 'States', 'Callers', 'Tests', 'What must not break', 'Where to start'];
/** Areas without a state machine need no states. */
const REQUIRED = SECTIONS.filter((section) => section !== 'States');

/** Generated files. */
const GENERATED = ['lib/skills/built-in-texts.ts', 'lib/api-contract/schema.ts'];
const CODE = '{ts,tsx,mjs,cjs,js,py}';

const areas = [
  'cli',
  'functions',
  ...['lib', 'web', 'infra'].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${folder}/${name}`),
  ),
];
const readmes = globSync('{cli,functions,infra,lib,web}/**/README.md', {
  cwd: root,
  exclude: (name) => name === 'node_modules',
}).sort();

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function sourcesOf(area: string): string[] {
  const files = globSync(`${area}/**/*.${CODE}`, { cwd: root, exclude: (name) => name === 'node_modules' });
  return files.filter((file) => !GENERATED.includes(file));
}

function linesOf(area: string): number {
  return sourcesOf(area).reduce((sum, file) => sum + read(file).split('\n').length - 1, 0);
}

const EXPORTED =
  /^export (?:default )?(?:abstract )?(?:async )?(?:function\*?|const|class|interface|type|enum) +(\w+)/gm;
const LISTED = /^export (?:type )?\{([^}]*)\}/gm;

function exportsOf(file: string): string[] {
  const text = read(file);
  const listed = [...text.matchAll(LISTED)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []);
  return [...[...text.matchAll(EXPORTED)].map(([, name = '']) => name), ...listed];
}

const exported = new Set(
  ['cli', 'functions', 'infra', 'lib', 'test', 'web'].flatMap(sourcesOf).flatMap(exportsOf),
);
const paths = new Set(read('lib/api-contract/schema.ts').match(/(?<=^ {2}")\/[^"]+(?=")/gm));
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** Returns a place in the area, or in the repository. */
function placeOf(area: string, path: string): string | undefined {
  return [join(area, path), path].find((place) => existsSync(join(root, place)));
}

const PATH = /^[\w.-]+\.(?:tsx?|mjs|json|yml|md|py|css|cjs)$|^\.?[\w-][\w.-]*\/[\w./-]*$/;

/** `<group>` and `*` stand for any name. */
function matchesSome(area: string, token: string): boolean {
  const pattern = token.replace(/<\w+>/g, '*');
  return [join(area, pattern), pattern].some((each) => globSync(each, { cwd: root }).length > 0);
}

/** Words that aren't code of the area: programs, and text that a reader types or sees. */
const WORDS = new Set(['wrs', '[DONE]']);

/**
 * Code-formatted words that a README may contain by their form. Any other word must appear in the sources of
 * the area.
 */
const FORMS: [form: RegExp, isThere: (token: string, area: string) => boolean][] = [
  [/^(?:GET|POST|PUT|PATCH|DELETE) \//, (token) => paths.has(token.split(' ')[1] ?? '')],
  [/^npm run /, (token) => scripts[token.split(' ')[2] ?? ''] !== undefined],
  [/<\w+>|\*/, (token, area) => matchesSome(area, token)],
  [PATH, (token, area) => placeOf(area, token) !== undefined],
];

/** "`name()` in `file`", "of `file`", or "(`file`)": the file exports it. */
const NAMED_IN = /`(\w+)\(\)`(?:,? (?:in|of) | \()`([^`]+\.tsx?)`/g;

/** Returns whether a name is a function. A function of another area is named with its file. */
function isFunction(name: string, sources: string, text: string): boolean {
  const isNamedIn = [...text.matchAll(NAMED_IN)].some(([, named]) => named === name);
  return exported.has(name) && (isNamedIn || new RegExp(`\\b${name}\\b`).test(sources));
}

/** Returns code-formatted names of a README that don't exist. */
function wrongCode(area: string, readme: string): string[] {
  const text = readme.replace(/\s+/g, ' ');
  const sources = sourcesOf(area).map(read).join('\n');
  const isThere = (token: string) => {
    if (/^\w+\(\)$/.test(token)) return isFunction(token.slice(0, -2), sources, text);
    const form = FORMS.find(([pattern]) => pattern.test(token));
    if (form !== undefined) return form[1](token, area);
    return WORDS.has(token) || sources.includes(token) || placeOf(area, token) !== undefined;
  };
  return [...text.matchAll(/`([^`]+)`/g)].map(([, token = '']) => token).filter((token) => !isThere(token));
}

function wrongFiles(area: string, readme: string): string[] {
  return [...readme.replace(/\s+/g, ' ').matchAll(NAMED_IN)].flatMap(([all, name = '', file = '']) => {
    const place = placeOf(area, file);
    return place !== undefined && exportsOf(place).includes(name) ? [] : [all];
  });
}

function sectionsOf(text: string): string[] {
  return [...text.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading);
}

describe('area', () => {
  it(`has a README if it has more than ${LINES_OF_AREA} lines`, () => {
    const large = areas.filter((area) => linesOf(area) > LINES_OF_AREA);
    expect(large.length).toBeGreaterThan(20);
    expect(large.filter((area) => !readmes.includes(`${area}/README.md`))).toEqual([]);
  });

  it(`has no README if it has fewer than ${MIN_LINES_OF_AREA} lines, nor does a folder in an area`, () => {
    const small = areas.filter((area) => linesOf(area) < MIN_LINES_OF_AREA);
    expect(readmes.filter((file) => small.includes(dirname(file)))).toEqual([]);
    expect(readmes.filter((file) => !areas.includes(dirname(file)))).toEqual([]);
  });
});

describe.each(readmes.map((file) => ({ file, area: dirname(file) })))('$file', ({ file, area }) => {
  const text = read(file);

  it(`has ${LINES.min} to ${LINES.max} lines that fit on a screen`, () => {
    const lines = text.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(LINES.min);
    expect(lines.length).toBeLessThanOrEqual(LINES.max);
    expect(lines.filter((line) => line.length > MAX_WIDTH)).toEqual([]);
  });

  it('has the sections, in their order', () => {
    const sections = sectionsOf(text);
    expect(SECTIONS.filter((section) => sections.includes(section))).toEqual(sections);
    expect(REQUIRED.filter((section) => !sections.includes(section))).toEqual([]);
  });

  it('names only existing files, functions, routes, scripts, and words', () => {
    expect(wrongCode(area, text)).toEqual([]);
  });

  it('names functions only with the file that exports them', () => {
    expect(wrongFiles(area, text)).toEqual([]);
  });
});

describe('check of names', () => {
  it.each([
    '`no-such-file.ts`',
    '`lib/no-such-folder/`',
    '`noSuchFunction()`',
    '`noSuchWord`',
    '`GET /api/no-such-route`',
    '`npm run no-such-script`',
    '`no-such-folder/<group>.ts`',
  ])('reports %s', (text) => {
    expect(wrongCode('lib/notes', text)).toEqual([text.slice(1, -1)]);
  });

  it.each(['`addNote()` in `create.ts`', '`addNote()` (`create.ts`)', '`addNote()` in\n`create.ts`'])(
    'reports a function in the wrong file: %s',
    (text) => {
      expect(wrongFiles('lib/notes', text)).toHaveLength(1);
    },
  );
});
