import { join } from 'node:path';
import { installOnce } from '../../support/install-once.ts';
import { installPython } from './install.ts';

const VERSION = '1.44.44';

/**
 * Installs AWS's own command line, for the commands of docs/operate. Returns the Python that runs it, as
 * `PYTHON -m awscli`.
 */
export async function installAwsCli(): Promise<string> {
  const folder = await installOnce('awscli', VERSION, (aside) =>
    installPython(aside, '3.12', [`awscli==${VERSION}`]),
  );
  return join(folder, 'bin/python');
}
