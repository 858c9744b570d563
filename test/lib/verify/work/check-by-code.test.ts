import { expect, it } from '@jest/globals';
import type { Candidate, NamedFinding } from '../../../../lib/verify/work/candidate.ts';
import { checkByCode } from '../../../../lib/verify/work/check-by-code.ts';

const CLAIM = 'Owls hunt at night.';

function quote(path: string, fields: Partial<Candidate> = {}): Candidate {
  const citation = { index: 1, path, startLine: 1, endLine: 1, quote: CLAIM } as Candidate['citation'];
  const around = { before: '', quote: CLAIM, after: '' } as unknown as Candidate['around'];
  return {
    ...{ citation, around, coverage: 1, isSame: false, isAbout: true, sharesMore: false },
    ...{ support: 'unjudged', findings: [], ...fields },
  };
}
const same = quote('a.md', { isSame: true });
const otherwise = quote('b.md', { support: 'contradicted', findings: [{ rule: 'negation', own: 'not' }] });
const source = (fields: Partial<NamedFinding>): NamedFinding => ({
  ...{ label: 'Smith', path: 'c.md', candidates: [], ...fields },
});
const against = source({ candidates: [otherwise] });

it.each<[string, Candidate[], NamedFinding | undefined, string, string[]]>([
  ['no similar quote', [], undefined, 'none', ['no_quote']],
  ['a quote that contradicts it', [quote('a.md'), otherwise], source({}), 'contradicted', ['negation']],
  ['the same sentence', [otherwise, same], undefined, 'full', ['same_sentence', 'other_place_otherwise']],
  ['a named source that contradicts it', [same], against, 'contradicted', ['source_otherwise', 'negation']],
  ['a named source that lacks it', [same], source({}), 'partial', ['source_lacks', 'same_sentence']],
  ['the named source itself', [same], source({ path: 'a.md' }), 'full', ['same_sentence']],
  ['all quotes together', [quote('a.md')], undefined, 'unjudged', ['not_judged']],
])('checkByCode decides by %s', (_, candidates, named, support, rules) => {
  const { findings, ...verdict } = checkByCode({ claim: CLAIM, before: '', candidates, named, unlisted: [] });
  expect([verdict.support, findings.map(({ rule }) => rule)]).toEqual([support, rules]);
});

it("checkByCode limits a verdict if the named source isn't a file, but still reports contradictions in the files", () => {
  const named = source({ path: undefined });
  const check = (candidates: Candidate[]) =>
    checkByCode({ claim: CLAIM, before: '', candidates, named, unlisted: [] });
  expect(check([same]).support).toBe('partial');
  expect(check([same]).findings.map(({ rule }) => rule)).toContain('source_absent');
  expect(check([otherwise]).findings.map(({ rule }) => rule)).not.toContain('source_absent');
});
