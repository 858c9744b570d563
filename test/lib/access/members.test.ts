import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import {
  callerIn,
  type Member,
  membersSchema,
  requireStillAdmin,
  roleIn,
} from '../../../lib/access/members.ts';
import type { Role } from '../../../lib/api-contract/roles.ts';
import { Forbidden, InvalidInput } from '../../../lib/errors.ts';

const ann = (role: Role, groups: string[] = [], workspaceIds: string[] | null = null): Caller => ({
  ...{ id: 'ann', role, workspaceIds, groups },
});
const subject = (name: string, role: Member['role']): Member => ({ subject: name, role });
const group = (name: string, role: Member['role']): Member => ({ group: name, role });

const ROWS: [string, Caller, Member[] | undefined, Role | undefined][] = [
  ['a caller without a member list: role as everywhere', ann('member'), undefined, 'member'],
  ['a caller with an empty list: role as everywhere', ann('viewer'), [], 'viewer'],
  [
    "a caller who isn't on the list",
    ann('member', ['a']),
    [subject('bob', 'admin'), group('b', 'admin')],
    undefined,
  ],
  ['a caller listed by ID', ann('member'), [subject('ann', 'member')], 'member'],
  ['a caller listed with a lower role', ann('member'), [subject('ann', 'viewer')], 'viewer'],
  ['a caller listed with a higher role', ann('viewer'), [subject('ann', 'admin')], 'viewer'],
  ['a member of a listed group', ann('member', ['x', 'b']), [group('b', 'viewer')], 'viewer'],
  [
    'a member of several groups: the highest role',
    ann('member', ['a', 'b']),
    [group('a', 'viewer'), group('b', 'member')],
    'member',
  ],
  [
    'a caller listed by ID and by group: the ID first',
    ann('member', ['a']),
    [group('a', 'member'), subject('ann', 'viewer')],
    'viewer',
  ],
  ['a group with the name of a caller', ann('member', ['bob']), [subject('bob', 'member')], undefined],
  ['a caller with the name of a group', ann('member'), [group('ann', 'member')], undefined],
  [
    'a caller with another spelling',
    ann('member', ['Team', 'team ', 'te\u0301am']),
    [group('team', 'member'), group('t\u00e9am', 'member')],
    undefined,
  ],
  [
    'callers with unusual names',
    ann('member', ['a,b"]\\ #{}*']),
    [group('a,b"]\\ #{}*', 'member')],
    'member',
  ],
  ['a global administrator', ann('admin'), [subject('bob', 'viewer')], 'admin'],
  ['an administrator of only this workspace', ann('admin', [], ['w']), [subject('bob', 'viewer')], undefined],
  ['a member of another workspace', ann('member', [], ['v']), [subject('ann', 'member')], undefined],
];

describe('permissions of a caller in a workspace', () => {
  it.each(ROWS)('are right for %s', (_what, caller, members, role) => {
    expect(roleIn(caller, { id: 'w', members })).toBe(role);
  });

  it('are empty in a root if a folder in it has a member list that excludes the caller', () => {
    const below = (members: Member[]) => ({ id: 'w', inner: [{ id: 'v', members }] });
    expect(roleIn(ann('member'), below([subject('ann', 'member')]))).toBe('member');
    expect(roleIn(ann('member'), below([subject('ann', 'viewer')]))).toBeUndefined();
    expect(roleIn(ann('viewer', [], ['w']), below([subject('bob', 'member')]))).toBeUndefined();
    expect(roleIn(ann('admin'), below([subject('bob', 'member')]))).toBe('admin');
  });

  it('are computed quickly for ten thousand groups', () => {
    const groups = Array.from({ length: 10_000 }, (_, index) => `g${index}`);
    const members = Array.from({ length: 200 }, (_, index) => group(`g${index + 9_900}`, 'viewer'));
    expect(roleIn(ann('member', groups), { id: 'w', members })).toBe('viewer');
  });

  it('are compared with the required role', () => {
    const place = { id: 'w', members: [subject('ann', 'viewer')] };
    expect(callerIn({ ...ann('member'), needs: 'viewer' }, place).role).toBe('viewer');
    expect(() => callerIn({ ...ann('member'), needs: 'member' }, place)).toThrow(Forbidden);
    expect(() => callerIn(ann('member'), { id: 'w', members: [subject('bob', 'viewer')] })).toThrow(
      Forbidden,
    );
  });
});

describe('member list', () => {
  it.each([
    ['a subject and a group', [{ subject: 'a', group: 'b', role: 'viewer' }]],
    ['neither', [{ role: 'viewer' }]],
    ['an unknown role', [{ subject: 'a', role: 'owner' }]],
    ['an unknown field', [{ subject: 'a', role: 'viewer', until: 1 }]],
    ['a name with control characters', [{ subject: 'a\u0000', role: 'viewer' }]],
    ['an unpaired surrogate', [{ group: '\ud800', role: 'viewer' }]],
    ['a duplicate entry', [subject('a', 'viewer'), subject('a', 'admin')]],
    ['too many entries', Array.from({ length: 201 }, (_, index) => subject(`s${index}`, 'viewer'))],
  ])('is rejected with %s', (_what, members) => {
    expect(membersSchema.safeParse(members).success).toBe(false);
  });

  it('can be saved only by a caller who can change it again', () => {
    const mine = ann('admin', ['a'], ['w']);
    expect(() => requireStillAdmin(mine, { id: 'w', members: [subject('bob', 'admin')] })).toThrow(
      InvalidInput,
    );
    expect(() => requireStillAdmin(mine, { id: 'w', members: [group('a', 'member')] })).toThrow(InvalidInput);
    for (const members of [[], [group('a', 'admin')], [subject('ann', 'admin')]])
      expect(() => requireStillAdmin(mine, { id: 'w', members })).not.toThrow();
    expect(() =>
      requireStillAdmin(ann('admin'), { id: 'w', members: [subject('bob', 'viewer')] }),
    ).not.toThrow();
  });
});
