import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { addCitation, type Citation } from '../../../../lib/api-contract/citation.ts';
import { findCitedSentences } from '../../../../lib/api-contract/cited-sentences.ts';
import { markFound } from '../../../../lib/api-contract/found-sources.ts';
import { readConfig } from '../../../../lib/config.ts';
import { sha256 } from '../../../../lib/paths/hash.ts';
import { citeAnswer } from '../../../../lib/retrieval/cite/cite-answer.ts';
import { OfferedPassages } from '../../../../lib/retrieval/cite/offered-passages.ts';
import { numberByFirstUse } from '../../../../lib/retrieval/markers/number-by-first-use.ts';
import { openObjects } from '../../../../lib/wiring/objects.ts';
import { openRecords } from '../../../../lib/wiring/records.ts';
import { cpuTimeOf } from '../../../support/processes/cpu-time.ts';
import { foundPassage } from '../../../support/samples/found-passage.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { SOURCES } from './marked-sources.ts';

const FURTHER = [
  {
    text: '# 灯台\n\n犬吠埼灯台は1874年に建てられた。高さは31メートルで、千葉県にある。\n',
    says: ['犬吠埼灯台は1874年に建てられました。', '犬吠埼灯台の高さは31メートルです。'],
    invented: [['犬吠埼灯台は1926年に建てられました。']],
  },
  {
    text: '# Le canal\n\nLe canal de Bourgogne compte 189 écluses. Il relie l’Yonne à la Saône depuis 1832.\n',
    says: ['Le canal de Bourgogne compte 189 écluses.', 'Depuis 1832, il relie l’Yonne à la Saône.'],
    invented: [['Le canal de Bourgogne compte 240 écluses.']],
  },
];
const ALL = [...SOURCES, ...FURTHER];

const workspace = { id: 'w', name: 'w', rootPath: await tempFolder(), createdAt: '' };
const config = readConfig({ DATA_DIR: await tempFolder() });
const ports = { objects: await openObjects(config), records: await openRecords(config) };
const passages = await Promise.all(
  ALL.map(async ({ text }, at) => {
    const path = `source-${at}.md`;
    await writeFile(join(workspace.rootPath, path), text);
    const endLine = text.split('\n').length;
    return { ...foundPassage(path, text), endLine, fileHash: await sha256(Buffer.from(text)) };
  }),
);

type Form = (number: number, path: string) => string;
const FORMS: Record<string, Form> = {
  '(1)': (n) => ` (${n})`,
  '（1）': (n) => `（${n}）`,
  '[Passage 1]': (n) => ` [Passage ${n}]`,
  '[passage 1]': (n) => ` [passage ${n}]`,
  '[Source 1]': (n) => ` [Source ${n}]`,
  '[number 1]': (n) => ` [number ${n}]`,
  '[#1]': (n) => ` [#${n}]`,
  '[1, passage 1]': (n) => ` [${n}, passage ${n}]`,
  '[^1]': (n) => `[^${n}]`,
  '【1†source】': (n) => `【${n}†source】`,
  '<sup>1</sup>': (n) => `<sup>${n}</sup>`,
  '¹': (n) => [...String(n)].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join(''),
  '[file.md]': (_, path) => ` [${path}]`,
  '[passage-663f number="1"]': (n) => ` [passage-663f0a number="${n}"]`,
  none: () => '',
};
const OFFERED = 12;
const SENTENCES = 3;
const ANSWERS = 14;

interface Said {
  claim: string;
  path: string;
}

/** Writes one answer in a format, from three of twelve passages; another answer for each `turn`. */
function answerIn(form: Form, turn: number) {
  const offered = Array.from({ length: OFFERED }, (_, n) => (turn * 5 + n) % ALL.length);
  const said = Array.from({ length: SENTENCES }, (_, n): Said & { number: number } => {
    const number = ((turn * 7 + n * 5) % OFFERED) + 1;
    const source = offered[number - 1] ?? 0;
    const says = ALL[source]?.says ?? [];
    return { claim: says[(turn + n) % says.length] ?? '', path: `source-${source}.md`, number };
  });
  const marked = said.map(({ claim, path, number }) =>
    claim.replace(/[.。]?$/, (end) => `${form(number, path)}${end || '.'}`),
  );
  return { text: marked.join('\n\n'), said, offered: offered.flatMap((at) => passages[at] ?? []) };
}

async function cite(text: string, offered: typeof passages) {
  const numbered = numberByFirstUse(new OfferedPassages(offered));
  const shown = numbered.add(text) + numbered.end();
  const used = numbered.passages.flatMap((number) => offered[number - 1] ?? []);
  const { signal } = new AbortController();
  const parts = citeAnswer(ports, { sources: workspace, text: shown, used, offered, signal });
  let citations: Citation[] = [];
  let part = await parts.next();
  for (; !part.done; part = await parts.next()) citations = addCitation(citations, part.value);
  return { shown, citations, metadata: part.value.metadata };
}

/** Returns for each sentence the files that are its sources. */
function sourcesOf(shown: string, citations: Citation[]): Map<string, string[]> {
  const pathOf = new Map(citations.map(({ index, path }) => [index, path]));
  const cited = findCitedSentences(markFound(shown, citations).text);
  return new Map(
    cited.map(({ claim, numbers }) => [claim, numbers.flatMap((each) => pathOf.get(each) ?? [])]),
  );
}

describe('the sources of an answer', () => {
  it.each(Object.entries(FORMS))('are listed for each sentence, cited as %s', async (name, form) => {
    const found = [];
    for (let turn = 0; turn < ANSWERS; turn++) {
      const { text, said, offered } = answerIn(form, turn);
      const { shown, citations } = await cite(text, offered);
      const sources = [...sourcesOf(shown, citations)];
      const ownOf = (claim: string) =>
        sources.find(([each]) => each.startsWith(claim.slice(0, -1)))?.[1] ?? [];
      found.push(...said.map(({ claim, path }) => ({ claim, path, own: ownOf(claim) })));
      if (name === 'none') expect(citations.filter(({ origin }) => origin !== 'service')).toEqual([]);
    }
    expect(found.filter(({ path, own }) => own.some((each) => each !== path))).toEqual([]);
    const right = found.filter(({ path, own }) => own.includes(path));
    expect(right.length / found.length).toBeGreaterThanOrEqual(0.9);
  });

  it('are not found for invented sentences, which no passage contains', async () => {
    for (const [at, { invented }] of ALL.entries()) {
      const offered = Array.from({ length: OFFERED }, (_, n) => passages[(at + n) % ALL.length]).flatMap(
        (each) => each ?? [],
      );
      const { citations } = await cite(invented.map(([claim]) => claim).join('\n\n'), offered);
      expect(citations.map(({ quote }) => quote)).toEqual([]);
    }
  });

  it('have the location of each sentence in the answer, and come from the given passages', async () => {
    const offered = passages.slice(0, 2);
    const text = 'The mean reduction was 2.5 °C. Nobody knows.\n\nA crossing takes 55 minutes.';
    const { citations, metadata } = await cite(text, offered);
    expect(citations.map(({ index, origin, path }) => [index, origin, path])).toEqual([
      [1, 'service', 'source-0.md'],
      [2, 'service', 'source-1.md'],
    ]);
    const sentences = citations.flatMap((each) => each.sentences ?? []);
    expect(sentences.map(({ start, end }) => text.slice(start, end))).toEqual(
      sentences.map((each) => each.text),
    );
    expect(markFound(text, citations).text).toBe(
      'The mean reduction was 2.5 °C. [1] Nobody knows.\n\nA crossing takes 55 minutes. [2]',
    );
    expect(metadata).toMatchObject({
      support: { sentences: 2, uncited: 0 },
      passages: [{ path: 'source-0.md', startLine: 1 }, { path: 'source-1.md' }],
    });
  });

  it('are found without noticeable delay', async () => {
    const claims = ALL.flatMap(({ says }) => says).slice(0, 40);
    const offered = passages.slice(0, OFFERED).map((each) => ({ ...each, text: each.text.repeat(6) }));
    const compare = () => {
      const read = new OfferedPassages(offered);
      for (const claim of claims) read.scoresOf(claim);
    };
    expect(await cpuTimeOf(compare)).toBeLessThan(1000);
  });
});
