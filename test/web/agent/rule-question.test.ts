import { describe, expect, it } from '@jest/globals';
import { readRuleQuestion } from '../../../web/agent/rule-question.ts';

describe('the question of an approval', () => {
  it.each([
    [
      'writeFile: the rule writeFile "**" asks about "field/a.md"',
      { rule: 'writeFile "**"', what: '"field/a.md"' },
    ],
    [
      'the rule bash "git \\"x\\"" requires approval of "git \\"x\\" y"',
      { rule: 'bash "git \\"x\\""', what: '"git \\"x\\" y"' },
    ],
  ])('names the rule and what it asks about: %s', (summary, asked) => {
    expect(readRuleQuestion(summary)).toEqual(asked);
  });

  it.each([
    'delete job train in namespace research',
    'the rule bash "a" asks about "b"; the rule bash "c" asks about "d"',
  ])('is left as it is where a tool asks, or several rules do: %s', (summary) => {
    expect(readRuleQuestion(summary)).toBeUndefined();
  });
});
