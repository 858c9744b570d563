import { describe, expect, it } from '@jest/globals';
import { tokenUser } from '../../../web/access/token-user.ts';

const jwt = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

describe('tokenUser', () => {
  it.each([
    ['the name', { sub: 'u1', name: 'Đan ÿ Öwl', preferred_username: 'dan' }, 'Đan ÿ Öwl'],
    ['the user name', { sub: 'u1', name: ' ', preferred_username: 'dan' }, 'dan'],
    ['the email address', { sub: 'u1', email: 'dan@example.org' }, 'dan@example.org'],
    ['the subject', { sub: 'u1', name: ['x'] }, 'u1'],
    ['200 characters of a long name', { sub: 'u1', name: 'x'.repeat(999) }, 'x'.repeat(200)],
  ])('returns %s', (_which, claims, name) => {
    expect(tokenUser(jwt(claims))).toEqual({ id: 'u1', name });
  });

  it.each(['', 'wrs_abc', 'a.b.c', jwt(null), jwt('sub'), jwt({ name: 'Dan' }), jwt({ sub: 7 })])(
    'returns no user of %s',
    (token) => {
      expect(tokenUser(token)).toBeUndefined();
    },
  );
});
