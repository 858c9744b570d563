import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { describeLeases } from '../../contract/leases.contract.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describeLeases('SQLite', async (clock) => sqliteRecords(openDatabase(await tempFolder()), clock));
