import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { undiciWeb } from '../../../lib/adapters/web/fetch.ts';
import { InvalidInput } from '../../../lib/errors.ts';
import { paperReader, type ReadPorts } from '../../../lib/papers/read.ts';
import { paperSearch } from '../../../lib/papers/search.ts';
import type { FoundPaper } from '../../../lib/ports/papers.ts';
import type { Web, WebAnswer, WebRequest } from '../../../lib/ports/web.ts';
import { paperPorts } from '../../support/papers.ts';
import { makePdf } from '../../support/samples/pdf.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const pdf = makePdf(['Owls hunt at night.', 'They rest by day.']);
const PAGES: Record<string, Partial<WebAnswer>> = {
  '/paper.pdf': { bytes: pdf, contentType: 'application/pdf' },
  '/served-wrongly': { bytes: pdf, contentType: 'text/html' },
  '/page': { bytes: Buffer.from('<h1>Owls</h1><p>They hunt.</p>'), contentType: 'text/html; charset=utf-8' },
  '/plain': { bytes: Buffer.from('Owls, in short.'), contentType: 'text/plain' },
  '/gone': { status: 404, contentType: 'text/html' },
  '/broken.pdf': { bytes: Buffer.from('%PDF-1.4 and no more'), contentType: 'application/pdf' },
  '/scan.pdf': { bytes: makePdf(['']), contentType: 'application/pdf' },
  '/picture': { bytes: Buffer.from([0, 1, 2, 3]), contentType: 'image/png' },
};

/** Serves pages by path on every host, and records each request. */
function fakeWeb() {
  const asked: (WebRequest & { url: string; at: number })[] = [];
  const web: Web = {
    async fetchPublic(url, request) {
      asked.push({ ...request, url, at: Date.now() });
      const page = /(^|\.)arxiv\.org$/.test(new URL(url).hostname)
        ? PAGES['/paper.pdf']
        : PAGES[new URL(url).pathname];
      return { url, status: 200, contentType: '', bytes: Buffer.alloc(0), ...page };
    },
  };
  return { web, asked };
}

async function start(more: Partial<ReadPorts> = {}) {
  const { web, asked } = fakeWeb();
  const hosts = ['journal.example'];
  const ports = { ...paperPorts(await tempFolder(), 'http://127.0.0.1:9', 50), web, hosts, ...more };
  return { read: paperReader(ports), asked, ports };
}
const site = 'https://journal.example';

describe('readPaper', () => {
  it.each([
    ['a PDF', { url: `${site}/paper.pdf` }, 'Owls hunt at night.\n\f\nThey rest by day.'],
    [
      'a PDF served as a page',
      { url: `${site}/served-wrongly` },
      'Owls hunt at night.\n\f\nThey rest by day.',
    ],
    ['a page', { url: `${site}/page` }, 'Owls\nThey hunt.'],
    ['a text', { url: `${site}/plain` }, 'Owls, in short.'],
    ['the PDF instead of the page', { url: `${site}/page`, pdfUrl: `${site}/paper.pdf` }, /^Owls hunt/],
    ['the page if the PDF is missing', { url: `${site}/page`, pdfUrl: `${site}/gone` }, 'Owls\nThey hunt.'],
    [
      'the page if the PDF is corrupted',
      { url: `${site}/page`, pdfUrl: `${site}/broken.pdf` },
      'Owls\nThey hunt.',
    ],
  ])('reads %s', async (_what, address, text) => {
    const { read } = await start();
    expect((await read(address)).text).toEqual(typeof text === 'string' ? text : expect.stringMatching(text));
  });

  it.each([
    ['http://arxiv.org/abs/2401.00001v2', undefined, 'https://arxiv.org/pdf/2401.00001'],
    ['https://huggingface.co/papers/2401.00001', undefined, 'https://arxiv.org/pdf/2401.00001'],
    [`${site}/page`, 'https://arxiv.org/pdf/2401.00001.pdf', 'https://arxiv.org/pdf/2401.00001'],
  ])('reads the PDF of arXiv for %s %s', async (url, pdfUrl, read) => {
    const { read: readPaper, asked } = await start();
    expect(await readPaper({ url, pdfUrl })).toEqual({
      url: read,
      text: expect.stringMatching(/^Owls hunt/),
    });
    expect(asked.map((request) => request.url)).toEqual([read]);
  });

  it.each([
    ['a missing paper', { url: `${site}/gone` }, 'journal.example failed with status 404.'],
    ['a corrupted PDF', { url: `${site}/broken.pdf` }, 'The PDF file is incomplete.'],
    ['a PDF of images', { url: `${site}/scan.pdf` }, 'url leads to a paper without text at journal.example.'],
    ['an image', { url: `${site}/picture` }, 'The file is binary, or its text encoding is unknown.'],
    [
      "the PDF if the page isn't better",
      { url: `${site}/picture`, pdfUrl: `${site}/gone` },
      'journal.example failed with status 404.',
    ],
  ])("reports why it can't read %s", async (_what, address, message) => {
    const { read } = await start();
    await expect(read(address)).rejects.toThrow(message);
  });

  it('limits the request rate to arXiv, as searches do, and to no other host', async () => {
    const { read, asked } = await start();
    await Promise.all([1, 2, 3].map((at) => read({ url: `https://arxiv.org/abs/2401.0000${at}` })));
    const [first, second, third] = asked.map(({ at }) => at);
    expect(Math.min((second ?? 0) - (first ?? 0), (third ?? 0) - (second ?? 0))).toBeGreaterThanOrEqual(50);
    expect(asked.every(({ timeoutMs }) => timeoutMs > 0 && timeoutMs <= 30_000)).toBe(true);
  });

  it('limits the request rate to other arXiv pages', async () => {
    const { read, asked } = await start();
    const addresses = ['https://arxiv.org/list/cs.AI/recent', 'https://export.arxiv.org/e-print/2401.00001'];
    await Promise.all(addresses.map((url) => read({ url })));
    const [first, second] = asked.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(50);
  });

  it('downloads a paper once for all its parts, and again after 15 minutes', async () => {
    let now = Date.now();
    const { read, asked } = await start({ clock: { now: () => now } });
    const address = { url: `${site}/page` };
    expect(await read(address)).toEqual(await read(address));
    expect(asked).toHaveLength(1);
    now += 15 * 60_000 + 1;
    await read(address);
    expect(asked).toHaveLength(2);
  });

  it('forgets the papers that were read first', async () => {
    const { read, asked } = await start();
    for (let at = 0; at < 9; at++) await read({ url: `${site}/page?${at}` });
    await read({ url: `${site}/page?8` });
    expect(asked).toHaveLength(9);
    await read({ url: `${site}/page?0` });
    expect(asked).toHaveLength(10);
  });

  it.each([
    ['http://127.0.0.1/paper.pdf', 'must lead to a public address'],
    ['http://169.254.169.254/latest/meta-data/', 'must lead to a public address'],
    ['http://localhost/paper.pdf', 'must lead to a public address'],
    ['https://user:secret@example.org/', "can't contain a user name or password"],
  ])('rejects %s', async (url, message) => {
    const { read } = await start({ web: undiciWeb(), hosts: [new URL(url).hostname] });
    await expect(read({ url })).rejects.toThrow(message);
  });

  it('stops at the maximum size of a paper', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' });
      Readable.from(Array(40).fill(Buffer.alloc(1024 * 1024, '%PDF-'))).pipe(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    whenDone(async () => server.closeAllConnections() ?? server.close());
    const { port } = server.address() as AddressInfo;
    const web = undiciWeb({ ports: [port], isPublic: () => true });
    const { read } = await start({ web, hosts: ['127.0.0.1'] });
    await expect(read({ url: `http://127.0.0.1:${port}/` })).rejects.toThrow('more than 31457280 bytes');
  });

  it('stops when its caller stops', async () => {
    const controller = new AbortController();
    const web: Web = {
      fetchPublic: (_url, { signal }) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('ended')))),
    };
    const { read } = await start({ web });
    const reading = read({ url: `${site}/page` }, { signal: controller.signal });
    reading.catch(() => undefined);
    controller.abort(new Error('stopped'));
    await expect(reading).rejects.toThrow('stopped');
  });
});

/** Serves a site that redirects to `to`, and resolves all its names. Returns the resolved names. */
async function startSites() {
  const server = createServer((request, response) => {
    const to = new URL(request.url ?? '', 'http://x').searchParams.get('to');
    if (to === null) response.setHeader('content-type', 'text/plain').end('Owls, in short.');
    else response.writeHead(302, { location: to }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenDone(async () => server.closeAllConnections() ?? server.close());
  const { port } = server.address() as AddressInfo;
  const resolved: string[] = [];
  const resolve = async (name: string) => {
    resolved.push(name);
    return ['127.0.0.1'];
  };
  const web = undiciWeb({ ports: [port], resolve, isPublic: () => true });
  return { resolved, web, at: (host: string, path = '/') => `http://${host}:${port}${path}` };
}

describe('URL that a model invented', () => {
  it.each(['arxiv.org', 'pmc.ncbi.nlm.nih.gov', 'doi.org', 'journal.example', 'www.journal.example.'])(
    'is read at %s',
    async (host) => {
      const { at, web } = await startSites();
      const { read } = await start({ web });
      expect((await read({ url: at(host, '/owl') })).text).toBe('Owls, in short.');
    },
  );

  it.each([
    'evil.example',
    'evil-arxiv.org',
    'arxiv.org.evil.example',
    'arxiv.org@evil.example',
    'huggingface.co',
  ])('is not even resolved at %s', async (host) => {
    const { at, web, resolved } = await startSites();
    const { read } = await start({ web });
    const reading = read({ url: at(host, '/?what=the-secret') });
    await expect(reading).rejects.toThrow(InvalidInput);
    expect(resolved).toEqual([]);
  });

  it("can't redirect to another site", async () => {
    const { at, web, resolved } = await startSites();
    const { read } = await start({ web });
    const to = encodeURIComponent(at('evil.example', '/?what=the-secret'));
    await expect(read({ url: at('journal.example', `/?to=${to}`) })).rejects.toThrow('PAPER_HOSTS');
    expect(resolved).toEqual(['journal.example']);
  });
});

describe('URL from a search result', () => {
  const article: FoundPaper = {
    ...{ id: '1', title: 'A study of the owl in flight', authors: ['Ada Byron'], abstract: '' },
    ...{ url: '', pdfUrl: null, publishedDate: null, doi: null, arxivId: null },
  };

  it('is read unchanged from any host, with redirects to any other host', async () => {
    const { at, web, resolved } = await startSites();
    const { read, ports } = await start({ web });
    const to = encodeURIComponent(at('publisher.example'));
    const url = at('repository.example', `/?to=${to}`);
    const openCatalog = async () => ({ name: 'S', find: async () => [{ ...article, url }] });
    const search = paperSearch({ ...ports, openCatalog });
    await expect(read({ url })).rejects.toThrow('PAPER_HOSTS');
    expect((await search({ keywords: ['owl'], maxResults: 1 })).articles).toMatchObject([{ url }]);
    expect((await read({ url })).text).toBe('Owls, in short.');
    await expect(read({ url: `${url}&what=the-secret` })).rejects.toThrow('PAPER_HOSTS');
    expect(resolved).toEqual(['repository.example', 'publisher.example']);
  });
});
