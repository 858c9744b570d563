import { describe, expect, it } from '@jest/globals';
import { checkClaim } from '../../../lib/claims/check-claim.ts';

describe('checkClaim', () => {
  it('leaves a sentence whose facts are in its quotes to a judge', () => {
    expect(checkClaim('Owls slept 12 hours in Berlin.', ['In Berlin, the owls slept for 12 hours.'])).toEqual(
      {
        checks: [
          { kind: 'number', ok: true },
          { kind: 'unit', ok: true },
          { kind: 'name', ok: true },
        ],
        support: 'unjudged',
      },
    );
  });

  it.each([
    ['number', 'Owls slept 13 hours.', 'The owls slept for 12 hours.', '13'],
    ['unit', 'Owls slept 12 days.', 'The owls slept for 12 hours.', '12'],
    ['date', 'It opened in May 2019.', 'It opened in May 2018.', 'May 2019'],
    ['name', 'The tower is in Paris.', 'The tower is in Rome.', 'Paris'],
  ])('says which %s its quotes lack', (kind, sentence, quote, detail) => {
    const { checks, support, reason } = checkClaim(sentence, [quote]);
    expect(checks).toContainEqual({ kind, ok: false, detail: expect.stringContaining(detail) });
    expect(support).toBe('partial');
    expect(reason).toContain(detail);
  });

  it('takes what the quotes deny as contradicted', () => {
    const { support, reason } = checkClaim('The drug is safe for children.', [
      'The drug is not safe for children.',
    ]);
    expect(support).toBe('contradicted');
    expect(reason).toContain('The quotes say otherwise');
  });

  it('finds no support without a quote', () => {
    expect(checkClaim('Owls sleep.', [])).toEqual({
      checks: [],
      support: 'none',
      reason: 'No quote was found.',
    });
  });
});
