import { describe, expect, it } from '@jest/globals';
import { isMostlyChinese } from '../../../lib/notes/chinese.ts';

describe('isMostlyChinese', () => {
  it.each([
    ['猫头鹰在夜间捕猎，视力极佳。', true],
    ['使用 LanceDB 与 DynamoDB 存储索引，检索同时按词语和语义进行，因此结果更稳定 [1]。', true],
    ['The term 猫头鹰 means owl.', false],
    ['フクロウは夜に狩りをする鳥である', false],
    ['', false],
  ])('returns for %s: %p', (text, is) => {
    expect(isMostlyChinese(text)).toBe(is);
  });
});
