import { describe, expect, it } from '@jest/globals';
import { type CitationJudge, isJudged } from '../../../lib/support/judge-setting.ts';

describe('isJudged', () => {
  it.each<[boolean | undefined, CitationJudge | undefined, boolean | undefined, boolean]>([
    [undefined, undefined, undefined, false],
    [undefined, undefined, true, true],
    [undefined, 'off', true, false],
    [undefined, 'on', false, true],
    [undefined, 'on', undefined, true],
    [false, 'on', true, false],
    [true, 'off', false, true],
  ])(
    'follows the request (%s), then the workspace (%s), then the service (%s): %s',
    (wanted, own, service, is) => {
      expect(isJudged(wanted, { citationJudge: own }, { judgesCitations: service })).toBe(is);
    },
  );
});
