import { expect, it } from '@jest/globals';
import { readUsedFacts } from '../../../web/memories/read-used-facts.ts';

it.each([
  [{ memories: { person: 2, workspace: 1, leftOut: 0 } }, { person: 2, workspace: 1, leftOut: 0 }],
  [{ memories: { person: 0, workspace: 0, leftOut: 3 } }, { person: 0, workspace: 0, leftOut: 3 }],
  [{ memories: { person: '<b>', workspace: 1.5, leftOut: -1 } }, undefined],
  [{ memories: null }, undefined],
  [{}, undefined],
  [undefined, undefined],
])('reads the numbers of facts in %j', (metadata, used) => expect(readUsedFacts(metadata)).toEqual(used));
