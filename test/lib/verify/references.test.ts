import { Cite } from '@citation-js/core';
import '@citation-js/plugin-bibtex';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { catalogsAt, lists, paperOf, works } from '../../support/catalogs.ts';
import { startCheckRig } from '../../support/draft-checks.ts';
import { type FakePaper, startFakePapers } from '../../support/fakes/fake-papers.ts';

const fake = await startFakePapers();

beforeEach(() => {
  fake.faults = {};
  const papers = works.filter(({ id }) => !id.startsWith('invented')).map(catalogued);
  const onArxiv = papers.filter(({ arxivId }) => arxivId !== undefined);
  fake.papers = {
    ...{
      openalex: papers,
      crossref: papers.filter(({ doi }) => doi !== undefined),
      semantic_scholar: papers,
    },
    ...{ preprint_server: onArxiv, hub_a: onArxiv },
  };
});

function catalogued(work: (typeof works)[number]): FakePaper {
  return { ...paperOf(work), ...(work.id === 'wakefield1998' && { isRetracted: true }) };
}

/** The planted errors: what is changed in an entry, and the state and field that must be found. */
const PLANTED: Record<string, { from?: RegExp; to?: string; found: string }> = {
  invented1: { found: 'not_found' },
  invented2: { found: 'not_found' },
  invented3: { found: 'not_found' },
  goodfellow2014: { from: /2014/g, to: '2016', found: 'differs year' },
  metropolis1953: { from: /1953/g, to: '1955', found: 'differs year' },
  hanahan2011: {
    from: /10\.1016\/j\.cell\.2011\.02\.013/gi,
    to: '10.1038/nature14539',
    found: 'differs doi',
  },
  yarkoni2022: {
    from: /10\.1017\/S0140525X20001685/gi,
    to: '10.1017/S0140525X20009999',
    found: 'differs doi',
  },
  wakefield1998: { found: 'retracted' },
  blei2003: { from: /Latent Dirichlet/gi, to: 'Hidden Dirichlet', found: 'differs title' },
  braun2006: { from: /thematic analysis/gi, to: 'narrative analysis', found: 'differs title' },
};

/** A draft with a list of 60 entries, ten of them with a planted error, and a sentence that cites each. */
function draftIn(style: string): string {
  const own = lists[style] ?? {};
  const entries = works.map(({ id, DOI }, at) => {
    const bare = (own[id] ?? '').replace(/^(?:\[\d+\]|\d+\.)\s*/, '');
    const hasDoi = DOI === undefined || bare.toLowerCase().includes(DOI.toLowerCase());
    const needsDoi = !hasDoi && PLANTED[id]?.found === 'differs doi';
    return `[${at + 1}] ${planted(id, needsDoi ? `${bare} doi:${DOI}` : bare)}`;
  });
  const sentences = works.map((_, at) => `Owls of kind ${at + 1} hunt at night [${at + 1}].`);
  return `# Owls\n\n${sentences.join(' ')}\n\n# References\n\n${entries.join('\n\n')}\n`;
}

function planted(id: string, entry: string): string {
  const { from, to } = PLANTED[id] ?? {};
  return from === undefined || to === undefined ? entry : entry.replace(from, to);
}

function bibtex(): string {
  return works.map(bibtexOf).join('\n');
}

/** The other program writes BibTeX, except Chinese, which it drops. */
function bibtexOf(work: (typeof works)[number]): string {
  const { id, title, author, issued, 'container-title': journal = '' } = work;
  if (!/\p{Script=Han}/u.test(title))
    return new Cite([JSON.parse(planted(id, JSON.stringify(work)))]).format('bibtex') as string;
  const names = author.map(({ literal }) => `{${literal}}`).join(' and ');
  return `@misc{${id}, title = {${title}}, author = {${names}}, year = ${issued['date-parts'][0][0]}, journal = {${journal}}}`;
}

async function check(text: string) {
  const rig = await startCheckRig({ 'owls.md': 'Owls hunt at night.\n' });
  const ports = { ...rig.ports, papers: { ...rig.ports.papers, ...catalogsAt(fake.url) } };
  const { runId } = await rig.begin({ text, references: true });
  while ((await rig.work(ports)) > 0);
  return rig.look(runId);
}

/** The entries that an author has to look at, with what was found. */
function doubtfulIn(references: Awaited<ReturnType<typeof check>>['references'] = []) {
  const doubtful = references.flatMap(({ state, differences }, at) =>
    state === 'found'
      ? []
      : [[works[at]?.id ?? '', [state, ...differences.map(({ field }) => field)].join(' ')]],
  );
  return Object.fromEntries(doubtful) as Record<string, string>;
}

const EXPECTED = Object.fromEntries(Object.entries(PLANTED).map(([id, { found }]) => [id, found]));

describe('the reference list of a draft', () => {
  it.each(['apa', 'ieee', 'vancouver', 'chicago-author-date', 'chicago-note-bibliography', 'nature'])(
    'has ten planted errors, which are all found, and 50 true entries in the style %s',
    async (style) => {
      const { references, status } = await check(draftIn(style));
      expect([status, references?.length]).toEqual(['done', 60]);
      expect(doubtfulIn(references)).toEqual(EXPECTED);
      expect(references?.map(({ citedBy }) => citedBy.length)).toEqual(works.map(() => 1));
    },
  );

  it('is checked as BibTeX, too', async () => {
    const { references } = await check(bibtex());
    expect(references).toHaveLength(60);
    expect(doubtfulIn(references)).toEqual(EXPECTED);
  });
});
