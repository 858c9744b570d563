import { describe, expect, it } from '@jest/globals';
import { listUncited } from '../../../../lib/retrieval/cite/uncited.ts';

async function uncited(answer: string): Promise<string[]> {
  return (await listUncited(answer)).map(({ text }) => text);
}

describe('listUncited', () => {
  it.each<[string, string[]]>([
    ['It opened in 1890. It is old.', ['It opened in 1890.']],
    ['It opened in 1890 [1].', []],
    ['It opened in 1890. [1] It has 34 piers.', ['It has 34 piers.']],
    ['| Name | Length |\n|---|---|\n| Firth | 2467 m |', ['Firth | 2467 m |']],
    ['1. It is old.\n2. It is long.', []],
    ['## The 1890 opening\n\nThere are 3 facts:', []],
    ['# Review 2024\n\nOwls fly.\n\n> # Review 2025', []],
    ['- # Review 2024\n- 1. ## Plan 2025', []],
    ['Review 2024\n===========\n\nPlan 2025\n---------', []],
    ['It opened in 1890.\n---\n\n- 34 piers\n---', ['It opened in 1890.', '34 piers']],
    ['**Review 2024**\n\nOwls fly.\n\n**1. Plan 2025**\n\nIt is old.', []],
    ['**It opened in 1890.**\n\n**34 piers**\n\nIt is old.', ['**It opened in 1890.**', '**34 piers**']],
    ['**In 1890**', ['**In 1890**']],
    ['`PORT=4000` and\n```\nport 4000 of 5\n```', []],
    ['大桥于1890年开通。它很长。', ['大桥于1890年开通。']],
    ['Ann met Bob in Rome.', []],
  ])('returns the uncited sentences of %j', async (answer, expected) => {
    expect(await uncited(answer)).toEqual(expected);
  });

  it('returns at most fifty sentences, and reads only some hundreds', async () => {
    expect(await listUncited('It has 34 piers. '.repeat(1000))).toHaveLength(50);
    expect(await listUncited(`${'It is old. '.repeat(1000)}It has 34 piers.`)).toEqual([]);
  });
});
