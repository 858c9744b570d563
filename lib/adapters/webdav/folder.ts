import { forEachConcurrent } from '../../async/for-each-concurrent.ts';
import { UpstreamFailed } from '../../errors.ts';
import { MAX_OBJECTS, type RemoteSource, type SourceChanges } from '../../ports/file-source.ts';
import { fileList, filesOfList, pathOfFile } from '../outbound/listed-files.ts';
import { type ChosenSourceRules, chosenSourceClient, type SourceClient } from '../outbound/source-client.ts';
import { type Resource, readMultistatus, Unlistable } from './multistatus.ts';

export interface WebdavSettings extends ChosenSourceRules {
  url: string;
  user: string;
  password: string;
}

const NAME = 'The WebDAV server';
const DENIED = 'Check the URL, the user name, and the password.';
const FAILED = 'Check that the URL is one of a WebDAV folder, after all redirects.';
/** Levels of folders. A cycle ends there, too. */
const MAX_LEVELS = 30;
const LISTED_AT_ONCE = 4;
const PROPERTIES =
  '<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop><resourcetype/><getetag/><getlastmodified/><getcontentlength/></prop></propfind>';

/**
 * A folder of a WebDAV server (RFC 4918), which is listed folder by folder, because many servers refuse the depth
 * infinity. No redirect is followed: the password goes to the given server only.
 */
export function webdavFolder(settings: WebdavSettings): RemoteSource {
  const client = webdavClient(settings);
  return {
    get requests() {
      return client.requests;
    },
    changes: (_position, { signal }) => listAll(client, signal),
    filesOf: (objects) => filesOfList(objects, (path) => urlOf(client, path).href),
    open: (file, { signal }) => client.pieces({ url: urlOf(client, pathOfFile(file)) }, signal),
  };
}

/** Checks, for a person who waits, that a folder can be listed. Throws UpstreamFailed. */
export async function checkWebdav(settings: WebdavSettings, signal: AbortSignal): Promise<void> {
  await listFolder(webdavClient(settings, 2), [], () => undefined, signal);
}

function webdavClient({ url, user, password, ...rest }: WebdavSettings, maxTries?: number): SourceClient {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const settings = { ...rest, name: NAME, denied: DENIED, failed: FAILED, baseUrl: url };
  return chosenSourceClient({ ...settings, maxTries }, { authorization });
}

/** Returns the URL of a file, or of a folder with an empty last name. Names can contain any character. */
function urlOf(client: SourceClient, path: string[]): URL {
  return client.at(`/${path.map(encodeURIComponent).join('/')}`);
}

async function listAll(client: SourceClient, signal: AbortSignal): Promise<SourceChanges> {
  const files = fileList(NAME);
  let folders = 0;
  let level: string[][] = [[]];
  for (let depth = 0; level.length > 0; depth++) {
    const next: string[][] = [];
    await forEachConcurrent(level, LISTED_AT_ONCE, (folder) =>
      listFolder(
        client,
        folder,
        (path, { isFolder, etag, modified, size }) => {
          if (!isFolder) return files.add({ path, size, version: etag || `${modified} ${size}` });
          if (++folders > MAX_OBJECTS || depth === MAX_LEVELS) throw tooDeep();
          next.push(path);
        },
        signal,
      ),
    );
    level = next;
  }
  return { position: '', isWhole: true, objects: files.objects(), removed: [] };
}

/** Calls a function for each entry of a folder. */
async function listFolder(
  client: SourceClient,
  folder: string[],
  found: (path: string[], resource: Resource) => void,
  signal: AbortSignal,
): Promise<void> {
  const url = urlOf(client, [...folder, '']);
  const own = namesIn(url);
  const body = await client.pieces(
    {
      ...{ url, method: 'PROPFIND', body: PROPERTIES, statuses: [207] },
      headers: { depth: '1', 'content-type': 'application/xml; charset=utf-8' },
    },
    signal,
  );
  try {
    await readMultistatus(body, (resource) => {
      const name = childName(own, namesIn(URL.parse(resource.href, url.href)));
      if (name !== undefined) found([...folder, name], resource);
      else if (!resource.isFolder) throw new Unlistable();
    });
  } catch (error) {
    if (!(error instanceof Unlistable)) throw error;
    const place = folder.length === 0 ? 'the folder' : `the folder ${folder.join('/').slice(0, 200)}`;
    throw new UpstreamFailed(
      'source_failed',
      `${NAME} didn't return a complete list of ${place}, so nothing was removed. Try again later.`,
    );
  }
}

/** Returns the name of an entry; undefined for the folder itself. Anything else is no answer to the question. */
function childName(own: string[], names: string[]): string | undefined {
  const isBelow = own.every((name, level) => name === names[level]);
  if (!isBelow || names.length > own.length + 1) throw new Unlistable();
  return names[own.length];
}

function namesIn(url: URL | null): string[] {
  if (url === null) throw new Unlistable();
  try {
    return url.pathname
      .split('/')
      .filter((name) => name !== '')
      .map(decodeURIComponent);
  } catch {
    throw new Unlistable(); // not UTF-8
  }
}

function tooDeep(): UpstreamFailed {
  return new UpstreamFailed(
    'source_too_large',
    `${NAME} has more than ${MAX_OBJECTS} folders, or more than ${MAX_LEVELS} levels of them.`,
  );
}
