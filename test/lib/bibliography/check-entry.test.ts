import { beforeEach, describe, expect, it } from '@jest/globals';
import { checkEntry, openCatalogs } from '../../../lib/bibliography/check-entry.ts';
import { readEntry } from '../../../lib/bibliography/entry.ts';
import { catalogsAt, lists, paperOf, works } from '../../support/catalogs.ts';
import { type FakePaper, startFakePapers } from '../../support/fakes/fake-papers.ts';

const fake = await startFakePapers();
const signal = new AbortController().signal;
const ALL = works.map(paperOf);

beforeEach(() => {
  fake.faults = {};
  fake.otherAgencies = [];
  fake.replaced = {};
  fill(ALL);
});

function fill(papers: FakePaper[]): void {
  const onArxiv = papers.filter(({ arxivId }) => arxivId !== undefined);
  const withDoi = papers.filter(({ doi }) => doi !== undefined);
  fake.papers = {
    openalex: papers,
    crossref: withDoi,
    semantic_scholar: papers,
    preprint_server: onArxiv,
    hub_a: onArxiv,
  };
}

function check(entry: string) {
  return checkEntry(openCatalogs(catalogsAt(fake.url)), readEntry(entry), signal);
}

/** The wrong results for true entries. */
async function wrongIn(entries: string[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const entry of entries) {
    const { state, differences } = await check(entry);
    if (state !== 'found') wrong.push(`${state} ${JSON.stringify(differences)}: ${entry}`);
  }
  return wrong;
}

describe('a true entry', () => {
  it.each(Object.keys(lists))('is found in the style %s', async (style) => {
    expect(await wrongIn(Object.values(lists[style] ?? {}))).toEqual([]);
  });

  it.each(['apa', 'vancouver', 'nature', 'china-national-standard-gb-t-7714-2015-numeric'])(
    'is found in the style %s if only Crossref has it',
    async (style) => {
      fake.papers.openalex = [];
      fake.papers.semantic_scholar = [];
      const own = lists[style] ?? {};
      const known = works.filter(({ DOI }) => DOI !== undefined).flatMap(({ id }) => own[id] ?? []);
      expect(await wrongIn(known)).toEqual([]);
    },
  );
});

const OWLS: FakePaper = {
  ...{ title: 'Night hunting of barn owls in rice fields', authors: ['Jean-Luc García-López', 'Ngữ Đặng'] },
  ...{ published: '2020-01-05T00:00:00Z', online: 2019, printed: 2020 },
  ...{ doi: '10.1000/owls.1', venue: 'Journal of Raptor Research' },
};
const APA =
  'García-López, J.-L., & Đặng, N. (2020). Night hunting of barn owls in rice fields. Journal of Raptor Research, 54(2), 120–131. https://doi.org/10.1000/owls.1';

describe('an entry of one paper', () => {
  beforeEach(() => fill([OWLS]));

  it.each([
    ['as it is', APA],
    ['without accents', APA.replace('García-López', 'Garcia-Lopez').replace('Đặng', 'Dang')],
    ['with a space for the hyphen of a name', APA.replace('García-López', 'Garcia Lopez')],
    ['with et al.', APA.replace(', & Đặng, N.', ', et al.')],
    ['with the year of the online version', APA.replace('(2020)', '(2019)')],
    ['with a letter after the year', APA.replace('(2020)', '(2020b)')],
    ['without a DOI', APA.replace(/ https.*/, '')],
    ['with the DOI of a URL with an ending', `${APA}/full`],
    ['with an abbreviated journal', APA.replace('Journal of Raptor Research', 'J. Raptor Res.')],
    ['with a subtitle', APA.replace('rice fields', 'rice fields: A two-year study')],
    ['in Markdown', APA.replace('Journal of Raptor Research, 54', '*Journal of Raptor Research*, *54*')],
    ['with hyphens for dashes', APA.replace('–', '-')],
    ['in press', APA.replace('(2020)', '(in press)')],
  ])('is found %s', async (_, entry) => {
    expect(await check(entry)).toMatchObject({
      state: 'found',
      record: { doi: '10.1000/owls.1' },
      differences: [],
    });
  });

  it.each([
    ['year', APA.replace('(2020)', '(2018)'), '2018', '2019–2020'],
    [
      'author',
      APA.replace('García-López, J.-L.', 'Smith, J.'),
      'Smith, Đặng',
      'Jean-Luc García-López, Ngữ Đặng',
    ],
    ['title', APA.replace('rice', 'wheat'), 'Night hunting of barn owls in wheat fields', OWLS.title],
    ['doi', APA.replace('owls.1', 'owls.7'), '10.1000/owls.7', '10.1000/owls.1'],
    [
      'venue',
      APA.replace('Journal of Raptor Research', 'Nature Physics'),
      expect.stringContaining('Nature'),
      OWLS.venue,
    ],
  ])('differs by its %s', async (field, entry, own, found) => {
    expect(await check(entry)).toMatchObject({ state: 'differs', differences: [{ field, own, found }] });
  });

  it('is retracted if either catalog knows it', async () => {
    fake.papers.openalex = [{ ...OWLS, isRetracted: true }];
    expect(await check(APA)).toMatchObject({ state: 'retracted' });
    expect(await check(APA.replace(/ https.*/, ''))).toMatchObject({ state: 'retracted' });
    fake.papers.openalex = [];
    fake.papers.crossref = [{ ...OWLS, isRetracted: true }];
    expect(await check(APA)).toMatchObject({ state: 'retracted' });
  });

  it('may have the DOI of its preprint, or of an agency that Crossref only names', async () => {
    fake.papers.openalex = [
      OWLS,
      { ...OWLS, doi: '10.1101/2019.01.01.1', published: '2019-01-01T00:00:00Z' },
    ];
    expect(await check(APA.replace('10.1000/owls.1', '10.1101/2019.01.01.1'))).toMatchObject({
      state: 'found',
    });
    fake.papers.openalex = [OWLS];
    fake.otherAgencies = ['10.5281/zenodo.1'];
    expect(await check(APA.replace('10.1000/owls.1', '10.5281/zenodo.1'))).toMatchObject({ state: 'found' });
  });

  it('may have a DOI that was replaced, to which Crossref redirects, but not one of another paper', async () => {
    fake.papers.openalex = [];
    fake.papers.semantic_scholar = [];
    fake.replaced = { '10.1000/old': '10.1000/owls.1' };
    expect(await check(APA.replace('10.1000/owls.1', '10.1000/old'))).toMatchObject({ state: 'found' });
    const other = 'Miller, K. (2021). Tidal owls and their calendars. Journal of Tides, 1. doi:10.1000/old';
    expect(await check(other)).toMatchObject({ state: 'not_found', differences: [{ field: 'doi' }] });
  });

  it('is not found if its DOI leads to another paper, and no catalog has its title', async () => {
    const entry =
      'Miller, K. (2021). Tidal owls and their calendars. Journal of Tides, 1, 2–3. doi:10.1000/owls.1';
    expect(await check(entry)).toMatchObject({
      ...{ state: 'not_found', differences: [{ field: 'doi', own: '10.1000/owls.1', found: OWLS.title }] },
    });
  });
});

const INVENTED = 'Miller, K. (2021). Tidal owls and their calendars. Journal of Tides, 1, 2–3.';

describe('an entry that no catalog has', () => {
  it('is not found if every catalog answered', async () => {
    expect(await check(INVENTED)).toEqual({ state: 'not_found', unavailable: [], differences: [] });
  });

  it.each(['openalex', 'crossref', 'semantic_scholar', 'preprint_server'] as const)(
    'is not checked if %s does not answer',
    async (catalog) => {
      for (const fault of [500, 429, 403, 'garbage', 'strange'] as const) {
        fake.faults = { [catalog]: [fault] };
        expect(await check(INVENTED)).toMatchObject({
          ...{ state: 'not_checked', reason: 'catalog_unavailable', unavailable: [catalog] },
        });
      }
    },
  );

  it('is not checked without a network', async () => {
    const catalogs = openCatalogs(catalogsAt('http://127.0.0.1:9'));
    expect(await checkEntry(catalogs, readEntry(INVENTED), signal)).toMatchObject({ state: 'not_checked' });
  });

  it.each([
    [
      'a web page',
      'outside_catalogs',
      'Owl Trust. Owls of the city. https://owls.example.org/city (accessed 2021).',
    ],
    [
      'a book',
      'outside_catalogs',
      'Miller, K. (2021). Owls of the tides. Night Press. ISBN 978-3-16-148410-0.',
    ],
    ['an unreadable text', 'unreadable', '…'],
  ])('is not checked if it is %s', async (_, reason, entry) => {
    expect(await check(entry)).toMatchObject({ state: 'not_checked', reason });
  });

  it('is not asked again at a catalog that failed twice', async () => {
    fake.faults = { semantic_scholar: [500] };
    const catalogs = openCatalogs(catalogsAt(fake.url));
    fake.requests.length = 0;
    for (let at = 0; at < 5; at++)
      expect(await checkEntry(catalogs, readEntry(INVENTED), signal)).toMatchObject({ state: 'not_checked' });
    expect(fake.requests.filter(({ source }) => source === 'semantic_scholar')).toHaveLength(2);
  });
});

describe('an entry in Chinese', () => {
  it('is found by its DOI, though the record is in English', async () => {
    fill([
      {
        ...OWLS,
        title: 'A survey of knowledge graphs',
        authors: ['Ming Li', 'Wei Zhang'],
        venue: 'Chinese Journal of Computers',
      },
    ]);
    const entry = '李明, 张伟. 知识图谱研究综述[J]. 计算机学报, 2020, 42(3): 1-20. DOI:10.1000/owls.1.';
    expect(await check(entry)).toMatchObject({ state: 'found', differences: [] });
  });
});
