import { describe, expect, it } from '@jest/globals';
import { reasonOf } from '../../../lib/api-contract/finding-words.ts';
import { assess } from '../../../lib/support/assess.ts';
import {
  ASKED,
  CONVERSE,
  DENIED_TWICE,
  DISOWNED,
  OWNED,
  SAID_BY_OTHERS,
  STILL_CONTRADICTED,
} from './rules/stances.ts';
import { LIKEWISE, OTHERWISE } from './rules/substitutions.ts';

const CRANES = 'Site | Cranes 2021 | Cranes 2022\nNorth bay | 410 | 520\nSouth bay | 390 | 720';

/** Returns the support by code, and the reason for less than full support. */
function why(sentence: string, quote: string) {
  const { support, findings } = assess(sentence, { quotes: [quote] });
  return { support, reason: reasonOf(support, findings) };
}

/** Sentences with two clauses, one of which the quotes deny. */
const DENIED_IN_PART: [sentence: string, quote: string][] = [
  ['It was tested in 40 patients and was not safe for children.', 'It was safe for children in 40 tests.'],
  ['The bridge opened in 1893, but it was never closed to cars.', 'The bridge of 1893 was closed to cars.'],
  ['Sales rose in Europe, whereas costs fell in Asia.', 'Sales rose in Europe. Costs rose in Asia.'],
  ['Sales in Europe rose; the costs in Asia fell.', 'Sales rose in Europe. Costs rose in Asia.'],
  ['该公司收入增长，但利润下降。', '该公司收入增长。该公司利润上升。'],
  ['The drug was given to 40 patients, and all survived.', 'None of the 40 patients survived.'],
  [
    'All 40 patients survived the operation.',
    '40 patients had the operation, and of these none survived it at all.',
  ],
  ['All 40 patients survived the operation.', 'Of the 40 patients of the operation, none survived.'],
  ['Nobody survived the fire.', 'All of the guests survived the fire.'],
];

const SAID_IN_BOTH_PARTS: [sentence: string, quote: string][] = [
  [
    'Hosts without it pay nothing, and a folder costs one stat. If it is disabled later, the text of hosts stays.',
    'Hosts without it pay nothing, and a folder costs one stat. If it is disabled later, the text of hosts stays.',
  ],
  ['It was safe for children and was tested in 40 patients.', 'Safe for children, not adults. 40 patients.'],
  ['It failed in men but was effective in women.', 'It was effective in women, not in men.'],
  ['It was not effective in men but effective in women.', 'It was effective in women, not in men.'],
  ['Owls hunt at night, while hawks hunt by day.', 'Owls hunt at night, not by day. Hawks hunt by day.'],
  ['Sales rose in Europe, whereas costs fell in Asia.', 'Costs fell in Asia, and sales rose in Europe.'],
  ['The plan was approved in May, and 40 patients survived.', 'Approved in May. All 40 patients survived.'],
  ['All 40 patients survived the operation.', '40 patients had the operation, all of whom survived.'],
  ['该公司收入增长，但利润下降。', '该公司收入增长，利润下降。'],
  ['该药对儿童安全，但对成人不安全。', '该药对儿童安全。对成人则不安全。'],
];

describe('a sentence that differs from its quote', () => {
  it.each(Object.entries(OTHERWISE))('is found if the difference is %s', (_, pairs) => {
    const passed = pairs.filter(([sentence, quote]) =>
      ['unjudged', 'none'].includes(assess(sentence, { quotes: [quote] }).support),
    );
    expect(passed).toEqual([]);
  });

  it.each(LIKEWISE)('is left to a judge if only its words differ: %s: %s', (sentence, quote) => {
    expect(assess(sentence, { quotes: [quote] }).support).toBe('unjudged');
  });
});

describe('assess', () => {
  it('leaves a sentence whose facts are all in its quotes to a judge', () => {
    expect(
      assess('Owls slept 12 hours in Berlin.', { quotes: ['In Berlin, the owls slept for 12 hours.'] }),
    ).toEqual({
      checks: [
        { kind: 'number', ok: true },
        { kind: 'unit', ok: true },
        { kind: 'name', ok: true },
      ],
      support: 'unjudged',
      by: 'code',
      findings: [],
      limits: [],
      foundAround: [],
    });
  });

  it.each([
    ['number', 'Owls slept 13 hours.', 'The owls slept for 12 hours.', '13'],
    ['unit', 'Owls slept 12 days.', 'The owls slept for 12 hours.', '12'],
    ['date', 'It opened in May 2019.', 'It opened in May 2018.', 'May 2019'],
    ['name', 'The tower is in Paris.', 'The tower is in Rome.', 'Paris'],
  ])('names the %s that the quotes lack', (kind, sentence, quote, detail) => {
    const { checks } = assess(sentence, { quotes: [quote] });
    const { support, reason } = why(sentence, quote);
    expect(checks).toContainEqual({ kind, ok: false, detail: expect.stringContaining(detail) });
    expect(support).toBe('partial');
    expect(reason).toContain(detail);
  });

  it.each([
    ['Fast charging above 3C doubled the loss.', 'Fast charging above 3C doubled the loss.'],
    ['Charging above 3C doubled it.', 'It doubled when charging was above 3C.'],
    ['The cell was kept at 45 C.', 'They kept the cell at 45 C.'],
    ['Loss at 12 X Beta was high.', 'Cells were tested. Loss at 12 X Beta was high. It rained.'],
  ])('finds all facts of %j in %j', (sentence, quote) => {
    expect(assess(sentence, { quotes: [quote] }).support).toBe('unjudged');
  });

  it.each([
    ['Charging above 3C doubled it.', 'It doubled when charging was above level 3.', '3C'],
    ['At 45 C it was high.', 'It was high in winter.', '45'],
    ['12 owls sleep by day.', 'Of the birds, 112 owls sleep by day.', '12'],
    ['The 3D model failed.', 'The 2D model failed.', '3D'],
  ])('finds in %j facts that %j lacks: %s', (sentence, quote, missing) => {
    expect(why(sentence, quote).reason).toContain(`Not in the source: ${missing}`);
  });

  it('treats a sentence that its quotes deny as contradicted', () => {
    const { support, reason } = why('The drug is safe for children.', 'The drug is not safe for children.');
    expect(support).toBe('contradicted');
    expect(reason).toContain('The source says otherwise');
  });

  it.each([
    ['Revenue grew by 5 percent in 2020.', 'Revenue did not grow by 5 percent in 2020.'],
    ['The court found him guilty.', 'The court did not find him guilty.'],
    ['The firm sold its plants.', 'The firm did not sell its plants.'],
    ['The trial showed a benefit.', 'The trial failed to show a benefit.'],
    ['All patients recovered.', 'Some patients recovered.'],
    ['手术涉及40名患者，全部存活。', '手术涉及40名患者，无一存活。'],
  ])('treats %j as contradicted by %j', (sentence, quote) => {
    expect(assess(sentence, { quotes: [quote] }).support).toBe('contradicted');
  });

  it.each([
    ['The trial did not show a benefit of the drug.', 'The trial failed to show a benefit of the drug.'],
    ['The drug lacked an effect on mortality.', 'The drug had no effect on mortality.'],
    ['Owls do not hunt by day.', 'Owls hunt only at night, never by day.'],
    ['Most members opposed the bill.', 'Only a minority of members supported the bill.'],
    ['Bayern won the final against Dortmund.', 'Dortmund lost the final against Bayern.'],
    ['Germany imports gas from Norway.', 'Norway exports gas to Germany.'],
    ['The court upheld the conviction of Smith.', 'The court refused to overturn the conviction of Smith.'],
    ['The bill was rejected by the senate.', 'The senate voted against accepting the bill.'],
    ['Parking is allowed on Sundays.', 'Parking is forbidden except on Sundays.'],
    ['所有患者都存活。', '没有患者死亡。'],
    ['All 40 patients survived the operation.', 'None of the 40 patients of the operation died.'],
    [
      'All patients in the first group of the trial in Berlin survived.',
      'No patients in the first group of the trial in Berlin died.',
    ],
    ['MEK 1/2 inhibitors are effective.', 'MEK inhibitors are effective.'],
  ])('does not treat %j as contradicted by %j, because a judge may have to decide', (sentence, quote) => {
    expect(['partial', 'unjudged']).toContain(assess(sentence, { quotes: [quote] }).support);
  });

  it.each([
    [
      'The drug was tested in 40 patients and was safe for children.',
      'The drug was not safe for children. It was tested in 40 patients.',
    ],
    ...DENIED_IN_PART,
    ['Berlin has 1.9 million inhabitants.', '| Berlin | 3.7 million |\n| Hamburg | 1.9 million |'],
    ['Hamburg has 3.7 million inhabitants.', '| Berlin | 3.7 million |\n| Hamburg | 1.9 million |'],
    ['Bonn was founded in 1990.', 'Ulm | 1990\nBonn | 1995'],
    ['The north bay had 520 cranes in 2021.', CRANES],
    ['The north bay had 520 cranes in 2021.', CRANES.replaceAll('Cranes ', '')],
    ['In 2022 the south bay had 520 cranes.', CRANES],
  ])('doubts %j if the quote is %j', (sentence, quote) => {
    const { support, reason } = why(sentence, quote);
    expect([support, reason]).toEqual(['partial', expect.stringContaining('may say otherwise')]);
  });

  it.each([
    ['The north bay had 520 cranes in 2022.', CRANES],
    ['The north bay had 520 cranes in 2022.', CRANES.replaceAll('Cranes ', '')],
    ['In 2022 the south bay had 720 cranes.', CRANES],
    ['In the south bay, cranes rose from 390 in 2021 to 720 in 2022.', CRANES],
    [
      'In 2022 the south bay had 720.',
      '| | 2021 | 2022 |\n|---|---|---|\n| North bay | 410 | 520 |\n| South bay | 390 | 720 |',
    ],
    ['Berlin has 3.7 million inhabitants.', '| Berlin | 3.7 million |\n| Hamburg | 1.9 million |'],
    ...SAID_IN_BOTH_PARTS,
    ['The larger city has 3.7 million.', '| Berlin | 3.7 million |\n| Hamburg | 1.9 million |'],
    [
      'The drug was tested in 40 patients and was safe.',
      'Tested in 40 patients, the drug was safe, but not cheap.',
    ],
  ])('does not doubt %j if the quote is %j', (sentence, quote) => {
    expect(assess(sentence, { quotes: [quote] }).support).toBe('unjudged');
  });

  it.each([
    ['Olav has 12 years at sea.', '| Person | Years at sea |\n|---|---|\n| Berit | 31 |\n| Olav | 12 |'],
    ['Agder protects 1,250 ha.', 'County | Area (ha) | Share\nTelemark | 310 | 14%\nAgder | 1,250 | 37%'],
    [
      'The count at Agder was 1,250.',
      'County | Area (ha) | Share\nTelemark | 310 | 14%\nAgder | 1,250 | 37%',
    ],
  ])('reads the unit of a column from its header: %j', (sentence, quote) => {
    expect(assess(sentence, { quotes: [quote] })).toMatchObject({ support: 'unjudged' });
    const otherUnit = sentence.replace(/years|ha\./, 'months');
    const { support } = assess(otherUnit, { quotes: [quote] });
    expect(support).toBe(otherUnit === sentence ? 'unjudged' : 'partial');
  });

  it.each([
    ['lost every clutch', 'lost no clutch', 'every … no'],
    ['lost all eggs', 'lost some eggs', 'all … some'],
  ])('names the difference between "%s" and "%s": %s', (own, other, words) => {
    const { reason } = why(
      `Boxes with a sleeve ${own} to martens.`,
      `Boxes with a sleeve ${other} to martens.`,
    );
    expect(reason).toBe(`The source says otherwise: ${words}.`);
  });

  it.each([
    [
      'Permits rose from 23 in 2017 to 58 in 2021.',
      'Permits fell from 58 in 2017 to 23 in 2021.',
      'rose from 23 in 2017 to 58 … fell from 58 in 2017 to 23',
    ],
    ['The divers found sea urchins in May.', 'The divers found no sea urchins in May.', 'sea … no sea'],
    ['Deep meadows stored more carbon.', 'Deep meadows did not store more carbon.', 'stored … did not store'],
  ])('names the difference of %j in whole words', (sentence, quote, words) => {
    const { support, reason } = why(sentence, quote);
    expect([support, reason]).toEqual(['contradicted', `The source says otherwise: ${words}.`]);
  });

  it('does not cut words if a sentence differs in several places', () => {
    const { reason } = why(
      'In all of the town, the surroundings were 2 °C warmer throughout the summer months of that year.',
      'Throughout the summer months of that year, the surroundings of all the town were 2 °C cooler.',
    );
    expect(reason).toBe('The source may say otherwise: warmer … cooler.');
  });

  it('finds no support without a quote', () => {
    expect(assess('Owls slept 13 hours.', { quotes: [] })).toMatchObject({
      support: 'none',
      findings: [
        { rule: 'no_quote', own: '' },
        { rule: 'number_missing', own: '13 hours' },
      ],
    });
  });
});

describe('the meaning of a quote', () => {
  const uncertain = [...DENIED_TWICE, ...SAID_BY_OTHERS, ...ASKED, ...CONVERSE];
  it.each(uncertain)('does not certainly contradict %j: %j', (sentence, quote) => {
    expect(assess(sentence, { quotes: [quote] }).support).not.toBe('contradicted');
  });

  it.each(STILL_CONTRADICTED)('contradicts %j: %j', (sentence, quote) => {
    expect(assess(sentence, { quotes: [quote] }).support).toBe('contradicted');
  });

  it.each(DISOWNED)('may differ from %j: %j', (sentence, quote) => {
    const { support, reason } = why(sentence, quote);
    expect([support, reason]).toEqual(['partial', expect.stringContaining('The source may say otherwise: ')]);
  });

  it.each(OWNED)('agrees with %j: %j', (sentence, quote) => {
    expect(assess(sentence, { quotes: [quote] }).support).toBe('unjudged');
  });

  it.each([
    ['Myth:', ''],
    ['Owls. The following is false.', ''],
    ['# Owls These statements are wrong: -', ''],
    ['It is false that', ''],
    ['The idea that', 'is wrong.'],
    ['', 'This is a myth.'],
    ['', '| No, this is wrong |'],
  ])('depends on the words before and after it: %j, %j', (before, after) => {
    const quote = after.startsWith('is') ? 'owls are blind by day' : 'Owls are blind by day.';
    const around = [{ before, after }];
    expect(assess('Owls are blind by day.', { quotes: [quote], around }).support).toBe('partial');
    expect(assess('Owls are not blind by day.', { quotes: [quote], around }).support).toBe('partial');
  });

  it('depends on the next sentence in Chinese', () => {
    const around = [{ before: '# 常识', after: '这是谣言。' }];
    expect(assess('猫头鹰白天看不见东西。', { quotes: ['猫头鹰白天看不见东西。'], around }).support).toBe(
      'partial',
    );
  });

  it.each([
    ['# Myths about owls', 'Some call them deaf, which is wrong.'],
    ['It is false that owls are deaf.', 'It is not true that they eat granite.'],
    ['Are they? Yes.', 'This is true in Europe and wrong in Asia.'],
  ])('does not depend on other words before and after it: %j, %j', (before, after) => {
    const check = (sentence: string) =>
      assess(sentence, { quotes: ['Owls are blind by day.'], around: [{ before, after }] });
    expect(check('Owls are blind by day.').support).toBe('unjudged');
    expect(check('Owls are not blind by day.').support).toBe('contradicted');
  });
});
