import { describe, expect, it } from '@jest/globals';
import { requireState } from '../../../lib/datasets/steps/transitions.ts';
import {
  cellText,
  DATASET_ACTIONS,
  type DatasetAction,
  patternsOf,
  repoIdOf,
} from '../../../web/datasets/states.ts';

const ALL: DatasetAction[] = ['pause', 'retry', 'cancel', 'refresh'];

describe('DATASET_ACTIONS', () => {
  it.each(Object.entries(DATASET_ACTIONS))(
    'of one that is %s are those that the service allows',
    (status, actions) => {
      const isAllowed = (action: DatasetAction) => {
        try {
          requireState({ status } as Parameters<typeof requireState>[0], action);
          return true;
        } catch {
          return false;
        }
      };
      expect([...actions].sort()).toEqual(ALL.filter(isAllowed).sort());
    },
  );
});

describe('patternsOf', () => {
  it('takes a line for one, and nothing for all', () => {
    expect(patternsOf(' *.csv \n\n data/* ')).toEqual(['*.csv', 'data/*']);
    expect(patternsOf(' \n ')).toBeUndefined();
  });
});

describe('repoIdOf', () => {
  it.each([
    ['owner/name', 'owner/name'],
    [' https://hub.example/datasets/owner/name/tree/main ', 'owner/name'],
    ['https://hub.example/owner/name', 'owner/name'],
    ['name', 'name'],
  ])('reads %j as %j', (text, id) => {
    expect(repoIdOf(text)).toBe(id);
  });
});

describe('cellText', () => {
  it('makes a text of every value, and of a long one its beginning', () => {
    expect([null, undefined, 0, false, 'a', { b: [1] }].map(cellText)).toEqual([
      '',
      '',
      '0',
      'false',
      'a',
      '{"b":[1]}',
    ]);
    expect(cellText('x'.repeat(10_000))).toHaveLength(501);
  });
});
