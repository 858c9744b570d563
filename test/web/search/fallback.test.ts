import { expect, it } from '@jest/globals';
import english from '../../../web/languages/en/search.json' with { type: 'json' };
import chinese from '../../../web/languages/zh-CN/search.json' with { type: 'json' };
import { fallbackOf } from '../../../web/search/queries.ts';

it.each([
  ['not-configured', /isn't set up/, /尚未设置/],
  ['failed', /service failed/, /出错/],
  ['other-index', /Re-index/, /重新索引/],
] as const)('search fallback explains why only keywords were used: %s', (reason, inEnglish, inChinese) => {
  expect(fallbackOf(reason)).toBe(reason);
  expect(english.keywordOnly[reason]).toMatch(inEnglish);
  expect(chinese.keywordOnly[reason]).toMatch(inChinese);
});

it('search fallback treats an unknown or missing reason as a failure', () => {
  expect([fallbackOf('later'), fallbackOf(null)]).toEqual(['failed', 'failed']);
});
