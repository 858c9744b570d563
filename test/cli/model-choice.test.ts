import { describe, expect, it } from '@jest/globals';
import { readJudge } from '../../cli/model-choice.ts';

describe('readJudge', () => {
  it('sends the given choice, and sends nothing without a choice, so that the settings decide', () => {
    expect(readJudge({})).toEqual({});
    expect(readJudge({ judge: true })).toEqual({ judge: true });
    expect(readJudge({ 'no-judge': true })).toEqual({ judge: false });
  });

  it('rejects both options together', () => {
    expect(() => readJudge({ judge: true, 'no-judge': true })).toThrow("can't be used together");
  });
});
