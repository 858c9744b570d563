import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Research } from '../../lib/research/request-schema.ts';
import type { Source } from '../../lib/research/schema.ts';
import { type FakePaper, paperEnv, startFakePapers } from '../support/fakes/fake-papers.ts';
import { startPaperHost } from '../support/fakes/paper-host.ts';
import { makePdf } from '../support/samples/pdf.ts';

const HOST = 'papers.example.org';

interface TopicPapers {
  onArxiv: FakePaper;
  /** A PDF in OpenAlex, or a page in Semantic Scholar. */
  elsewhere: FakePaper;
  /** A paper that both reference. */
  cited: FakePaper;
}

function papersOf(topic: string, at: number): TopicPapers {
  const year = 2010 + at;
  const about = {
    published: `${year}-03-04T00:00:00Z`,
    authors: ['Jane Smith', 'Bob Miller'],
    abstract: `What is known of ${topic}.`,
  };
  const doi = (name: string) => `10.5555/${topic}.${name}`;
  return {
    onArxiv: { ...about, title: `A theory of ${topic}`, arxivId: `2401.0001${at}` },
    elsewhere: {
      ...{ ...about, title: `A survey of ${topic}`, doi: doi('survey') },
      pdfUrl: `https://${HOST}/survey-${topic}.${at % 2 === 0 ? 'pdf' : 'html'}`,
    },
    cited: {
      ...{ ...about, title: `The origin of ${topic}`, doi: doi('origin') },
      pdfUrl: `https://${HOST}/origin-${topic}.pdf`,
    },
  };
}

function addressOf({ arxivId, pdfUrl = '' }: FakePaper): string {
  return arxivId === undefined ? pdfUrl : `https://arxiv.org/pdf/${arxivId}`;
}

/**
 * Papers of the four sources on each topic, each with its own text. The referenced papers are in no search.
 */
export async function startPapers(topics: string[]) {
  const all = topics.map(papersOf);
  const fake = await startFakePapers({
    preprint_server: all.map(({ onArxiv }) => onArxiv),
    hub_a: all.map(({ onArxiv }) => onArxiv),
    semantic_scholar: all.filter((_, at) => at % 2 === 1).map(({ elsewhere }) => elsewhere),
    openalex: all.filter((_, at) => at % 2 === 0).map(({ elsewhere }) => elsewhere),
  });
  const host = await startPaperHost(['arxiv.org', HOST]);
  for (const { onArxiv, elsewhere, cited } of all) {
    fake.references[`ARXIV:${onArxiv.arxivId}`] = [cited];
    fake.references[`DOI:${elsewhere.doi}`] = [cited];
    for (const paper of [onArxiv, elsewhere, cited]) host.files.set(addressOf(paper), textOf(paper));
  }
  const origins = new Set(all.map(({ cited }) => cited.doi));
  const addresses = new Map(
    all
      .flatMap((papers) => Object.values(papers))
      .map((paper) => [paper.arxivId ?? paper.doi, addressOf(paper)]),
  );
  /** Stored papers at each kill, and the number of requests. */
  const kills: { kept: Set<string>; asked: number }[] = [];

  async function keptIn(root: string): Promise<Set<string>> {
    const sources = await keptSources(join(root, 'sources/papers'));
    return new Set(sources.map(({ arxivId, doi }) => addresses.get(arxivId ?? doi) ?? ''));
  }

  async function noteKill(root: string): Promise<void> {
    kills.push({ asked: host.asked.length, kept: await keptIn(root) });
  }

  /** Returns the final state of the papers. */
  async function count(root: string, { evidence, sections }: Research) {
    const used = new Set(
      sections.flatMap(({ paragraphs }) => paragraphs.flat().flatMap((one) => one.evidence)),
    );
    const cited = evidence.filter(({ id, source }) => used.has(id) && source.kind === 'paper');
    const again = kills.flatMap(({ kept, asked }) => host.asked.slice(asked).filter((one) => kept.has(one)));
    return {
      searches: fake.requests.length,
      fetches: host.asked.length,
      papers: new Set(host.asked).size,
      kept: (await keptIn(root)).size,
      fetchedThoughKept: again.length,
      cited: new Set(cited.map(({ path }) => path)).size,
      citedReferences: new Set(cited.flatMap(({ source: { doi } }) => (origins.has(doi) ? [doi] : []))).size,
    };
  }
  return { environment: { ...paperEnv(fake), ...host.environment }, noteKill, count };
}

function textOf({ title, pdfUrl = '' }: FakePaper): { contentType: string; bytes: Buffer } {
  const topic = title.split(' ').at(-1);
  const says = `${title} says how ${topic} are read, written and used in ${title.length} ways.`;
  if (pdfUrl.endsWith('.html')) {
    const page = `<!doctype html><title>${title}</title><h1>${title}</h1><p>${says}</p>`;
    return { contentType: 'text/html; charset=utf-8', bytes: Buffer.from(page) };
  }
  return { contentType: 'application/pdf', bytes: makePdf([says, `More of ${topic}.`]) };
}

async function keptSources(folder: string): Promise<Source[]> {
  const names = await readdir(folder).catch(() => []);
  const metadata = names.filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(metadata.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.map((text) => (JSON.parse(text) as { custom: { source: Source } }).custom.source);
}
