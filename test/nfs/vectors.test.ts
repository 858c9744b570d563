import { lancedbVectors } from '../../lib/adapters/lancedb/vectors.ts';
import { describeVectors } from '../contract/vectors.contract.ts';
import { sharedFolder } from './hosts.ts';

const { first, second } = await sharedFolder();
const hosts = [first, second];

describeVectors('LanceDB on NFS', async () => lancedbVectors(hosts.shift() ?? second));
