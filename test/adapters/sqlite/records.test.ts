import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { describeRecords } from '../../contract/records.contract.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describeRecords('SQLite', async (clock) => sqliteRecords(openDatabase(await tempFolder()), clock));
