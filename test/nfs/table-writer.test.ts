import { describePausedWriter } from '../contract/paused-writer.contract.ts';
import { sharedFolder } from './hosts.ts';

describePausedWriter('on two hosts with NFS', async () => {
  const { first, second } = await sharedFolder();
  return { paused: first, other: second };
});
