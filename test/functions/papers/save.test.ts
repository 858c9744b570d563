import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Activity } from '../../../lib/activity/schema.ts';
import type { FoundPapers } from '../../../lib/ports/papers.ts';
import type { SavedPaper } from '../../../lib/research/paper-schema.ts';
import { type FakePaper, paperEnv, startFakePapers } from '../../support/fakes/fake-papers.ts';
import { startPaperHost } from '../../support/fakes/paper-host.ts';
import { makePdf } from '../../support/samples/pdf.ts';
import { startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const HOST = 'papers.example.org';
const PDF = 'application/pdf';
/** Each is one paper: its title, and the content of its PDF URL. */
const host = await startPaperHost([HOST]);
let made = 0;

function paper(
  fields: Partial<FakePaper> & { at?: string } = {},
  bytes?: Buffer,
  contentType = PDF,
): FakePaper {
  made += 1;
  const { at = `https://${HOST}/${made}.pdf`, ...more } = fields;
  const says = `Owls of kind ${made} hunt at night.`;
  host.files.set(at, { contentType, bytes: bytes ?? makePdf([says]) });
  const own = { title: `The owl, part ${made}`, abstract: 'Owls.', authors: ['Ada Byron'], isOpen: true };
  return { ...own, doi: `10.5555/owl.${made}`, published: '2024-01-05T00:00:00Z', pdfUrl: at, ...more };
}

const owl = paper({ title: 'The \u202eowl\u2066 at <b>night</b>/../x', license: 'cc-by' });
const [twice, changed, linked] = [paper(), paper(), paper()];
const closed = paper({ isOpen: false });
const gone = paper({ at: `https://${HOST}/gone.pdf` });
host.files.delete(`https://${HOST}/gone.pdf`);
const page = paper({}, Buffer.from('<h1>Owls</h1><p>They hunt.</p>'), 'text/html');
const broken = paper({}, Buffer.from('%PDF-1.4 and no more'));
const large = paper({}, Buffer.alloc(31 * 1024 * 1024, '%PDF-1.4 '));
const inside = paper({ at: 'http://127.0.0.1/owl.pdf' });
const papers = [owl, twice, changed, linked, closed, gone, page, broken, large, inside];

const fake = await startFakePapers({ openalex: papers });
const service = await startService({ ...paperEnv(fake), ...host.environment });
const { id, root } = await makeWorkspace(service);
const { body: found } = await service.call<FoundPapers>('POST', '/api/paper-study/search', {
  ...{ keywords: ['owl'], maxResults: 30, sources: ['openalex'] },
});

function keep(body: unknown, workspaceId = id) {
  return service.call<SavedPaper & { error: string }>('POST', `/api/workspaces/${workspaceId}/papers`, body);
}

function list(workspaceId: string) {
  return service.call<SavedPaper[]>('GET', `/api/workspaces/${workspaceId}/papers`);
}

const folder = join(root, 'sources/papers');
const names = async () => (await readdir(folder).catch(() => [])).sort();

describe('POST /api/workspaces/{workspaceId}/papers', () => {
  it('saves the PDF with its metadata, indexes it, and saves it only once', async () => {
    const own = await makeWorkspace(service);
    const { status, body } = await keep({ pdfUrl: owl.pdfUrl }, own.id);
    expect([status, body]).toEqual([
      201,
      {
        path: expect.stringMatching(/^sources\/papers\/the-owl-at-night-x-[0-9a-f]{8}\.pdf$/),
        ...{
          title: expect.stringContaining('owl'),
          authors: ['Ada Byron'],
          url: found.articles[0]?.url,
          doi: owl.doi,
        },
        ...{ arxivId: null, publishedDate: '2024-01-05', license: 'cc-by', isPdf: true, isWhole: true },
        retrievedAt: expect.stringMatching(/Z$/),
      },
    ]);
    const kept = await readFile(join(own.root, body.path));
    expect(kept.equals(host.files.get(owl.pdfUrl ?? '')?.bytes ?? Buffer.alloc(0))).toBe(true);
    const metadata = JSON.parse(await readFile(join(own.root, body.path.replace('.pdf', '.json')), 'utf8'));
    expect(metadata).toMatchObject({
      DOI: owl.doi,
      note: 'License: cc-by',
      custom: { file: body.path.split('/')[2] },
    });
    const asked = host.asked.length;
    expect(await keep({ pdfUrl: owl.pdfUrl }, own.id)).toMatchObject({ status: 200, body });
    expect(host.asked).toHaveLength(asked);
    expect((await list(own.id)).body).toEqual([body]);
    await eventually(
      async () =>
        (await service.call<{ path: string }[]>('GET', `/api/workspaces/${own.id}/files?state=indexed`)).body,
      (files) => files.some(({ path }) => path === body.path),
    );
    const { body: activities } = await service.call<Activity[]>('GET', `/api/workspaces/${own.id}/activity`);
    expect(activities.map(({ summary }) => summary)).toEqual([`Saved the paper ${body.path}`]);
  });

  it('downloads a paper once for two concurrent callers', async () => {
    const answers = await Promise.all([keep({ pdfUrl: twice.pdfUrl }), keep({ pdfUrl: twice.pdfUrl })]);
    expect(new Set(answers.map(({ body }) => body.path)).size).toBe(1);
    expect(host.asked.filter((url) => url === twice.pdfUrl)).toHaveLength(1);
  });

  it('overwrites no file that a user has changed', async () => {
    const { body: first } = await keep({ pdfUrl: changed.pdfUrl });
    await writeFile(join(root, first.path), 'with notes of mine');
    await writeFile(join(root, first.path.replace('.pdf', '.json')), '{"mine":true}');
    const { status, body } = await keep({ pdfUrl: changed.pdfUrl });
    expect([status, body.path]).toEqual([201, expect.not.stringMatching(first.path)]);
    expect(await readFile(join(root, first.path), 'utf8')).toBe('with notes of mine');
  });

  it('follows no link out of the workspace', async () => {
    const [other, outside] = [await makeWorkspace(service), await tempFolder()];
    await symlink(outside, join(other.root, 'sources'));
    const { status } = await keep({ pdfUrl: linked.pdfUrl }, other.id);
    expect([status, await readdir(outside)]).toEqual([400, []]);
    expect((await list(other.id)).body).toEqual([]);
  });

  it.each([
    ['a URL that no search returned', 404, () => ({ pdfUrl: 'https://arxiv.org/pdf/2401.00001' }), 'search'],
    ["a paper's page, which isn't a PDF", 404, () => ({ pdfUrl: found.articles[0]?.url }), 'search'],
    [
      'a closed paper',
      409,
      () => ({ pdfUrl: closed.pdfUrl }),
      "This paper isn't open access, so its PDF can't be downloaded.",
    ],
    ['a missing PDF', 502, () => ({ pdfUrl: gone.pdfUrl }), `${HOST} failed with status 404.`],
    ['a page instead of a PDF', 502, () => ({ pdfUrl: page.pdfUrl }), `${HOST} returned no PDF.`],
    ['an unreadable PDF', 400, () => ({ pdfUrl: broken.pdfUrl }), 'The PDF file is incomplete.'],
    ['more than 30 MB', 502, () => ({ pdfUrl: large.pdfUrl }), 'returned more than 31457280 bytes'],
    ['a PDF at a private address', 400, () => ({ pdfUrl: inside.pdfUrl }), 'must lead to a public address'],
    ['no URL', 400, () => ({}), 'pdfUrl'],
    ['an invalid URL', 400, () => ({ pdfUrl: 'owls' }), 'pdfUrl'],
    ['a file URL', 400, () => ({ pdfUrl: 'file:///etc/passwd' }), 'pdfUrl'],
    ['a long URL', 400, () => ({ pdfUrl: `https://${HOST}/${'x'.repeat(2000)}` }), 'pdfUrl'],
    ['another field', 400, () => ({ pdfUrl: owl.pdfUrl, isOpen: true }), 'isOpen'],
  ])('rejects %s', async (_what, status, body, reason) => {
    const before = await names();
    const answer = await keep(body());
    expect([answer.status, answer.body.error]).toEqual([status, expect.stringContaining(reason)]);
    expect(await names()).toEqual(before);
    expect(host.asked).not.toContain(closed.pdfUrl); // only open-access papers
  });
});

describe('GET /api/workspaces/{workspaceId}/papers', () => {
  it('limits text that members wrote into the metadata, and omits broken files', async () => {
    const { id: otherId, root: other } = await makeWorkspace(service);
    const { path } = (await keep({ pdfUrl: linked.pdfUrl }, otherId)).body;
    const file = join(other, path.replace('.pdf', '.json'));
    const metadata = JSON.parse(await readFile(file, 'utf8'));
    const source = { ...metadata.custom.source, title: 'x'.repeat(9000), authors: Array(100).fill('A') };
    await writeFile(file, JSON.stringify({ ...metadata, custom: { ...metadata.custom, source } }));
    await writeFile(join(other, 'sources/papers/broken.json'), '{');
    await writeFile(
      join(other, 'sources/papers/large.json'),
      JSON.stringify({ ...metadata, x: 'x'.repeat(300_000) }),
    );
    const { status, body } = await list(otherId);
    expect([status, body.map(({ title, authors }) => [title.length, authors.length])]).toEqual([
      200,
      [[500, 10]],
    ]);
  });

  it('returns an empty list before the first saved paper', async () => {
    expect(await list((await makeWorkspace(service)).id)).toMatchObject({ status: 200, body: [] });
  });
});
