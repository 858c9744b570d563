import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import type { Member } from '../../../lib/access/members.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { newId } from '../../../lib/identifiers.ts';
import type { Records } from '../../../lib/ports/records.ts';
import { putMembers } from '../../../lib/workspaces/members.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const database = openDatabase(await tempFolder());
whenDone(async () => database.close());
const records = sqliteRecords(database);
const ROOT: Caller = { id: 'root', role: 'admin', workspaceIds: null };
const WITHOUT_ANN: Member[] = [{ subject: 'bob', role: 'admin' }];
const OF_ANN: Member[] = [{ subject: 'ann', role: 'admin' }];

/** Ann is the only administrator, as one of her current requests found her. */
async function start(): Promise<{ id: string; ann: Caller }> {
  const id = newId();
  const createdAt = new Date().toISOString();
  await workspaces.create(records, { id, name: 'owls', rootPath: `/owls/${id}`, createdAt, members: OF_ANN });
  return { id, ann: { id: 'ann', role: 'admin', workspaceIds: [id] } };
}

const put = (store: Records, caller: Caller, id: string, members: Member[]) =>
  putMembers(store, caller, id, { members, ifMatch: undefined });
const listOf = async (id: string) => (await workspaces.get(records, { id }))?.members;

describe('a list of members without If-Match', () => {
  it("can't be restored by an administrator who was removed from it before", async () => {
    const { id, ann } = await start();
    await put(records, ROOT, id, WITHOUT_ANN);
    await expect(put(records, ann, id, OF_ANN)).rejects.toThrow(
      'no longer an administrator of this workspace',
    );
    expect(await listOf(id)).toEqual(WITHOUT_ANN);
  });

  it("can't be restored by an administrator who is removed from it between their read and their write", async () => {
    const { id, ann } = await start();
    const late: Records = {
      ...records,
      async update(...change) {
        if ((await listOf(id))?.[0]?.subject === 'ann') await put(records, ROOT, id, WITHOUT_ANN);
        return records.update(...change);
      },
    };
    await expect(put(late, ann, id, OF_ANN)).rejects.toThrow('no longer an administrator of this workspace');
    expect(await listOf(id)).toEqual(WITHOUT_ANN);
  });

  it('can be restored by its current administrators, and by administrators of all workspaces', async () => {
    const { id, ann } = await start();
    const both = [...OF_ANN, ...WITHOUT_ANN];
    await put(records, ann, id, both);
    expect(await listOf(id)).toEqual(both);
    await put(records, ROOT, id, []);
    expect(await listOf(id)).toEqual([]);
  });
});
