import { describe, expect, it } from '@jest/globals';
import { standsAlone } from '../../../lib/verify/work/stands-alone.ts';

describe('a sentence is about the same in each file', () => {
  it.each([
    'Owls hunt at night in 12 forests.',
    'Zeta earned 5 million euros in 2020.',
    'The capital of France is Paris.',
    'In 2020, Berlin had 3 zoos.',
    '300 patients were treated with the vaccine in Norway.',
    'Owls, which see well, hunt in the dark.',
    '猫头鹰在夜间捕食。',
    '张三2020年获奖。',
  ])('%s', (sentence) => {
    expect(standsAlone(sentence)).toBe(true);
  });

  it.each([
    'The bank was founded by Jane Roe in 1990.',
    'However, the drug is safe.',
    'In 2020 the bank lost 5 million euros.',
    'In May 2020, the bank lost 5 million euros.',
    'Among the patients, 12 died in Norway.',
    'We enrolled 40 patients in May 2020.',
    'Both drugs were safe in our trial.',
    'There were 12 owls.',
    'Here, 12 owls were seen.',
    'One of them died in 2020.',
    'In this group, 40 patients died.',
    'Of these, 12 were women.',
    'Then 7 owls came.',
    '40 patients died in May 2020.',
    'No patient died.',
    'Net sales rose by 5 percent in 2020.',
    '我们在2020年招募了40名患者。',
    '本公司成立于1990年。',
    '2020年公司收入为三千万元。',
  ])('not %s', (sentence) => {
    expect(standsAlone(sentence)).toBe(false);
  });
});
