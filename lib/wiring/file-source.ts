import { type ZoteroSettings, zoteroLibrary, zoteroUser } from '../adapters/zotero/library.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { Config } from '../config.ts';
import { UpstreamFailed } from '../errors.ts';
import type { EditSourcePorts } from '../sources/sources.ts';
import type { SourceWorkPorts } from '../sources/work.ts';

const ZOTERO_URL = 'https://api.zotero.org';
const USER_MS = 20_000;

/** Opens the sources of workspaces' files, through the configured proxies. */
export function openFileSources({
  zotero,
  proxy,
}: Pick<Config, 'zotero' | 'proxy'>): Pick<EditSourcePorts, 'findUser'> &
  Pick<SourceWorkPorts, 'openFileSource'> {
  const settings = (apiKey: string): ZoteroSettings => ({
    ...{ apiKey, proxy, baseUrl: zotero.baseUrl ?? ZOTERO_URL, trusted: zotero.baseUrl !== undefined },
  });
  return {
    async findUser(apiKey) {
      const user = await withTimeout(USER_MS, (signal) => zoteroUser(settings(apiKey), signal));
      if (user !== undefined) return user;
      throw new UpstreamFailed(
        'source_unreachable',
        `Zotero did not answer within ${USER_MS / 1000} s. Try again.`,
      );
    },
    openFileSource: ({ config: { userId, groupId } }, apiKey) =>
      zoteroLibrary(settings(apiKey), groupId === null ? { userId } : { groupId }),
  };
}
