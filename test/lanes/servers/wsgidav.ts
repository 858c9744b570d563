import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../../infra/free-port.ts';
import { installOnce } from '../../support/install-once.ts';
import { installPython } from './install.ts';
import { type Server, startProcess, temporaryFolder } from './process.ts';

const VERSION = '4.4.0';
const CHEROOT = '11.1.2';

/** Starts WsgiDAV, a WebDAV server, with an empty folder for the user of test/support/source-places.ts. */
export async function startWsgidav(): Promise<Server & { folder: string }> {
  const program = await installOnce('wsgidav', VERSION, (aside) =>
    installPython(aside, '3.12', [`wsgidav==${VERSION}`, `cheroot==${CHEROOT}`]),
  );
  const temporary = await temporaryFolder('wsgidav');
  const [port, folder] = [await findFreePort(), join(temporary.path, 'files')];
  await mkdir(folder);
  const config = join(temporary.path, 'wsgidav.json');
  await writeFile(
    config,
    JSON.stringify({
      ...{ host: '127.0.0.1', port, server: 'cheroot', verbose: 1 },
      provider_mapping: { '/': folder },
      http_authenticator: { accept_basic: true, accept_digest: false, default_to_digest: false },
      simple_dc: { user_mapping: { '*': { ann: { password: 'owl secret' } } } },
    }),
  );
  const url = `http://127.0.0.1:${port}`;
  const { stop } = await startProcess({
    name: 'WsgiDAV',
    file: join(program, 'bin/python'),
    args: ['-m', 'wsgidav.server.server_cli', '--config', config],
    ...{ healthUrl: url, healthStatus: 401 },
  });
  return { url, folder, stop: () => stop().finally(temporary.remove) };
}
