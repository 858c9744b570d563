import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { describeConversations } from '../../contract/conversations.contract.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describeConversations('SQLite', async (clock) => sqliteRecords(openDatabase(await tempFolder()), clock));
