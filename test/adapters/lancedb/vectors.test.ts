import { lancedbVectors } from '../../../lib/adapters/lancedb/vectors.ts';
import { describeVectors } from '../../contract/vectors.contract.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = await tempFolder();

describeVectors('LanceDB', async () => lancedbVectors(folder));
