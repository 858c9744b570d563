import { expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { prepareRules, readPermissions } from '../../../lib/permissions/store.ts';
import type { Records } from '../../../lib/ports/records.ts';
import { createWorkspace } from '../../../lib/workspaces/registry.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const caller: Caller = { id: 'local', role: 'admin', workspaceIds: null };

/** Records that end the call at its nth write, as if the process was killed. */
function endingAt(records: Records, nth: number): Records {
  let writes = 0;
  const put: Records['put'] = (...how) => {
    writes += 1;
    return writes === nth ? Promise.reject(new Error('killed')) : records.put(...how);
  };
  return { ...records, put };
}

it('a workspace with first rules never exists without them, wherever the call is killed', async () => {
  let killed = 0;
  for (let nth = 1; ; nth++) {
    const root = await tempFolder();
    const whole = sqliteRecords(openDatabase(await tempFolder()));
    const create = (records: Records) => {
      const ports = {
        records,
        clock: { now: () => Date.now() },
        workspaceRoots: [root],
        selfApproval: async () => undefined,
      };
      const prepare = prepareRules(ports, caller, { ask: 'changes' });
      return createWorkspace(ports, caller, { path: `${root}/a`, prepare });
    };
    const requireRules = async () => {
      const { items } = await workspaces.list(whole, { partition: 'WORKSPACE' });
      for (const { id } of items) {
        const ports = { records: whole, selfApproval: async () => undefined };
        const { rules } = await readPermissions(ports, id);
        expect(rules.map(({ tool, action }) => `${action} ${tool}`)).toEqual(['ask writeFile', 'ask bash']);
      }
      return items.length;
    };
    const first = await create(endingAt(whole, nth)).catch((error: Error) => error.message);
    await requireRules();
    await create(whole);
    expect(await requireRules()).toBe(1);
    if (first !== 'killed') break;
    killed += 1;
  }
  expect(killed).toBeGreaterThanOrEqual(4);
});
