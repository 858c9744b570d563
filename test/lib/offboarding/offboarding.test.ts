import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { describeOffboarding } from '../../contract/offboarding.contract.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describeOffboarding('SQLite', async (clock) => sqliteRecords(openDatabase(await tempFolder()), clock));
