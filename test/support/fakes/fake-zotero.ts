import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { makePdf } from '../samples/pdf.ts';
import { listenHere } from './listen.ts';

// biome-ignore lint/suspicious/noExplicitAny: the fields of an item depend on its type
type Data = Record<string, any>;

interface StoredObject {
  version: number;
  data: Data;
}

export type FakeZotero = Awaited<ReturnType<typeof startFakeZotero>>;

/**
 * Zotero's Web API v3 for one user with one library, as documented: versions, paging, `since`, trashed and deleted
 * objects, and files as redirects to a storage host. Ended after the test file.
 */
export async function startFakeZotero({ storageHost = '' } = {}) {
  const library = makeLibrary();
  const fake = {
    ...library,
    url: '',
    apiKey: 'FakeZoteroKey123',
    userId: 4711,
    /** Requests so far, with the key that each had. */
    asked: [] as { url: string; key: string | undefined }[],
    /** Answers in place of the API, unless it returns false. */
    answer: undefined as ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined,
    /** Headers of every answer. */
    headers: {} as Record<string, string>,
    fileRequests: () => fake.asked.filter(({ url }) => url.includes('/file')).length,
  };
  const server = createServer((request, response) => {
    const key = [request.headers['zotero-api-key']].flat()[0];
    fake.asked.push({ url: request.url ?? '', key });
    if (fake.answer?.(request, response)) return;
    const url = new URL(request.url ?? '', 'http://x');
    const stored = /^\/storage\/(\w+)$/.exec(url.pathname)?.[1];
    if (stored !== undefined) return void response.end(library.files.get(stored));
    if (key !== fake.apiKey) return void response.writeHead(403).end('Invalid key');
    answerApi({ library, url, fake, response, storageHost });
  });
  fake.url = await listenHere(server);
  return fake;
}

function makeLibrary() {
  const items = new Map<string, StoredObject>();
  const collections = new Map<string, StoredObject>();
  const files = new Map<string, Buffer>();
  const deleted: { key: string; version: number; kind: 'items' | 'collections' }[] = [];
  const state = { version: 0 };
  const put = (of: Map<string, StoredObject>, key: string, data: Data) => {
    of.set(key, { version: ++state.version, data: { ...of.get(key)?.data, ...data, key } });
    return key;
  };
  const putItem = (key: string, data: Data) => put(items, key, data);
  return {
    ...{ items, collections, files, deleted, state, putItem },
    putCollection: (key: string, name: string, parentCollection: string | false = false) =>
      put(collections, key, { name, parentCollection }),
    putFile(key: string, data: Data, bytes: Buffer): string {
      files.set(key, bytes);
      const md5 = createHash('md5').update(bytes).digest('hex');
      const fields = { itemType: 'attachment', linkMode: 'imported_file', contentType: 'application/pdf' };
      return putItem(key, { ...fields, md5, ...data });
    },
    putNote: (key: string, parentItem: string, note: string) =>
      putItem(key, { itemType: 'note', parentItem, note, tags: [] }),
    remove(kind: 'items' | 'collections', key: string): void {
      (kind === 'items' ? items : collections).delete(key);
      deleted.push({ key, kind, version: ++state.version });
    },
  };
}

interface Answering {
  library: ReturnType<typeof makeLibrary>;
  url: URL;
  fake: { userId: number; headers: Record<string, string> };
  response: ServerResponse;
  storageHost: string;
}

function answerApi({ library, url, fake, response, storageHost }: Answering): unknown {
  const { items, collections, deleted, files, state } = library;
  const own = `/users/${fake.userId}`;
  const since = Number(url.searchParams.get('since') ?? -1);
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    response
      .writeHead(200, {
        'content-type': 'application/json',
        'last-modified-version': String(state.version),
        ...fake.headers,
        ...headers,
      })
      .end(JSON.stringify(body));
  if (url.pathname === '/keys/current')
    return send({ userID: fake.userId, username: 'ann', access: { user: { library: true, files: true } } });
  if (url.pathname === `${own}/deleted`) {
    const keys = (kind: string) =>
      deleted.filter((one) => one.kind === kind && one.version > since).map(({ key }) => key);
    return send({ items: keys('items'), collections: keys('collections'), searches: [], tags: [] });
  }
  if (url.pathname === `${own}/items` || url.pathname === `${own}/collections`) {
    const isItems = url.pathname.endsWith('/items');
    const withTrash = url.searchParams.get('includeTrashed') === '1';
    const found = [...(isItems ? items : collections)]
      .filter(([, { version, data }]) => version > since && (withTrash || data.deleted !== 1))
      .map(([key, { version, data }]) => ({ key, version, library: {}, links: {}, meta: {}, data }));
    const start = Number(url.searchParams.get('start') ?? 0);
    const limit = Number(url.searchParams.get('limit') ?? 25);
    const next = `<${url.pathname}?start=${start + limit}>; rel="next"`;
    return send(found.slice(start, start + limit), {
      'total-results': String(found.length),
      ...(start + limit < found.length && { link: next }),
    });
  }
  const file = /^\/users\/\d+\/items\/(\w+)\/file$/.exec(url.pathname)?.[1];
  if (file !== undefined && files.has(file))
    return response.writeHead(302, { location: `${storageHost}/storage/${file}` }).end();
  return response.writeHead(404).end('Not found');
}

/** Returns a key as Zotero has them. */
export function zoteroKey(prefix: string, number: number): string {
  return `${prefix}${String(number).padStart(8 - prefix.length, '0')}`;
}

/** Fills a library with items, each with a PDF, in collections of two levels; every fourth also has a note. */
export function fillLibrary(
  fake: Pick<FakeZotero, 'putCollection' | 'putItem' | 'putFile' | 'putNote'>,
  count: number,
) {
  for (let group = 0; group < 5; group++) {
    fake.putCollection(zoteroKey('C', group), `Birds ${group}`);
    fake.putCollection(zoteroKey('D', group), 'Owls', zoteroKey('C', group));
  }
  for (let item = 0; item < count; item++) {
    const collection = zoteroKey(item % 2 === 0 ? 'C' : 'D', item % 5);
    fake.putItem(zoteroKey('P', item), {
      ...{ itemType: 'journalArticle', title: `Nests of owl ${item}`, date: `${1990 + (item % 30)}-05-01` },
      creators: [{ creatorType: 'author', firstName: 'Ann', lastName: `Strix${item}` }],
      ...{ DOI: `10.1000/owl.${item}`, tags: [{ tag: `decade ${item % 3}` }], collections: [collection] },
    });
    const pdf = makePdf([`The owl number ${item} nests in hollow trees.`]);
    fake.putFile(
      zoteroKey('F', item),
      { parentItem: zoteroKey('P', item), filename: `Owl ${item}.pdf` },
      pdf,
    );
    if (item % 4 === 0)
      fake.putNote(
        zoteroKey('N', item),
        zoteroKey('P', item),
        `<h1>Remark ${item}</h1><p>See <b>page</b> 1.</p>`,
      );
  }
}
