import { describe, expect, it } from '@jest/globals';
import { standsFor } from '../../../../lib/retrieval/cite/stands-for.ts';

function stands(quote: string, sentence: string): boolean {
  return standsFor({ quote, passage: `# The owl\n\n${quote}` }, sentence);
}

describe('standsFor', () => {
  it.each([
    [
      'the parts exchanged',
      'Drug A reduced mortality more than drug B.',
      'Drug B reduced mortality more than drug A.',
    ],
    ['the parts exchanged', '甲方欠乙方一百万元。', '乙方欠甲方一百万元。'],
    ['the parts exchanged', 'Mice eat more seeds than voles.', 'Voles eat more seeds than mice.'],
    ['another subject', 'Axios waits without an end by default.', 'Undici waits without an end by default.'],
    [
      'a denied comparison',
      'Drug A reduced mortality more than drug B.',
      'Drug A did reduce mortality no more than drug B.',
    ],
    ['a plan', 'The team planned to remove the adapter in 2023.', 'The team removed the adapter in 2023.'],
    ['a plan', '公司计划在2025年停止生产。', '公司在2025年停止生产。'],
    [
      'a possibility',
      'A connection may be closed after 4 seconds.',
      'A connection is closed after 4 seconds.',
    ],
    ['a version', 'In version 4, the default timeout was 30 seconds.', 'The default timeout was 30 seconds.'],
    ['a report', 'According to critics, the pump is unsafe.', 'The pump is unsafe.'],
    ['a report', '据批评者称，该泵的设计不安全。', '该泵的设计不安全。'],
    ['a limit', 'Axios does not follow more than 5 redirects.', 'Axios does not follow redirects.'],
    ['a quote with hardly a common word', 'The snowy owl lives in the Arctic.', 'It is found in the Arctic.'],
  ])('refuses %s: %j for %j', (_, quote, sentence) => {
    expect(stands(quote, sentence)).toBe(false);
  });

  it.each([
    ['The barn owl weighs 500 grams.', 'The barn owl weighs about 500 grams.'],
    ['It nests in holes of old trees.', 'The owl nests in holes of old trees.'],
    ['Il relie l’Yonne à la Saône depuis 1832.', 'Depuis 1832, il relie l’Yonne à la Saône.'],
    ['Owls hunt mice at night.', 'At night, owls hunt mice.'],
    ['Owls hunt mice at night.', 'At night.'],
    ['The bridge was opened in 1890. It is 2467 metres long.', 'The bridge is 2467 metres long.'],
    ['2021年港口有779艘船舶。', '港口在2021年有779艘船舶。'],
  ])('accepts %j for %j', (quote, sentence) => {
    expect(stands(quote, sentence)).toBe(true);
  });
});
