import { expect, it } from '@jest/globals';
import { pathInRoot } from '../../../web/workspaces/path-in-root.ts';

it.each([
  ['papers', '/srv/papers'],
  [' team/papers ', '/srv/team/papers'],
  ['/home/me/code', '/home/me/code'],
  ['~/code', '~/code'],
  ['~', '~'],
  ['"/home/me/code"', '"/home/me/code"'],
  ["'~/code'", "'~/code'"],
  ['C:\\code', 'C:\\code'],
  ['file:///home/me', 'file:///home/me'],
])('pathInRoot joins %j with the root only if it is relative', (folder, path) => {
  expect(pathInRoot('/srv', folder)).toBe(path);
});

it('pathInRoot leaves a relative path to the service if the roots are unknown', () => {
  expect(pathInRoot(undefined, 'papers')).toBe('papers');
});
