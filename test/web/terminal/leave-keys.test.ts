import { describe, expect, it } from '@jest/globals';
import { leaveKeys } from '../../../web/terminal/leave-keys.ts';

describe('leaveKeys', () => {
  const handle = (keys: string[], stepMs = 100) => {
    let now = 0;
    const takes = leaveKeys(() => (now += stepMs));
    return keys.map((key) => takes({ type: 'keydown', key }));
  };

  it('leaves Tab to the page only after Escape', () => {
    expect(handle(['Tab', 'Escape', 'Tab', 'Tab'])).toEqual([true, true, false, true]);
    expect(handle(['Escape', 'Shift', 'Tab'])).toEqual([true, true, false]);
    expect(handle(['Escape', 'a', 'Tab'])).toEqual([true, true, true]);
    expect(handle(['Escape', 'Tab'], 3_000)).toEqual([true, true]);
  });
});
