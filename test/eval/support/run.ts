import { parseArgs } from 'node:util';
import type { TextRun } from '../../../lib/formats/format.ts';
import { findQuote } from '../../../lib/retrieval/cite/quote.ts';
import { stretchesAround } from '../../../lib/retrieval/cite/stretches-around.ts';
import { showPassage, wordsAround } from '../../../lib/retrieval/cite/words-around.ts';
import { assess } from '../../../lib/support/assess.ts';
import { readWice, type WiceClaim } from '../citations/collections.ts';
import { falseAlarms, findPlanted, readSources } from '../drafts/check-drafts.ts';
import { DRAFTS } from '../drafts/drafts.ts';
import { plantErrors } from '../drafts/plant-errors.ts';
import { balancedAccuracy, type Flagged, type Interval, shareFlagged, withInterval } from './shares.ts';
import { readSick, type SickPair } from './sick.ts';
import {
  type Compared,
  linesOfContradicted,
  linesOfFull,
  openMeasured,
  scoreOpen,
} from './with-entailment.ts';

/**
 * `npm run eval:support -- --wice FOLDER --sick FOLDER`: how well code distinguishes supported sentences from
 * others without a model, and with `--entailment URL` (or `local`) the effect of each threshold of a natural
 * language inference model. Prints one table. WiCE's dev part may be used for tuning; its test part may not,
 * and is measured with `--held-out`. `--floors` fails if a figure is below its minimum.
 */
const { values } = parseArgs({
  options: {
    wice: { type: 'string' },
    sick: { type: 'string' },
    entailment: { type: 'string' },
    'held-out': { type: 'boolean', default: false },
    floors: { type: 'boolean', default: false },
  },
});

interface Evidence {
  quotes: string[];
  stretches: string[];
}

/**
 * The available part of an article: as in an answer, one quote or three, with the text around the first, or
 * the whole article.
 */
const GIVEN: Record<string, (article: string) => (claim: string) => Evidence> = {
  'one quote': (article) => (claim) => ({
    quotes: quotesIn(article, claim, 1).map(textOf(article)),
    stretches: [],
  }),
  'three quotes': (article) => (claim) => ({
    quotes: quotesIn(article, claim, 3).map(textOf(article)),
    stretches: [],
  }),
  passage: (article) => (claim) => around(article, claim, 1500),
  page: (article) => (claim) => around(article, claim, article.length),
  'as in an answer': (article) => (claim) => {
    const [quote] = quotesIn(article, claim, 1);
    const source = { text: article, runs: [{ start: 0, end: article.length }] };
    if (quote === undefined) return { quotes: [], stretches: [] };
    return { quotes: [textOf(article)(quote)], stretches: stretchesAround(source, quote) };
  },
};

function textOf(article: string): (place: TextRun) => string {
  return ({ start, end }) => article.slice(start, end);
}

function quotesIn(article: string, claim: string, most: number): TextRun[] {
  const found: TextRun[] = [];
  let runs: TextRun[] = [{ start: 0, end: article.length }];
  while (found.length < most) {
    const place = findQuote(article, runs, claim);
    if (place === undefined) break;
    found.push(place);
    runs = runs.flatMap((run) =>
      place.start >= run.end || place.end <= run.start
        ? [run]
        : [
            { start: run.start, end: place.start },
            { start: place.end, end: run.end },
          ],
    );
  }
  return found;
}

function around(article: string, claim: string, size: number): Evidence {
  const [quote] = quotesIn(article, claim, 1);
  if (quote === undefined) return { quotes: [], stretches: [] };
  const from = Math.max(0, quote.start - size / 2);
  const to = size === article.length ? size : Math.min(article.length, from + size);
  const source = { text: article, runs: [{ start: size === article.length ? 0 : from, end: to }] };
  const all = { start: source.runs[0]?.start ?? 0, end: to };
  return { quotes: [textOf(article)(quote)], stretches: stretchesAround(source, all) };
}

interface Row {
  name: string;
  shown: string;
  isLow: boolean;
}
const rows: Row[] = [];

function add(name: string, value: number, shown: string, floor: number | undefined, isLeast = true): void {
  const isLow = floor !== undefined && (isLeast ? value < floor : value > floor);
  const limit = floor === undefined ? '' : ` (${isLeast ? 'at least' : 'at most'} ${floor})`;
  rows.push({ name, shown: shown + limit, isLow });
}

function showInterval({ value, low, high }: Interval): string {
  return `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}

/** For WiCE: the minimum balanced accuracy, and the maximum share of supported claims that are flagged. */
const WICE_FLOORS: Record<string, [number, number]> = { page: [0.755, 0.18], passage: [0.715, 0.365] };

function measureWice(part: string, claims: WiceClaim[]): void {
  for (const [given, read] of Object.entries(GIVEN)) {
    const started = performance.now();
    const all = claims.map(({ claim, label, evidence }): Flagged => {
      const { quotes, stretches } = read(evidence.join('\n'))(claim);
      const { support } = assess(claim, { quotes, stretches });
      return { isSupported: label === 'supported', isFlagged: support !== 'unjudged' };
    });
    const ms = (performance.now() - started) / claims.length;
    const accuracy = withInterval(all, balancedAccuracy);
    const flagged = withInterval(all, (some) => shareFlagged(some, true));
    const [least, most] = WICE_FLOORS[given] ?? [];
    const name = `WiCE ${part}, ${given}`;
    add(`${name}: balanced accuracy`, accuracy.value, showInterval(accuracy), least);
    add(`${name}: supported claims flagged`, flagged.value, showInterval(flagged), most, false);
    add(`${name}: ms per claim, with the choice of quotes`, ms, ms.toFixed(1), undefined);
  }
}

async function measureSick(folder: string): Promise<void> {
  const flagged = { ENTAILMENT: 0, CONTRADICTION: 0, NEUTRAL: 0 };
  const pairs = await readSick(folder);
  for (const { premise, sentence, label } of pairs)
    if (assess(sentence, { quotes: [premise] }).support !== 'unjudged') flagged[label]++;
  const count = (label: string) => pairs.filter((pair) => pair.label === label).length;
  add(
    'SICK: contradictions found',
    flagged.CONTRADICTION,
    `${flagged.CONTRADICTION} of ${count('CONTRADICTION')}`,
    1130,
  );
  add(
    'SICK: entailed sentences flagged',
    flagged.ENTAILMENT,
    `${flagged.ENTAILMENT} of ${count('ENTAILMENT')}`,
    34,
    false,
  );
}

async function measureDrafts(): Promise<void> {
  const texts = await readSources(DRAFTS);
  for (const [kind, { found, planted }] of findPlanted(plantErrors(DRAFTS, texts, 1000, 34), texts))
    add(`Planted errors: ${kind}`, found, `${found} of ${planted}`, undefined);
  const alarms = falseAlarms(DRAFTS, texts).length;
  const all = DRAFTS.flatMap(({ sentences }) => sentences).length;
  add('True sentences flagged', alarms, `${alarms} of ${all}`, 0, false);
}

/** Returns the premise as in an answer: up to three quotes, each with the words around it. */
function compareWice({ claim, label, evidence }: WiceClaim, given: string): Compared {
  const article = evidence.join('\n');
  const { quotes, stretches } = GIVEN[given]?.(article)(claim) ?? { quotes: [], stretches: [] };
  const source = { text: article, runs: [{ start: 0, end: article.length }] };
  const places = quotesIn(article, claim, 3);
  const around = places.map((place) => showPassage(wordsAround(source, place)));
  return {
    ...{ label, isOpen: assess(claim, { quotes, stretches }).support === 'unjudged' },
    claim: { sentence: claim, quotes: places.map(textOf(article)), around },
  };
}

function compareSick({ premise, sentence, label }: SickPair): Compared {
  const isOpen = assess(sentence, { quotes: [premise] }).support === 'unjudged';
  return { label, isOpen, claim: { sentence, quotes: [premise] } };
}

/** Makes the comparison first, because an idle connection would be closed in the meantime. */
async function measureEntailment(url: string): Promise<void> {
  const dev = values.wice === undefined ? [] : await readWice(values.wice, 'dev');
  const [passage, page] = ['passage', 'page'].map((given) => dev.map((each) => compareWice(each, given)));
  const sick = values.sick === undefined ? [] : (await readSick(values.sick)).map(compareSick);
  const { entailment, stop } = await openMeasured(url);
  const started = performance.now();
  const score = (all: Compared[] = []) => scoreOpen(entailment, all);
  const lines: Omit<Row, 'isLow'>[] = [];
  if (dev.length > 0) {
    lines.push(...linesOfFull('WiCE dev, passage', await score(passage), 'supported'));
    lines.push(...linesOfFull('WiCE dev, page', await score(page), 'supported'));
  }
  if (sick.length > 0) lines.push(...linesOfContradicted('SICK', await score(sick)));
  const pairs = [passage, page, sick].flatMap((all = []) => all.filter(({ isOpen }) => isOpen)).length;
  const ms = (performance.now() - started) / Math.max(1, pairs);
  lines.push({ name: `NLI, ${entailment.model}: ms per pair`, shown: ms.toFixed(1) });
  rows.push(...lines.map((line) => ({ ...line, isLow: false })));
  stop();
}

if (values.wice !== undefined)
  for (const part of values['held-out'] ? ['dev', 'test'] : ['dev'])
    measureWice(part, await readWice(values.wice, part));
if (values.sick !== undefined) await measureSick(values.sick);
await measureDrafts();
if (values.entailment !== undefined) await measureEntailment(values.entailment);
for (const { name, shown, isLow } of rows)
  console.log(`${isLow ? 'LOW ' : '    '}${name.padEnd(68)}${shown}`);
if (values.floors && rows.some(({ isLow }) => isLow)) process.exitCode = 1;
