import { describe, expect, it } from '@jest/globals';
import { UpstreamFailed } from '../../../lib/errors.ts';
import type { Web, WebAnswer } from '../../../lib/ports/web.ts';
import type { WebSearch } from '../../../lib/ports/web-search.ts';
import { findPages } from '../../../lib/web-search/find-pages.ts';

const signal = new AbortController().signal;
const clock = { now: () => Date.parse('2026-11-30T12:00:00.000Z') };

function portsFor(pages: Record<string, Partial<WebAnswer> | Error>) {
  const asked: string[] = [];
  const webSearch: WebSearch = {
    ...{ name: 'Fake', host: 'search.example' },
    search: async () => Object.keys(pages).map((url) => ({ url, title: `Title of ${url}` })),
  };
  const web: Web = {
    async fetchPublic(url) {
      asked.push(url);
      const page = pages[url];
      if (page instanceof Error) throw page;
      return { url, status: 200, contentType: 'text/html', bytes: Buffer.alloc(0), ...page };
    },
  };
  return { webSearch, web, clock, asked };
}

const html = (text: string, more: Partial<WebAnswer> = {}) => ({
  bytes: Buffer.from(`<p>${text}</p>`),
  ...more,
});

describe('findPages', () => {
  it('ranks passages by their words, a rare one before common ones', async () => {
    const ports = portsFor({
      'https://a.example/': html('Birds eat in the wood.'),
      'https://b.example/': html('Birds of the wood: capercaillie.'),
      'https://c.example/': html('Nothing to see.'),
    });
    const { ranking, pages } = await findPages(ports, 'capercaillie birds', { signal });
    expect(pages).toHaveLength(3);
    expect(ranking.passages.map(({ text }) => text)).toEqual([
      'Birds of the wood: capercaillie.',
      'Birds eat in the wood.',
    ]);
  });

  it('lists the pages that failed, and reads the others', async () => {
    const ports = portsFor({
      'https://gone.example/': { status: 404 },
      'https://down.example/': new UpstreamFailed('host_unreachable', "Can't reach down.example."),
      'https://pdf.example/': { contentType: 'application/pdf', bytes: Buffer.from('%PDF-1.4') },
      'https://lie.example/': { bytes: Buffer.from('%PDF-1.4 owls') },
      'https://binary.example/': { contentType: 'text/plain', bytes: Buffer.from([0, 1, 2, 255, 0]) },
    });
    const { pages, failed, ranking } = await findPages(ports, 'owls', { signal });
    expect([pages, ranking.passages]).toEqual([[], []]);
    expect(failed.map(({ reason }) => reason).sort()).toEqual([
      "Can't reach down.example.",
      'The file is binary, or its text encoding is unknown.',
      'gone.example returned status 404.',
      'lie.example returned neither HTML nor text.',
      'pdf.example returned neither HTML nor text.',
    ]);
  });

  it('counts two URLs that lead to the same page once', async () => {
    const same = html('Owls hunt.', { url: 'https://owls.example/final' });
    const ports = portsFor({ 'https://a.example/': same, 'https://b.example/': same });
    const { pages, ranking } = await findPages(ports, 'owls', { signal });
    expect(pages.map(({ finalUrl }) => finalUrl)).toEqual(['https://owls.example/final']);
    expect(ranking.passages).toHaveLength(1);
  });

  it('reads at most five pages', async () => {
    const pages = Array.from(
      { length: 9 },
      (_, at) => [`https://a.example/${at}`, html('Owls hunt.')] as const,
    );
    const ports = portsFor(Object.fromEntries(pages));
    await findPages(ports, 'owls', { signal });
    expect(ports.asked).toHaveLength(5);
  });

  it('stops with the reason of its signal', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const ports = portsFor({ 'https://a.example/': html('Owls.') });
    ports.web.fetchPublic = async () => {
      stop.abort(reason);
      throw reason;
    };
    await expect(findPages(ports, 'owls', { signal: stop.signal })).rejects.toBe(reason);
  });
});
