import { describe, expect, it } from '@jest/globals';
import { isRepeated, isRepeatedRow } from '../../../lib/verify/work/repeated.ts';

const inText = (quote: string, text = quote, context = '') => ({ quote, text, context });

describe('a claim is repeated by', () => {
  it.each([
    ['Owls hunt at night in 12 forests.', 'Owls hunt at night in 12 forests.'],
    ['Owls hunt at night in 12 forests', '- **Owls** hunt at night in 12 forests (Smith et al., 2020).'],
    ['However, owls hunt at night in 12 forests.', 'Owls also hunt at night in 12 forests [3].'],
    ['猫头鹰在夜间捕食。', '此外，猫头鹰也在夜间捕食。'],
  ])('%s: %s', (claim, quote) => {
    expect(isRepeated(claim, inText(quote))).toBe(true);
  });

  it('a sentence of a longer quote, over lines, and under a heading', () => {
    const text = '# Birds\n\nHawks are here, too. Owls hunt at\nnight in 12 forests. They sleep.';
    expect(isRepeated('Owls hunt at night in 12 forests.', inText(text))).toBe(true);
  });
});

describe('a claim is repeated by the first sentence after', () => {
  it.each([
    ['a heading of a page', 'Discussion\nSites below 20 m recovered faster.\nFishing bans did nothing.'],
    [
      'a title and authors',
      'Corals of the northern reef\nJ. Smith, A. Lee\nSites below 20 m recovered faster.',
    ],
    ['a numbered heading', 'Rain fell in May.\n4 Discussion\nSites below 20 m recovered\nfaster.'],
  ])('%s', (_, text) => {
    expect(isRepeated('Sites below 20 m recovered faster.', inText(text))).toBe(true);
  });

  it.each([
    ['a line that continues', 'Nobody could show that\nSites below 20 m recovered faster.'],
    ['a line of a speaker', 'The diver in charge said\nSites below 20 m recovered faster.'],
    ['a line as wide as the next', 'At no time during those years\nSites below 20 m recovered faster.'],
    ['a heading that takes it back', 'Common Myths\nSites below 20 m recovered faster.'],
    [
      'a line without a capital',
      'In the long run it was\nnot so: in no year\nSites below 20 m recovered faster.',
    ],
  ])('not %s', (_, text) => {
    expect(isRepeated('Sites below 20 m recovered faster.', inText(text))).toBe(false);
  });
});

const CURES = 'The drug cures migraine in adults.';

it('a reference that the draft has, too, is no other word', () => {
  const written = 'All owls hunt at night (Smith 2020).';
  expect(isRepeated('All owls hunt at night.', inText(written), { written, isListed: () => false })).toBe(
    true,
  );
  expect(isRepeated('All owls hunt at night.', inText(written))).toBe(false);
});

describe('a claim is not repeated by a part of a sentence', () => {
  it.each([
    ['in a passage', 'the drug cures migraine in adults. It is cheap.'],
    ['over lines', `It is a myth and nothing else that\n${CURES}`],
    ['over pages', `It is a myth and nothing else that\n\n${CURES}`],
    [
      'over columns',
      `Rain fell in May on the hills.\nIt is a dream of doctors all over the world\n\n${CURES}`,
    ],
  ])('%s', (_, text) => {
    expect(isRepeated(CURES, inText(text))).toBe(false);
    expect(isRepeated(CURES, inText(CURES.replace(/^T/, 't'), text))).toBe(false);
  });

  it('that the text around it begins with', () => {
    expect(isRepeated(CURES, { ...inText(CURES), isCut: true })).toBe(false);
    expect(isRepeated(CURES, { ...inText(CURES, `Birds are blue. ${CURES}`), isCut: true })).toBe(true);
  });
});

describe('a claim is not repeated by', () => {
  it.each([
    ['Vaccines cause autism in children.', 'It is a myth that vaccines cause autism in children.'],
    [CURES, 'Whether the drug cures migraine in adults is unknown.'],
    [CURES, 'No evidence shows that the drug cures migraine in adults.'],
    [CURES, 'If confirmed, the drug cures migraine in adults.'],
    [CURES, 'The drug cures migraine in mice, but failed in adults.'],
    [CURES, 'Does the drug cure migraine in adults?'],
    [CURES, 'The drug cures migraine in adults?'],
    [CURES, '“The drug cures migraine in adults.”'],
    [CURES, 'The maker said: “It sells well. The drug cures migraine in adults. It is cheap.”'],
    [CURES, 'Smith (2020) claimed that the drug cures migraine in adults.'],
    ['The bridge collapsed in 1940.', 'The bridge nearly collapsed in 1940.'],
    ['The dose is 5 mg.', 'The dose is less than 5 mg.'],
    ['The dose is 5 mg.', 'The dose is 1.5 mg.'],
    ['The temperature was 5 °C.', 'The temperature was -5 °C.'],
    ['The temperature was 5 °C.', 'The temperature was −5 °C.'],
    ['Profit rose from 10 to 20 million.', 'Profit rose to 10 from 20 million.'],
    ['Women earn more than men in Norway.', 'Men earn more than women in Norway.'],
    ['Only adults were treated with the vaccine.', 'Adults were treated with the vaccine.'],
    ['They never migrate.', 'They never migrate.'],
    ['疫苗导致儿童自闭症。', '疫苗导致儿童自闭症的说法是谣言。'],
    ['患者为50人。', '患者不到50人。'],
  ])('%s: %s', (claim, quote) => {
    expect(isRepeated(claim, inText(quote))).toBe(false);
  });

  it.each([
    ['The drug cures it.', 'The drug ~~never~~ cures it.'],
    ['The drug is not safe.', 'The drug is ~~not~~ safe.'],
    [CURES, `~~Birds are blue. ${CURES} It snows.~~`],
    [CURES, `‘${CURES}’`],
    [CURES, `'${CURES}'`],
    [CURES, `The maker says: ‘It sells well. ${CURES} It is cheap.’`],
    [CURES, `> ${CURES}\n\nI have seen no study of it.`],
    [CURES, `The following statements are not true. ${CURES}`],
    [CURES, `Nothing of this is correct.\n\n- Birds are blue.\n- ${CURES}`],
    [CURES, `Quacks like to say:\n\n- Birds are blue.\n- ${CURES}`],
    [CURES, `${CURES} Not!`],
    [CURES, `${CURES} This is not so.`],
    [CURES, `${CURES} Nobody has shown this.`],
    ['300 patients were cured in Norway.', 'At most\n300 patients were cured in Norway.'],
    [CURES, `There is no proof\n${CURES}`],
    ['All trials were safe.', 'All trials were safe (Except Children 2020).'],
    ['All trials were safe.', 'All trials were safe (Excluding Germany, France, and Spain, 2020).'],
    ['All trials were safe.', 'All trials were safe (Germany 2020).'],
    ['WHO funded the lab.', 'Who funded the lab.'],
    ['Turkey and Greece are hot.', 'Turkey and grease are hot.'],
    ['Berlin grew by 5 percent.', 'Berlin grew by —5 percent.'],
    ['Berlin grew by 5 percent.', 'Berlin grew by ‐5 percent.'],
    ['Berlin grew by 5 percent.', 'Berlin grew by ‑ 5 percent.'],
    ['Berlin grew by 5 percent.', 'Berlin grew by - 5 percent.'],
    ['Berlin grew by 5 percent.', 'Berlin grew by .5 percent.'],
    ['Berlin has 102 parks.', 'Berlin has 10² parks.'],
    ['The answer is 3, 5.', 'The answer is 3-5.'],
    ['So few people voted.', 'Few people voted.'],
    ['Die Impfung ist sicher.', 'Die Impfung ist sicher. Das ist falsch.'],
    ['Le vaccin cause un mal.', 'Le vaccin cause un mal. C’est faux.'],
    ['Вакцина безопасна.', 'Вакцина безопасна. Это неправда.'],
    ['疫苗导致自闭症。', '疫苗导致自闭症。这没有根据。'],
  ])('%s: %s, as its text is', (claim, text) => {
    expect(isRepeated(claim, inText(claim.replace(/[.。]$/u, ''), text))).toBe(false);
    expect(isRepeated(claim, inText(text))).toBe(false);
  });

  it.each([
    ['the end of a sentence', 'the drug cures migraine in adults.', `Doctors deny that ${CURES}`, ''],
    ['what is taken back after it', CURES, `${CURES} This claim is false.`, ''],
    [
      'what is taken back before it',
      CURES,
      `These statements are wrong:\n\n- Birds are blue.\n- ${CURES}`,
      '',
    ],
    ['what a heading takes back', CURES, CURES, 'Common myths'],
    ['what the next sentence turns', CURES, `${CURES} In reality, it is a sugar pill.`, ''],
    ['what is told as a tale', CURES, `Here is an old wives’ tale. ${CURES}`, ''],
    ['a text that has changed', CURES, 'Another text.', ''],
  ])('%s', (_, quote, text, context) => {
    expect(isRepeated(CURES, inText(quote, text, context))).toBe(false);
  });
});

describe('a claim is another sentence', () => {
  it.each([
    ['Acme writes its parser in C.', 'Acme writes its parser in C#.'],
    ['Norway saw a man eating shark in 2019.', 'Norway saw a man-eating shark in 2019.'],
    ['Acme stores 2 3 rows in Oslo.', 'Acme stores 2*3 rows in Oslo.'],
    ['Acme reads max size in Oslo.', 'Acme reads max_size in Oslo.'],
    ['Acme prints 5 as the result.', 'Acme prints 5! as the result.'],
    ['Acme measured 5′ in Oslo.', 'Acme measured 5″ in Oslo.'],
    ['Acme sold boats in Norway.', 'Acme sold … boats in Norway.'],
    ['Acme is not liable in Norway.', 'Acme is [not] liable in Norway.'],
    ['Acme sold boats in Norway.', 'Acme sold boats in Norway.†\n\n† Not audited.'],
    ['Acme sold boats in Norway.', 'Acme sold boats in Norway.*\n\n\\* Not audited.'],
    ['Acme sold boats in Norway.', 'Acme sold boats in Norway.[^1]\n\n[^1]: Without permission.'],
    ['Scores of Acme range over [3, 5].', 'Scores of Acme range over [4, 6].'],
    ['Acme tries again after [30] seconds.', 'Acme tries again after [60] seconds.'],
  ])('by its signs: %s: %s', (claim, text) => {
    expect(isRepeated(claim, inText(text.split('\n')[0] ?? '', text))).toBe(false);
    const stripped = claim.replace(/ \[[\d, ]+\]/u, '');
    const written = { written: claim, isListed: () => false };
    expect(isRepeated(stripped, inText(text.split('\n')[0] ?? '', text), written)).toBe(false);
  });

  it.each([
    ['*Acme* sold boats in Norway.', 'Acme sold __boats__ in Norway.'],
    ['Acme sold boats in Norway.', '**Acme sold boats in Norway. It sold cars.**'],
    [
      'Acme sold boats in Norway.',
      'Acme sold boats in Norway.[^1]\n\n[^1]: Smith, J. (2020). Boats of the north.',
    ],
  ])('not by its emphasis or reference: %s: %s', (claim, text) => {
    expect(isRepeated(claim, inText(text.split('\n')[0] ?? '', text))).toBe(true);
  });

  it('not by the number of a reference that the draft lists', () => {
    const place = inText('Acme sold boats in Norway [7].');
    const isRepeatedAs = (written: string, isListed: boolean) =>
      isRepeated('Acme sold boats in Norway.', place, { written, isListed: () => isListed });
    expect(isRepeatedAs('Acme sold boats in Norway [3].', true)).toBe(true);
    expect(isRepeatedAs('Acme sold boats in Norway [3].', false)).toBe(false);
    expect(isRepeatedAs('Acme sold boats in Norway.', false)).toBe(true);
  });
});

const HAN_CURES = '阿司匹林治愈成人偏头痛。';

describe('a claim is not repeated where its text sets it aside', () => {
  it.each([
    `Smith writes as follows. ${CURES} We disagree.`,
    `The following applies only if the permit is granted.\n\n${CURES}`,
    `In the event of war, this applies. ${CURES}`,
    `Critics say this.\n\n${CURES}`,
    `Let us pretend for a moment. ${CURES}`,
    `Draft amendment, not adopted. ${CURES}`,
    `Status: withdrawn\n\n${CURES}`,
    `# Version 1 (repealed)\n\nBirds are blue.\n\n${CURES}`,
    `This page is out of date.\n\n# Drugs\n\nBirds are blue.\n\n${CURES}`,
    `# Unconfirmed reports\n\n${CURES}`,
    `Find the error in this sentence. ${CURES}`,
    `\`\`\`diff\n- ${CURES}\n+ Birds are blue.\n\`\`\``,
    `${CURES} However, this holds only for captive birds.`,
    `${CURES} This was true until 1990.`,
    `${CURES} This is our guess.`,
    `${CURES} Perhaps.`,
    `${CURES} Or does it?`,
    `${CURES} Later work overturned this finding.`,
    `${CURES}\n\n**Correction (2021):** It cures nobody.`,
    `情况如下。${HAN_CURES}`,
    `${HAN_CURES}事实恰恰相反。`,
    `${HAN_CURES}这只适用于幼鸟。`,
    `# 已废止\n\n${HAN_CURES}`,
  ])('%j', (text) => {
    const claim = text.includes(HAN_CURES) ? HAN_CURES : CURES;
    expect(isRepeated(claim, inText(claim, text))).toBe(false);
  });

  it.each([
    `The trial had 40 patients. ${CURES} They sleep.`,
    `If it rains, birds are blue. ${CURES} However, birds are blue.`,
    `\`\`\`sh\nls\n\`\`\`\n\nBirds are blue. ${CURES}`,
    `# Old drugs\n\n## New drugs\n\n${CURES} Some of them say why.`,
    `有四十名患者。${HAN_CURES}鸟是蓝色的。`,
  ])('but it is where not: %j', (text) => {
    const claim = text.includes(HAN_CURES) ? HAN_CURES : CURES;
    expect(isRepeated(claim, inText(claim, text))).toBe(true);
  });
});

describe('a row of a table', () => {
  const isFound = (row: string, source: string, line: string) =>
    isRepeatedRow(row, 'Ape | Weight', {
      ...{ quote: line, text: source, at: source.indexOf(line), context: '' },
    });
  const table = (line: string) => `| Ape | Weight |\n|---|---|\n| ${line} |\n`;

  it.each([
    ['Koko | 5', '**Koko** | 5'],
    ['Koko | 4–5', 'Koko | 4-5'],
    ['| Koko | 5 |', 'Koko | 5'],
  ])('is repeated: %j, %j', (row, line) => expect(isFound(row, table(line), line)).toBe(true));

  it.each([
    ['Koko | > 5', 'Koko | 5'],
    ['Koko | - 5', 'Koko | 5'],
    ['2. place | Koko', '1. place | Koko'],
    ['2. place | Koko', 'place | Koko'],
    ['Koko | 5 [2]', 'Koko | 5 [3]'],
    ['Koko | 5', 'Koko |'],
  ])('is another one: %j, %j', (row, line) => expect(isFound(row, table(line), line)).toBe(false));

  it.each([
    `${table('Kiki | 4')}| Ape | Age |\n|---|---|\n| Koko | 5 |\n`,
    `${table('Kiki | 4')}| Ape | Age |\n| Koko | 5 |\n`,
  ])('is below other columns: %j', (source) => {
    expect(isFound('Koko | 5', source, 'Koko | 5')).toBe(false);
  });
});
