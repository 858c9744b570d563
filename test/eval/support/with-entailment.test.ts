import { expect, it } from '@jest/globals';
import type { Entailment } from '../../../lib/ports/entailment.ts';
import { linesOfContradicted, linesOfFull, scoreOpen } from './with-entailment.ts';

/** The scores of a sentence are the two numbers in it. */
const entailment: Entailment = {
  model: 'numbers',
  entail: async (pairs) =>
    pairs.map(({ hypothesis }) => {
      const [score = 0, contradiction = 0] = hypothesis.split(' ').map(Number);
      return { entailment: score, contradiction };
    }),
};

const compared = (label: string, sentence: string, isOpen = true) => ({
  ...{ label, isOpen },
  claim: { sentence, quotes: ['A quote.'] },
});

it('linesOfFull shows the effect of each threshold, for more claims than one call takes', async () => {
  const all = await scoreOpen(entailment, [
    ...Array.from({ length: 60 }, () => compared('supported', '0.9 0')),
    ...Array.from({ length: 20 }, () => compared('supported', '0.55 0')),
    ...Array.from({ length: 20 }, () => compared('supported', '1 0', false)),
    ...Array.from({ length: 75 }, () => compared('not_supported', '0.1 0.96')),
    ...Array.from({ length: 25 }, () => compared('not_supported', '0.6 0.3')),
  ]);
  const full = linesOfFull('WiCE dev', all, 'supported').map(({ shown }) => shown);
  expect(full[0]).toMatch(/^0\.775 \[.+\], 80 % of supported, 25 % of others$/);
  expect(full[4]).toMatch(/^0\.800 \[.+\], 60 % of supported, 0 % of others$/);
  expect(full[7]).toMatch(/^0\.500 \[.+\], 0 % of supported, 0 % of others$/);
  const contradicted = linesOfContradicted('WiCE dev', all).map(({ shown }) => shown);
  expect(contradicted[2]).toBe('0 of 100 supported, 75 of 100 not_supported');
  expect(contradicted[3]).toBe('0 of 100 supported, 0 of 100 not_supported');
});

it('scoreOpen returns no score if the model fails', async () => {
  const failing: Entailment = { model: 'failing', entail: () => Promise.reject(new Error('down')) };
  await expect(scoreOpen(failing, [compared('supported', '1 0')])).rejects.toThrow(
    'The entailment model failed.',
  );
});
