import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { openFileSources } from '../../../lib/wiring/file-source.ts';
import { type FakeS3, listBucketResult, startFakeS3 } from '../../support/fakes/fake-s3.ts';
import {
  type FakeWebdav,
  fileEntry,
  folderEntry,
  multistatus,
  startFakeWebdav,
} from '../../support/fakes/fake-webdav.ts';
import { bucketOf, startSourceRig, webdavSource } from '../../support/sources.ts';

type Rig = Awaited<ReturnType<typeof startSourceRig>>;
type Fake = FakeWebdav | FakeS3;

async function tree(rig: Rig): Promise<string[]> {
  const top = join(rig.root, 'sources/Files');
  const entries = await readdir(top, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(top.length + 1))
    .sort();
}

const shown = async (rig: Rig) => (await tree(rig)).filter((path) => !path.startsWith('.trash'));

describe.each<[string, () => Promise<{ fake: Fake; rig: Rig }>]>([
  [
    'webdav',
    async () => {
      const fake = await startFakeWebdav();
      return { fake, rig: await startSourceRig(webdavSource(fake)) };
    },
  ],
  [
    's3',
    async () => {
      const fake = await startFakeS3();
      return { fake, rig: await startSourceRig(bucketOf(fake)) };
    },
  ],
])('a source of kind %s', (kind, open) => {
  let fake: Fake;
  let rig: Rig;
  const put = (path: string, text = path) => fake.files.set(path, Buffer.from(text));
  const gets = () => fake.asked.filter(({ url }) => /^[^?]*\.(?:md|txt)/.test(url)).length;

  beforeEach(async () => {
    ({ fake, rig } = await open());
  });

  it('copies files in their folders, updates, trashes, and restores them, and fetches nothing if nothing is new', async () => {
    for (let owl = 0; owl < 45; owl++) put(`Birds/Night ${owl % 3}/Owl ${owl}.md`);
    put('read me.txt');
    expect(await rig.sync()).toMatchObject({ status: 'success', counts: { added: 46, failed: 0 } });
    expect(await shown(rig)).toHaveLength(46);
    expect(await readFile(join(rig.root, 'sources/Files/Birds/Night 1/Owl 1.md'), 'utf8')).toBe(
      'Birds/Night 1/Owl 1.md',
    );
    const before = gets();
    const quiet = await rig.sync();
    expect(quiet).toMatchObject({ status: 'success', total: 0, requests: kind === 'webdav' ? 5 : 3 });
    expect(gets()).toBe(before);
    put('read me.txt', 'other');
    fake.files.delete('Birds/Night 1/Owl 1.md');
    expect((await rig.sync()).counts).toMatchObject({ updated: 1, trashed: 1, added: 0 });
    expect(await readFile(join(rig.root, 'sources/Files/read me.txt'), 'utf8')).toBe('other');
    put('Birds/Night 1/Owl 1.md');
    const fetched = gets();
    expect((await rig.sync()).counts).toMatchObject({ added: 1 });
    expect(gets()).toBe(fetched);
    expect(await shown(rig)).toHaveLength(46);
  });

  it('removes nothing for an empty list, and for a file that only one of two lists lacks', async () => {
    for (const name of ['a.txt', 'b.txt', 'c.txt']) put(name);
    await rig.sync();
    const all = new Map(fake.files);
    fake.files.clear();
    expect(await rig.sync()).toMatchObject({ status: 'error', error: expect.stringContaining('empty list') });
    for (const [path, bytes] of all) fake.files.set(path, bytes);
    fake.files.delete('b.txt');
    // It is back before the second list.
    let lists = 0;
    fake.answer = () => {
      if (lists++ === 1) put('b.txt');
      return false;
    };
    expect(await rig.sync()).toMatchObject({ status: 'success', counts: { trashed: 0 } });
    expect(await shown(rig)).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });

  it('continues with what was stored when a sync died before it was carried out', async () => {
    put('a.txt');
    await rig.sync();
    put('a.txt', 'other');
    await rig.sync({ dryRun: true });
    expect((await rig.sync()).counts).toMatchObject({ updated: 1 });
  });

  it('gives the same name in other cases, and of a file and a folder, different paths', async () => {
    put('Owl.txt', '1');
    put('owl.TXT', '2');
    put('Birds/a.txt', '3');
    if (kind === 's3') put('birds', '4');
    expect(await rig.sync()).toMatchObject({ counts: { added: kind === 's3' ? 4 : 3, failed: 0 } });
    const paths = await shown(rig);
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
    expect((await rig.sync()).counts).toMatchObject({ conflicts: 0, failed: 0 });
  });

  it.each([
    ['a backslash', 'a\\b\\..\\c.txt', 'a b .. c.txt'],
    ['NUL and line breaks', 'a\0b\n.txt', 'a b.txt'],
    ['characters of URLs', 'a#b?c%2e&d+e.txt', 'a#b c%2e&d+e.txt'],
    ['a hidden name', '.git/config', 'git/config'],
    ['quotes and brackets', `"a" <b> & 'c'.txt`, "a b & 'c'.txt"],
    ['a long name', `${'鳥'.repeat(300)}.txt`, `${'鳥'.repeat(66)}.txt`],
    ['40 levels', `${'a/'.repeat(29)}x.txt`, `${'a/'.repeat(15)}x.txt`],
  ])('stores a file with %s', async (_, name, expected) => {
    put(name, 'text');
    expect(await rig.sync()).toMatchObject({ status: 'success', counts: { added: 1 } });
    expect(await tree(rig)).toEqual([expected]);
  });

  it('neither follows a redirect nor sends it the credentials', async () => {
    const elsewhere = await startFakeWebdav();
    put('a.txt');
    fake.answer = (_, response) => Boolean(response.writeHead(302, { location: elsewhere.url }).end());
    expect(await rig.sync()).toMatchObject({ status: 'error', error: expect.stringContaining('redirects') });
    expect(elsewhere.asked).toEqual([]);
  });

  it('stores no file that is compressed on the way, breaks off, or never ends', async () => {
    put('a.txt');
    await rig.sync();
    put('b.txt', 'announced');
    const answers: Fake['answer'][] = [
      (_, response) => {
        response.writeHead(200, { 'content-length': '9' });
        response.write('anno', () => response.destroy());
        return true;
      },
      (_, response) => {
        const send = () => {
          while (!response.destroyed && response.write(Buffer.alloc(1_000_000)));
          if (!response.destroyed) response.once('drain', send);
        };
        send();
        return true;
      },
    ];
    let at = 0;
    fake.answer = (request, response) =>
      request.url?.includes('b.txt') === true && answers[at]?.(request, response) === true;
    const broken = await rig.sync();
    expect(broken.changes).toEqual([{ path: 'sources/Files/b.txt', action: 'fail', reason: 'unreachable' }]);
    at = 1;
    const endless = await rig.sync();
    expect(endless.changes).toEqual([{ path: 'sources/Files/b.txt', action: 'skip', reason: 'size' }]);
    expect(await shown(rig)).toEqual(['a.txt']);
  });

  it('gives up a file that arrives too slowly, and ends after five of them', async () => {
    for (let owl = 0; owl < 9; owl++) put(`${owl}.txt`);
    fake.answer = ({ url = '' }, response) => {
      if (!url.includes('.txt')) return false;
      response.write('.');
      return true;
    };
    // A sixth of the 3 seconds that are left.
    const run = await rig.sync({ timeMs: 23_000 });
    expect(run).toMatchObject({ status: 'error', error: expect.stringContaining('too long') });
    expect(await shown(rig)).toEqual([]);
  }, 30_000);

  it('is refused at a private address that no administrator allows', async () => {
    const {
      kind: _,
      secret,
      config,
    } = kind === 'webdav' ? webdavSource(fake as FakeWebdav) : bucketOf(fake as FakeS3);
    const proxy = { http: undefined, https: undefined, no: undefined };
    const closed = openFileSources({ zotero: { baseUrl: undefined }, proxy, sourceHosts: [] });
    const settings = { ...config, [kind === 'webdav' ? 'password' : 'secretAccessKey']: secret };
    await expect(closed.connectSource(kind as 's3', settings)).rejects.toMatchObject({
      code: 'invalid_value',
    });
    const source = { ...rig.made, config };
    const { signal } = new AbortController();
    await expect(closed.openFileSource(source, secret).changes(null, { signal })).rejects.toMatchObject({
      message: expect.stringContaining('private address'),
    });
    expect(fake.asked).toEqual([]);
  });
});

describe('a list of WebDAV', () => {
  let fake: FakeWebdav;
  let rig: Rig;

  beforeEach(async () => {
    fake = await startFakeWebdav();
    rig = await startSourceRig(webdavSource(fake));
    fake.files.set('a.txt', Buffer.from('a'));
    await rig.sync();
  });

  const root = folderEntry('/dav/');
  const file = (name: string) => fileEntry(`/dav/${name}`, Buffer.from('x'));

  it.each<[string, string]>([
    ['ends early', multistatus([root, file('a.txt')]).slice(0, -20)],
    [
      'says that it is cut',
      multistatus([
        root,
        '<D:response><D:href>/dav/</D:href><D:status>HTTP/1.1 507 Insufficient Storage</D:status></D:response>',
      ]),
    ],
    ['hides the properties of a file', multistatus([root, file('b.txt').replace('200 OK', '403 Forbidden')])],
    ['has files of another folder', multistatus([root, fileEntry('/etc/passwd', Buffer.from('x'))])],
    ['has a file named ..', multistatus([root, file('b').replace('/dav/b', '/dav/%2e%2e')])],
    ['has a name that is not UTF-8', multistatus([root, file('b').replace('/dav/b', '/dav/%ff')])],
    ['has 1,000 levels of elements', `${'<a>'.repeat(1000)}`],
    ['has 20,000 attributes', `<a ${Array.from({ length: 20_000 }, (_, at) => `a${at}=""`).join(' ')}>`],
    ['is no XML', '{"files": []}'],
    ['expands entities', `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(10)}">]><D:multistatus xmlns:D="DAV:">&b;`],
    ['describes a file instead of a folder', multistatus([fileEntry('/dav', Buffer.from('x'))])],
  ])('that %s changes nothing', async (_, body) => {
    fake.answer = ({ method }, response) =>
      method === 'PROPFIND' && Boolean(response.writeHead(207).end(body));
    expect(await rig.sync()).toMatchObject({
      status: 'error',
      error: expect.stringContaining('complete list'),
    });
    expect(await shown(rig)).toEqual(['a.txt']);
  });

  it('with folders without an end ends', async () => {
    fake.answer = ({ url = '' }, response) =>
      Boolean(response.writeHead(207).end(multistatus([folderEntry(url), folderEntry(`${url}a/`)])));
    const run = await rig.sync();
    expect(run).toMatchObject({ status: 'error', error: expect.stringContaining('levels') });
    expect(run.requests).toBeLessThan(40);
    expect(await shown(rig)).toEqual(['a.txt']);
  });

  it('with more than 50,000 files is refused', async () => {
    const files = Array.from({ length: 50_001 }, (_, at) => file(`${at}.txt`));
    fake.answer = (_, response) => Boolean(response.writeHead(207).end(multistatus([root, ...files])));
    expect(await rig.sync()).toMatchObject({
      status: 'error',
      error: expect.stringContaining('at most 50000'),
    });
    expect(await shown(rig)).toEqual(['a.txt']);
  }, 60_000);

  it('whose folder is forbidden or gone changes nothing', async () => {
    fake.files.set('Birds/b.txt', Buffer.from('b'));
    await rig.sync();
    fake.answer = ({ url }, response) => url === '/dav/Birds/' && Boolean(response.writeHead(403).end());
    expect(await rig.sync()).toMatchObject({ status: 'error' });
    expect(await shown(rig)).toEqual(['Birds/b.txt', 'a.txt']);
  });

  it('without ETags uses the time and the size as the version', async () => {
    const entry = (time: string) =>
      file('b.txt').replace(/<D:getetag>.*<\/D:getetag>/, `<D:getlastmodified>${time}</D:getlastmodified>`);
    let time = 'Mon, 30 Nov 2026 10:00:00 GMT';
    fake.files.set('b.txt', Buffer.from('x'));
    fake.answer = ({ method }, response) =>
      method === 'PROPFIND' &&
      Boolean(response.writeHead(207).end(multistatus([root, file('a.txt'), entry(time)])));
    expect((await rig.sync()).counts).toMatchObject({ added: 1 });
    expect(await rig.sync()).toMatchObject({ total: 0 });
    fake.files.set('b.txt', Buffer.from('y'));
    time = 'Mon, 30 Nov 2026 11:00:00 GMT';
    expect((await rig.sync()).counts).toMatchObject({ updated: 1 });
  });
});

describe('a list of S3', () => {
  let fake: FakeS3;
  let rig: Rig;

  beforeEach(async () => {
    fake = await startFakeS3();
    rig = await startSourceRig(bucketOf(fake));
    fake.files.set('a.txt', Buffer.from('a'));
    await rig.sync();
  });

  const answerLists = (answer: (list: number) => string) => {
    let lists = 0;
    fake.answer = ({ url = '' }, response) =>
      url.includes('list-type') && Boolean(response.end(answer(lists++)));
  };

  it.each<[string, string]>([
    ['ends early', listBucketResult([['a.txt', Buffer.from('a')]]).slice(0, -10)],
    ['does not say where it continues', listBucketResult([], { isTruncated: true })],
    ['does not say whether it is cut', listBucketResult([]).replace(/<IsTruncated>.*<\/IsTruncated>/, '')],
    [
      'has an object without an ETag',
      listBucketResult([['b', Buffer.from('b')]]).replace(/<ETag>.*<\/ETag>/, ''),
    ],
    ['is an error', '<Error><Code>SlowDown</Code></Error>'],
    [
      'has a name that is not UTF-8',
      listBucketResult([['b', Buffer.from('b')]]).replace('<Key>b', '<Key>%ff'),
    ],
  ])('that %s changes nothing', async (_, body) => {
    answerLists(() => body);
    expect(await rig.sync()).toMatchObject({
      status: 'error',
      error: expect.stringContaining('complete list'),
    });
    expect(await shown(rig)).toEqual(['a.txt']);
  });

  it('with pages without an end ends', async () => {
    answerLists((list) => listBucketResult([], { isTruncated: true, next: `p${list}` }));
    const run = await rig.sync();
    expect(run).toMatchObject({ status: 'error', requests: 200, error: expect.stringContaining('pages') });
    expect(await shown(rig)).toEqual(['a.txt']);
  });

  it('leaves out objects whose key has no URL, and folders', async () => {
    for (const key of ['../../x.txt', 'b/./c.txt', 'b/']) fake.files.set(key, Buffer.from('x'));
    const run = await rig.sync();
    expect(run.changes.map(({ action, reason }) => [action, reason])).toEqual([
      ['skip', 'missing'],
      ['skip', 'missing'],
    ]);
    expect(await shown(rig)).toEqual(['a.txt']);
  });
});
