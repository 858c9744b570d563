import { describe, expect, it } from '@jest/globals';
import { claimText } from '../../../lib/verify/work/claim-text.ts';

const CLAIM = 'Owls hunt at night in 12 forests.';

describe('the claim of a sentence', () => {
  it.each([
    ...['(Smith 2020)', '(see Smith and Jones, 2020a, p. 12)', '(Smith et al., 2019; van der Berg 2020)'],
    ...[
      '(Smith, J., Jones & Miller, 2020, pp. 3–5)',
      '（张三等，2020）',
      '[3]',
      '[3, 5–7]',
      '[@smith2020, p. 3]',
    ],
    ...[
      '(smith-2020.md)',
      '(see papers/owls.pdf, p. 12)',
      '(Smith 2019, 2020)',
      String.raw`\cite[p. 3]{smith}`,
    ],
  ])('has no reference %s', (reference) => {
    expect(claimText(CLAIM.replace('.', ` ${reference}.`))).toBe(CLAIM);
  });

  it('omits struck-out text, unless the whole sentence is struck out', () => {
    expect(claimText('Owls ~~do not~~ hunt at night in ~~11~~ 12 forests.')).toBe(CLAIM);
    expect(claimText(`~~${CLAIM}~~`)).toBe(CLAIM);
  });

  it.each([
    '(Germany lost all of them by 2019, after 400 fires)',
    '(But none of them survived in 2020)',
    '(see nothing.exe, of which 90 percent burned down)',
    '(see owls.md, of which 90 percent burned down)',
    '（数量已经下降，2019年只剩三只）',
    '(Smith 2020, who counted 13)',
    '(March 2019)',
    '(Anna Jones)',
    '(in Berlin 2020)',
    '[@smith, but none survived]',
  ])('keeps parentheses that contain more than a reference: %s', (bracket) => {
    expect(claimText(CLAIM.replace('.', ` ${bracket}.`))).toContain(bracket);
  });
});
