import { describe, expect, it } from '@jest/globals';
import { contentDisposition } from '../../../lib/http/content-disposition.ts';

describe('contentDisposition', () => {
  it.each([
    ['owls.md', `attachment; filename="owls.md"; filename*=UTF-8''owls.md`],
    ['straße-kühl.md', `attachment; filename="stra_e-kuhl.md"; filename*=UTF-8''stra%C3%9Fe-k%C3%BChl.md`],
    ['什么.md', `attachment; filename="__.md"; filename*=UTF-8''%E4%BB%80%E4%B9%88.md`],
    [`a"b\\c%'(x).md`, `attachment; filename="a_b_c_'(x).md"; filename*=UTF-8''a%22b%5Cc%25%27%28x%29.md`],
  ])('%s', (name, header) => {
    expect(contentDisposition(name)).toBe(header);
    expect(header).toMatch(/^[\x20-\x7e]*$/);
  });
});
