import { expect, it } from '@jest/globals';
import groups from '../../infra/scripts.json' with { type: 'json' };
import packageJson from '../../package.json' with { type: 'json' };

it('npm run help describes each script', () => {
  const told = Object.values(groups).flatMap((scripts) => Object.keys(scripts));
  expect(told.toSorted()).toEqual(Object.keys(packageJson.scripts).toSorted());
});
