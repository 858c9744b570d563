import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PaperCatalog } from '../../../lib/api-contract/paper-sources.ts';
import type { PaperLookUp } from '../../../lib/ports/papers.ts';
import { catalogsAt } from '../../support/catalogs.ts';
import { type FakePaper, startFakePapers } from '../../support/fakes/fake-papers.ts';

const fake = await startFakePapers();
const { lookUp } = catalogsAt(fake.url);

const OWL: FakePaper = {
  ...{ title: 'On owls & their prey', published: '2020-01-31T23:59:30Z', arxivId: '2001.00001' },
  ...{ doi: '10.1000/(owl)1;2-3', authors: ['Ada Byron'], venue: 'Journal of Owls' },
};
const HAWK: FakePaper = { title: 'Hawks by day', published: null, doi: '10.1000/hawk' };

beforeEach(() => {
  fake.faults = {};
  const papers = [HAWK, OWL];
  fake.papers = {
    ...{ openalex: papers, crossref: papers, semantic_scholar: papers, preprint_server: [OWL], hub_a: [OWL] },
  };
});

const BY_DOI = { doi: '10.1000/(owl)1;2-3' };
const BY_TITLE = {
  title: 'On owls & their prey',
  reference: 'Byron, A. (2020). On owls & their prey. J. Owls.',
};

describe('lookUp', () => {
  it.each<[PaperCatalog, PaperLookUp]>([
    ['openalex', BY_DOI],
    ['crossref', BY_DOI],
    ['semantic_scholar', BY_DOI],
    ['preprint_server', { arxivId: '2001.00001' }],
    ['semantic_scholar', { arxivId: '2001.00001' }],
    ['openalex', BY_TITLE],
    ['crossref', BY_TITLE],
    ['semantic_scholar', BY_TITLE],
    ['preprint_server', BY_TITLE],
    ['hub_a', BY_TITLE],
  ])('finds a paper at %s by %j', async (catalog, wanted) => {
    const [paper] = await lookUp(catalog, wanted);
    expect(paper).toMatchObject({ title: OWL.title, authors: OWL.authors });
    if (catalog !== 'hub_a') expect(paper?.details).toMatchObject({ years: [2020], isRetracted: false });
  });

  it.each<[PaperCatalog, PaperLookUp]>([
    ['openalex', { doi: '10.1000/none' }],
    ['crossref', { doi: '10.1000/none' }],
    ['semantic_scholar', { doi: '10.1000/../none' }],
    ['preprint_server', { arxivId: '9901.00009' }],
  ])('finds nothing at %s for %j', async (catalog, wanted) => {
    expect(await lookUp(catalog, wanted)).toEqual([]);
  });

  it('reads the dates, titles, and retraction of Crossref', async () => {
    fake.papers.crossref = [{ ...OWL, subtitle: 'A survey', online: 2019, printed: 2021, isRetracted: true }];
    expect((await lookUp('crossref', BY_DOI))[0]?.details).toEqual({
      ...{
        titles: ['On owls & their prey: A survey'],
        years: [2020, 2021, 2019],
        venues: ['Journal of Owls'],
      },
      isRetracted: true,
    });
  });

  it('does not take a refusal, or a DOI of another agency, for a missing paper', async () => {
    fake.otherAgencies = ['10.5281/zenodo.1'];
    await expect(lookUp('crossref', { doi: '10.5281/zenodo.1' })).rejects.toThrow('other agencies');
    fake.faults = { crossref: [403], semantic_scholar: [401] };
    await expect(lookUp('crossref', BY_DOI)).rejects.toThrow('Crossref refused the request');
    await expect(lookUp('semantic_scholar', BY_DOI)).rejects.toThrow('Semantic Scholar refused the request');
  });
});
