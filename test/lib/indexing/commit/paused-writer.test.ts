import { describePausedWriter } from '../../../contract/paused-writer.contract.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

describePausedWriter('on a local disk', async () => {
  const folder = await tempFolder();
  return { paused: folder, other: folder };
});
