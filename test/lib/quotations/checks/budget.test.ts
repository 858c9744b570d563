import { expect, it } from '@jest/globals';
import { readWithin, startBudget } from '../../../../lib/quotations/checks/budget.ts';
import type { SourcePorts } from '../../../../lib/retrieval/cite/sources.ts';
import type { Workspace } from '../../../../lib/workspaces/schema.ts';

it('checkCitations returns unknown for a file that is still being read when the time is used up', async () => {
  let asked = 0;
  const wait = () => {
    asked += 1;
    return new Promise(() => {});
  };
  const never = new Proxy({}, { get: () => wait });
  const ports = { records: never, objects: never } as SourcePorts;
  const budget = { ...startBudget('w'), msLeft: () => 20 };
  const file = await readWithin(budget, ports, { id: 'w', rootPath: '/' } as Workspace, 'owls.md');
  expect(file).toEqual({ state: 'unknown' });
  expect(asked).toBe(1);
});
