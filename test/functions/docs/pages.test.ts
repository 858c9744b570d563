import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { startService } from '../../support/service.ts';

const root = resolve(import.meta.dirname, '../../..');
const service = await startService();
const pages = globSync('docs/**/*.md', { cwd: root })
  .map((file) => file.replace(/^docs\//, '').replace(/\.md$/, ''))
  .sort();

async function get(url: string): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(url, { redirect: 'manual' });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** Returns the URLs on this service that a served page links to. */
function targetsOf(url: string, html: string): string[] {
  const hrefs = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, href = '']) => href);
  const urls = hrefs.filter((href) => !href.startsWith('data:')).map((href) => new URL(href, url));
  return urls.filter(({ origin }) => origin === new URL(url).origin).map(({ href }) => href);
}

describe('GET /api/docs/pages/…', () => {
  const start = `${service.url}/api/docs/pages`;

  it('serves every page of docs as HTML without scripts', async () => {
    expect(pages).toContain('guides/ocr');
    for (const page of pages) {
      const { status, text, headers } = await get(`${start}/${page}`);
      expect([page, status]).toEqual([page, 200]);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'/);
      expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
    }
  });

  it('serves pages without broken links and anchors', async () => {
    const served = new Map<string, { status: number; text: string }>();
    const read = async (url: string) => {
      const answer = served.get(url) ?? (await get(url));
      served.set(url, answer);
      return answer;
    };
    const broken: string[] = [];
    for (const page of pages) {
      const url = `${start}/${page}`;
      for (const target of targetsOf(url, (await read(url)).text)) {
        const [address = '', heading] = target.split('#');
        const { status, text } = await read(address);
        const isThere = heading === undefined || text.includes(`id="${decodeURIComponent(heading)}"`);
        if (status !== 200 || !isThere) broken.push(`${page} → ${target}`);
      }
    }
    expect(served.size).toBeGreaterThan(pages.length);
    expect(broken).toEqual([]);
  });

  it.each([
    ['', '/README'],
    ['/', '/README'],
    ['/README.md', '/README'],
    ['/guides', '/guides/README'],
    ['/guides/', '/guides/README'],
    ['/guides/ocr.md', '/guides/ocr'],
  ])('redirects from %j to the page %j', async (folder, page) => {
    const { status, headers } = await get(`${start}${folder}`);
    expect(status).toBe(302);
    expect(new URL(headers.get('location') ?? '', `${start}${folder}`).href).toBe(`${start}${page}`);
  });

  it('shows code and placeholders as text', async () => {
    const { text } = await get(`${start}/get-started/install`);
    expect(text).toContain('git clone &lt;URL of this repository&gt; workspace-research');
  });

  it('shows a diagram with its title, its description, and its source', async () => {
    const { text } = await get(`${start}/architecture/indexing`);
    expect(text).toContain(
      '<strong>Diagram: States of a sync.</strong> A workspace is idle until its first sync.',
    );
    expect(text).toContain('<pre class="mermaid"><code>stateDiagram-v2\n  [*] --&gt; idle: never synced');
  });

  it.each(['/api/none', '/api/docs/pages/none', '/api/workspaces/none/members/none'])(
    'contains the row of the error code to which %s links',
    async (path) => {
      const { headers } = await get(`${service.url}${path}`);
      const [, target = ''] = /^<(.+)>; rel="help"$/.exec(headers.get('link') ?? '') ?? [];
      const { pathname, hash } = new URL(target, `${service.url}${path}`);
      expect([pathname, hash]).toEqual([
        '/api/docs/pages/reference/errors',
        `#${headers.get('x-error-code')}`,
      ]);
      expect((await get(`${service.url}${pathname}`)).text).toContain(`<a id="${hash.slice(1)}"></a>`);
    },
  );

  it.each(['guides/none', 'none', 'none/', 'none.md', '..%2F..%2Fpackage', 'guides/..%2F..%2Fopenapi'])(
    'returns 404 for %s',
    async (page) => {
      expect((await get(`${start}/${page}`)).status).toBe(404);
    },
  );

  it('returns 304 to a browser that has the page', async () => {
    const { headers } = await get(`${start}/README`);
    const again = await fetch(`${start}/README`, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });
});

describe('docs search', () => {
  const search = (q: string) => get(`${service.url}/api/docs/pages/search?q=${encodeURIComponent(q)}`);
  const foundIn = (html: string) => [...html.matchAll(/<li><a href="([^"]+)">/g)].map(([, href]) => href);

  it.each([
    ['zotero', 'guides/papers#zotero-and-bibliographies'],
    ['nginx', 'deploy/reverse-proxy#nginx'],
    ['budget_used_up', 'reference/errors#all-codes'],
    ['idempotency-key', 'reference/api-conventions#retries'],
    ['重新索引', 'style#chinese'],
  ])('finds %s in %s', async (query, page) => {
    const { status, text } = await search(query);
    expect(status).toBe(200);
    expect(foundIn(text)).toContain(page);
  });

  it('shows the query as text, and reports an empty result', async () => {
    const { text } = await search('<b onclick=x> nowhere"');
    expect(text).toContain('<q>&lt;b onclick=x&gt; nowhere&quot;</q>');
    expect(text).toContain('No page has all these words.');
    expect((await get(`${service.url}/api/docs/pages/search`)).text).toContain('Enter a word');
  });

  it('is at the top of every page, next to a list of related pages', async () => {
    const { text } = await get(`${service.url}/api/docs/pages/guides/ocr`);
    expect(text).toContain('<form role="search" action="../../pages/search">');
    expect(text).toContain('<a href="../../pages/guides/ocr" aria-current="page">');
    expect(text).toContain('<a href="../../pages/guides/agent">Agent</a>');
  });
});

describe('DOCS_URL', () => {
  it('redirects readers to the same page there', async () => {
    const elsewhere = await startService({ DOCS_URL: 'https://docs.example.org/wrs/' });
    const { status, headers } = await get(`${elsewhere.url}/api/docs/pages/guides/feishu`);
    expect(status).toBe(302);
    expect(headers.get('location')).toBe('https://docs.example.org/wrs/guides/feishu');
    expect((await get(`${elsewhere.url}/api/docs/pages/guides/none`)).status).toBe(404);
    const search = await get(`${elsewhere.url}/api/docs/pages/search?q=owls`);
    expect(search.headers.get('location')).toBe('https://docs.example.org/wrs/README');
  });
});
