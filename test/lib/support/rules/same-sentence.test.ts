import { describe, expect, it } from '@jest/globals';
import { isSameSentence } from '../../../../lib/support/rules/same-sentence.ts';

const CURES = 'The drug cures migraine in adults.';
const HAN_CURES = '阿司匹林治愈成人偏头痛。';
/**
 * Returns whether a file contains the sentence where its words are, or at its beginning if its words are
 * missing.
 */
const isIn = (sentence: string, file: string, headings = '') =>
  isSameSentence(sentence, file, Math.max(0, file.indexOf(sentence.slice(0, 12))), headings);

describe('isSameSentence', () => {
  it.each([
    [CURES, CURES],
    ['The drug cures migraine in adults', `${CURES}\n`],
    [CURES, `# Drugs\n\n${CURES} It is cheap.`],
    [CURES, `Hawks are here. The drug cures mi-\ngraine  in\nadults. They sleep.`],
    [CURES, `- Hawks are here\n- ${CURES}\n- Owls sleep`],
    [CURES, `\`\`\`sh\nls\n\`\`\`\n\nBirds are blue. ${CURES}`],
    ['The bird’s “nest” – of 3 eggs – fell.', `Rain fell. The bird's "nest" - of 3 eggs - fell. It broke.`],
    ['Scores of Acme range over [3, 5].', 'Rain fell. Scores of Acme range over [3, 5].'],
    [HAN_CURES, `有四十名患者。${HAN_CURES}鸟是蓝色的。`],
  ])('finds %j in %j', (sentence, file) => expect(isIn(sentence, file)).toBe(true));

  it('finds a sentence far into a long file, at the location of the quote', () => {
    const file = `${'Rain fell in May. '.repeat(2000)}${CURES} ${'It snowed in June. '.repeat(2000)}`;
    expect(isIn(CURES, file)).toBe(true);
    expect(isSameSentence(CURES, file, 0)).toBe(false);
  });
});

describe('isSameSentence for a file with a different sentence', () => {
  it.each([
    [CURES, `It is a myth that t${CURES.slice(1)}`],
    [CURES, CURES.replace(/^T/, 't')],
    [CURES, `Smith (2020) claimed that ${CURES}`],
    [CURES, `Nobody could show that\n${CURES}`],
    [CURES, `It is a myth and nothing else that\n\n${CURES}`],
    [CURES, 'The drug cures migraine in adults of Norway.'],
    [CURES, 'The drug cures migraine in adults (except in Norway).'],
    [CURES, 'The drug cures migraine in adults, says Bob.'],
    [CURES, 'The drug cures migraine in adults?'],
    [CURES, 'The drug cures migraine in adults.†\n\n† Not audited.'],
    [CURES, `The drug cures migraine in adults.[^1]\n\n[^1]: Without permission.`],
    [CURES, `“${CURES}”`],
    [CURES, `(${CURES})`],
    [CURES, `| ${CURES} |`],
    ['The dose is 5 mg.', 'The dose is 5 mg per day.'],
    ['The dose is 5 mg.', 'The dose is 1.5 mg.'],
    ['Berlin grew by 5 percent.', 'Berlin grew by −5 percent.'],
    ['Berlin has 102 parks.', 'Berlin has 10² parks.'],
    ['WHO funded the lab.', 'Who funded the lab.'],
    ['Acme writes its parser in C.', 'Acme writes its parser in C#.'],
    ['Acme prints 5 as the result.', 'Acme prints 5! as the result.'],
    ['300 patients were cured in Norway.', 'At most\n300 patients were cured in Norway.'],
    ['患者为50人。', '患者不到50人。'],
  ])('does not find %j in %j', (sentence, file) => expect(isIn(sentence, file)).toBe(false));
});

describe('isSameSentence for a sentence that a file does not assert itself', () => {
  it.each([
    `The maker said: “It sells well. ${CURES} It is cheap.”`,
    `~~Birds are blue. ${CURES} It snows.~~`,
    `> ${CURES}\n\nI have seen no study of it.`,
    `\`\`\`diff\n- ${CURES}\n+ Birds are blue.\n\`\`\``,
    `These statements are wrong:\n\n- Birds are blue.\n- ${CURES}`,
    `Quacks like to say:\n\n- Birds are blue.\n- ${CURES}`,
    `The following statements are not true. ${CURES}`,
    `Here is an old wives’ tale. ${CURES}`,
    `${CURES} This is not so.`,
    `${CURES} Not!`,
    `${CURES} In reality, it is a sugar pill.`,
    `${CURES} Nobody has shown this.`,
    `${CURES} This is a myth. ${CURES}`,
  ])('rejects the sentence in %j', (file) => expect(isIn(CURES, file)).toBe(false));

  it('rejects it below a retracting heading', () => expect(isIn(CURES, CURES, 'Common myths')).toBe(false));

  it.each([
    ['Die Impfung ist sicher.', 'Die Impfung ist sicher. Das ist falsch.'],
    ['Вакцина безопасна.', 'Вакцина безопасна. Это неправда.'],
    ['疫苗导致自闭症。', '疫苗导致自闭症。这没有根据。'],
  ])('rejects words unknown to code: %s', (sentence, file) => expect(isIn(sentence, file)).toBe(false));
});
