import { describe, expect, it } from '@jest/globals';
import { statesFact } from '../../../../lib/support/rules/states-fact.ts';
import { PARAPHRASES } from './paraphrases.ts';

describe('statesFact', () => {
  it.each(PARAPHRASES.map(([sentence]) => sentence))('%s', (sentence) => {
    expect(statesFact(sentence)).toBe(true);
  });

  it.each([
    'This section compares both approaches.',
    'The following table lists the results.',
    'How do the two approaches differ?',
    '## Results',
    'For example:',
    'The sources do not answer this question.',
    '本节比较两种方法。',
    '下文将介绍有关的研究。',
    '资料没有回答这个问题。',
    '两者有何区别？',
    '…',
    '',
  ])('needs no evidence: %s', (sentence) => {
    expect(statesFact(sentence)).toBe(false);
  });

  it.each([
    'This section compares both approaches, of which the first is faster.',
    'This section shows that caching is safe.',
    'This report explains how vaccines cause autism',
    'Each section summarizes how bananas cure cancer',
    'The following list covers the cure of cancer by bananas',
    'This section describes dangerous vaccines.',
    'This chapter reviews the failed merger.',
    '本节介绍疫苗导致自闭症的研究。',
    '本报告说明香蕉治愈癌症。',
    '下文将香蕉治癌总结如下。',
    'This section compares 12 approaches by Jane Smith.',
    'Did you know that 40 % of users left?',
    'Caching is safe.',
    'Owls are deadly to people. Who would keep one?',
    '猫头鹰会杀人。谁会养它？',
    '# Owls are deadly to people',
    '本节表明缓存是安全的。',
    '本节比较两种方法，前者更快。',
  ])('needs evidence: %s', (sentence) => {
    expect(statesFact(sentence)).toBe(true);
  });

  it('needs no evidence for a repeated question, but needs it for statements about the question', () => {
    const asked = ['Do vaccines cause autism?', '香蕉能否治愈癌症？'];
    expect(statesFact('This section discusses vaccines and autism.', asked)).toBe(false);
    expect(statesFact('本节讨论香蕉与癌症。', asked)).toBe(false);
    expect(statesFact('This section discusses vaccines and autism.')).toBe(true);
    expect(statesFact('This section explains how vaccines cause autism.', asked)).toBe(true);
    expect(statesFact('This section discusses vaccines and cancer.', asked)).toBe(true);
  });
});
