import { describe, expect, it } from '@jest/globals';
import { readRuleQuestions } from '../../../web/agent/rule-question.ts';

describe('approval question', () => {
  it.each([
    [
      'writeFile: the rule writeFile "**" asks about "field/a.md"',
      [{ rule: 'writeFile "**"', what: '"field/a.md"' }],
    ],
    [
      'the rule bash "git \\"x\\"" requires approval of "git \\"x\\" y"',
      [{ rule: 'bash "git \\"x\\""', what: '"git \\"x\\" y"' }],
    ],
    [
      'bash: the rule bash "*" requires approval of "a; b"; the rule bash "c" asks about "d".',
      [
        { rule: 'bash "*"', what: '"a; b"' },
        { rule: 'bash "c"', what: '"d"' },
      ],
    ],
  ])('names the rule and its match: %s', (summary, asked) => {
    expect(readRuleQuestions(summary)).toEqual(asked);
  });

  it.each([
    'delete job train in namespace research',
    'the rule bash "a" requires approval of "b"; a part that can\'t be checked: c',
    'the rule bash "a" requires approval of "b"; the rule bash "c',
  ])('is unchanged if a tool asks, or if not only rules ask: %s', (summary) => {
    expect(readRuleQuestions(summary)).toEqual([]);
  });
});
