import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { describeMemories } from '../../contract/memories.contract.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describeMemories('SQLite', async (clock) => sqliteRecords(openDatabase(await tempFolder()), clock));
