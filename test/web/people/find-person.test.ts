import { describe, expect, it } from '@jest/globals';
import { hintOf, likeTyped, losing, matchPerson } from '../../../web/people/find-person.ts';

const person = (id: string, name: string | null, more: object = {}) => ({
  ...{ id, name, email: null, state: 'active' as const, kind: 'token' as const },
  ...{ reaches: true, isGlobalAdmin: false },
  ...more,
});
const BO = person('01a209db-e818-7000-8000-00000000b0b0', 'bo');
const OLD = person('01a209db-e818-7000-8000-0000000001d0', 'bo', { state: 'revoked' });
const ANN = person('a-1', 'Ann Lee', { email: 'ann@example.org', kind: 'user' });
const ANN_TOO = person('a-2', 'ann lee', { kind: 'user' });

describe('matchPerson', () => {
  it.each([
    ['a name in any case', ' BO ', BO],
    ['an email address', 'ann@example.org', ANN],
    ['an ID, also of an expired token', OLD.id, OLD],
  ])('finds a person by %s', (_by, typed, found) => {
    expect(matchPerson([OLD, BO, ANN, ANN_TOO], typed)).toEqual({ is: 'one', person: found });
  });

  it('distinguishes an ambiguous name from an unknown name', () => {
    expect(matchPerson([ANN, ANN_TOO], 'Ann Lee')).toEqual({ is: 'several' });
    expect(matchPerson([BO], 'b')).toEqual({ is: 'none' });
    expect(matchPerson([person('x', null)], '')).toEqual({ is: 'none' });
  });

  it('finds an expired token if no other token has its name', () => {
    expect(matchPerson([OLD], 'bo')).toEqual({ is: 'one', person: OLD });
  });
});

it('likeTyped offers matching people, active people first', () => {
  expect(likeTyped([OLD, BO, ANN], 'bo', 8)).toEqual([BO, OLD]);
  expect(likeTyped([BO, ANN_TOO, ANN], 'LEE', 1)).toHaveLength(1);
});

it('hintOf distinguishes two people with the same name', () => {
  expect([ANN, ANN_TOO, BO].map(hintOf)).toEqual(['ann@example.org', 'a-2', '…0000b0b0']);
});

describe('losing', () => {
  const lead = person('lead', 'lead', { isGlobalAdmin: true });
  const far = person('far', 'far', { reaches: false });

  it('names people whom the first entry excludes', () => {
    expect(losing([lead, far, BO, ANN], { subject: BO.id })).toEqual([ANN]);
  });

  it('omits users whom the group may contain', () => {
    expect(losing([lead, far, BO, ANN], { group: 'owls' })).toEqual([BO]);
  });
});
