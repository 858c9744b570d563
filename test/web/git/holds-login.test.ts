import { describe, expect, it } from '@jest/globals';
import { holdsLogin } from '../../../web/git/holds-login.ts';

describe('holdsLogin', () => {
  it.each([
    ['https://ann:secret@git.example/owls', true],
    ['https://token@git.example/owls', true],
    ['https://ann:sec', true],
    ['{"url":"https://ann:secret@git.example/owls","folder":null}', true],
    ['https://git.example/owls', false],
    ['https://git.example:8443/owls', false],
    ['{"url":"https://git.example:8443","folder":null}', false],
    ['https://git.example/@owls/feathers', false],
    ['git.example/owls', false],
  ])('returns for %j: %j', (text, holds) => {
    expect(holdsLogin(text)).toBe(holds);
  });
});
