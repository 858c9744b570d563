import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { watchRepetition } from '../../../lib/adapters/outbound/repetition.ts';

/** Returns the position of the detection in characters; undefined if there is none. */
function noticedAt(text: string, size = 7): number | undefined {
  const repeats = watchRepetition();
  for (let at = 0; at < text.length; at += size) if (repeats(text.slice(at, at + size))) return at + size;
  return undefined;
}

const SENTENCE = 'The default timeout of a request is 300 seconds, as the file says [1]. ';
const PARAGRAPH = `${SENTENCE}It can be changed in the settings of the client, or for one request.\n\nSee also the section on pools.\n\n`;
const GOOD = 'Undici is an HTTP/1.1 client for Node. It was written from scratch, and has pools [1]. ';

describe('repeating text', () => {
  it.each([
    ['a sentence', SENTENCE, 22],
    ['a Chinese sentence', '默认的超时时间是三百秒，可以在客户端设置中修改。', 65],
    ['a paragraph', PARAGRAPH, 15],
    ['a word', 'the ', 400],
    ['a tag', '<p>', 840],
    ['a numbered heading', '## 123\n', 360],
    ['a list item', '- Install the package with npm.\n', 50],
    ['a table row', '| Undici | HTTP client | fast |\n', 80],
    ['a line break', '\n', 2500],
    ['one letter', 'a', 2500],
  ])('is detected after a few repetitions: %s', (_what, unit, rounds) => {
    expect(noticedAt(GOOD + unit.repeat(3000))).toBeLessThan(GOOD.length + unit.length * rounds);
  });

  it('is detected if only the numbers of its list differ', () => {
    const list = Array.from({ length: 200 }, (_, at) => `${at + 1}. Install the package with npm.\n`);
    expect(noticedAt(list.join(''))).toBeLessThan(5500);
  });

  it('is detected if a few sentences repeat in any order', () => {
    const said = ['It is a client.', 'It has many pools.', 'It is very fast.', 'See the other file.'];
    const order = Array.from({ length: 400 }, (_, at) => said[(at * at + (at >> 2)) % 4]);
    expect(noticedAt(order.join(' '))).toBeLessThan(3000);
  });

  it('is detected in chunks of any size', () => {
    for (const size of [1, 40, 3000]) expect(noticedAt(SENTENCE.repeat(200), size)).toBeLessThan(6500);
  });
});

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');

/** Answers to requests for a label, a cell, or a line for each of many things. */
const LABELS: [string, string][] = [
  ['labels under numbers', lines(300, (at) => `${at + 1}. ${['True', 'False', 'Open'][(at * at) % 3]}`)],
  [
    'labels',
    lines(300, (at) => ['passed', 'failed', 'skipped'][Math.floor(Math.abs(Math.sin(at * at)) * 3)] ?? ''),
  ],
  ['the same label under numbers', lines(100, (at) => `${at + 1}. True`)],
  ['the same sentence under numbers', lines(100, (at) => `${at + 1}. The file does not state it.`)],
  ['rows of a table as CSV', lines(60, () => 'yes,no,yes')],
  ['cells', lines(30, () => '<td class="cell"></td>')],
  ['lines of code', lines(45, () => '    assert True')],
  ['bytes', lines(40, () => '00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00')],
];

describe('legitimate text', () => {
  it.each([
    ['rows of numbers', Array.from({ length: 400 }, (_, at) => `| ${at} | ${at * at} | 0 | 0 |`).join('\n')],
    ['code', Array.from({ length: 60 }, (_, at) => `  case ${at}:\n    return undefined;\n`).join('')],
    ['a horizontal rule', `${'-'.repeat(400)}\n`],
    ...LABELS,
    [
      'a song',
      'Row, row, row your boat,\nGently down the stream.\nMerrily, merrily, merrily, merrily,\nLife is but a dream.\n'.repeat(
        12,
      ),
    ],
    [
      'the same log line at different times',
      Array.from({ length: 60 }, (_, at) => `12:00:${at} INFO request took ${at} ms\n`).join(''),
    ],
    ['a list of names', Array.from({ length: 300 }, (_, at) => `- file-${at}.md (${at} kB)\n`).join('')],
  ])('is not stopped: %s', (_what, text) => {
    expect(noticedAt(text)).toBeUndefined();
  });

  it('is not stopped in the READMEs, licenses, and changelogs of the installed packages', () => {
    const root = join(import.meta.dirname, '../../../node_modules');
    const found = globSync(['*/*.md', '@*/*/*.md', '*/LICENSE*', '@*/*/LICENSE*'], { cwd: root })
      .map((name) => join(root, name))
      .filter((path) => statSync(path).isFile() && statSync(path).size < 200_000);
    const stopped = found.filter((path) => noticedAt(readFileSync(path, 'utf8'), 64) !== undefined);
    expect(found.length).toBeGreaterThan(500);
    expect(stopped).toEqual([]);
  });
});
