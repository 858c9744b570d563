import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../../lib/adapters/sqlite/records.ts';
import { workspaceAt } from '../../../../lib/bots/work/directory.ts';
import { systemClock } from '../../../../lib/ports/clock.ts';
import { ADMIN } from '../../../support/tasks.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

describe('workspace of a root', () => {
  it('differs by its name from the workspace of another root, even of a newer root', async () => {
    const records = sqliteRecords(openDatabase(await tempFolder()));
    const roots = [await tempFolder(), await tempFolder()];
    const nameOfCheck = async (root = '', workspaceRoots = roots) =>
      (await workspaceAt({ records, clock: systemClock, workspaceRoots }, ADMIN, root)).name;
    expect(await nameOfCheck(roots[0], roots.slice(0, 1))).toBe('All workspaces');
    expect(await Promise.all(roots.map((root) => nameOfCheck(root)))).toEqual(
      roots.map((root) => `All workspaces of ${root}`),
    );
  });
});
