import type { ChosenSourceRules } from '../adapters/outbound/source-client.ts';
import { bucketSource, checkBucket } from '../adapters/s3/bucket-source.ts';
import { checkWebdav, webdavFolder } from '../adapters/webdav/folder.ts';
import { type ZoteroSettings, zoteroLibrary, zoteroUser } from '../adapters/zotero/library.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { Config } from '../config.ts';
import { InvalidInput, UpstreamFailed } from '../errors.ts';
import {
  SECRET_SETTINGS,
  type ShownSettings,
  type SourceKind,
  type SourceSettings,
  sourceSettings,
} from '../sources/schema.ts';
import type { EditSourcePorts } from '../sources/sources.ts';
import type { SourceWorkPorts } from '../sources/work.ts';

const ZOTERO_URL = 'https://api.zotero.org';
const CHECK_MS = 20_000;

type SourceConfig = Pick<Config, 'zotero' | 'proxy' | 'sourceHosts'>;

/** Opens the sources of workspaces' files, through the configured proxies. */
export function openFileSources({
  zotero,
  proxy,
  sourceHosts,
}: SourceConfig): Pick<EditSourcePorts, 'connectSource'> & Pick<SourceWorkPorts, 'openFileSource'> {
  const rules: ChosenSourceRules = { proxy, mayBePrivate: ({ host }) => sourceHosts.includes(host) };
  const zoteroSettings = (apiKey: string): ZoteroSettings => ({
    ...{ apiKey, proxy, baseUrl: zotero.baseUrl ?? ZOTERO_URL, trusted: zotero.baseUrl !== undefined },
  });
  async function connect(
    kind: SourceKind,
    given: SourceSettings,
    signal: AbortSignal,
  ): Promise<ShownSettings> {
    if (kind === 'zotero') {
      const { apiKey, groupId = null } = sourceSettings.zotero.parse(given);
      return { ...(await zoteroUser(zoteroSettings(apiKey), signal)), groupId };
    }
    if (kind === 'webdav') {
      const settings = sourceSettings.webdav.parse(given);
      requireGuarded('url', settings.url, sourceHosts);
      await checkWebdav({ ...rules, ...settings }, signal);
      const { password: _, ...shown } = settings;
      return shown;
    }
    const settings = sourceSettings.s3.parse(given);
    if (settings.endpoint !== undefined) requireGuarded('endpoint', settings.endpoint, sourceHosts);
    await checkBucket({ ...rules, ...settings }, signal);
    const { secretAccessKey: _, ...shown } = settings;
    return shown;
  }
  return {
    async connectSource(kind, given) {
      const connected = await withTimeout(CHECK_MS, (signal) => connect(kind, given, signal));
      if (connected !== undefined) return connected;
      throw new UpstreamFailed(
        'source_unreachable',
        `The source did not answer within ${CHECK_MS / 1000} s. Try again.`,
      );
    },
    openFileSource({ kind, config }, secret) {
      const all = { ...config, [SECRET_SETTINGS[kind].secret]: secret };
      if (kind === 'webdav') return webdavFolder({ ...rules, ...sourceSettings.webdav.parse(all) });
      if (kind === 's3') return bucketSource({ ...rules, ...sourceSettings.s3.parse(all) });
      const { groupId, userId = 0 } = config;
      return zoteroLibrary(zoteroSettings(secret), groupId == null ? { userId } : { groupId });
    },
  };
}

/** Credentials and files are sent in plain text only to hosts that an administrator listed. */
function requireGuarded(field: string, url: string, hosts: string[]): void {
  const { protocol, host } = new URL(url);
  if (protocol !== 'https:' && !hosts.includes(host))
    throw new InvalidInput(
      'invalid_value',
      `config.${field} must begin with https, unless an administrator lists ${host} in SOURCE_PRIVATE_HOSTS.`,
      { field: `config.${field}` },
    );
}
