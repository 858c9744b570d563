import { describe, expect, it } from '@jest/globals';
import { readBibFile } from '../../../lib/bibliography/bib-file.ts';
import { referenceFinder, toReference } from '../../../lib/bibliography/match-entry.ts';

function finderOf(text: string, folder = '') {
  return referenceFinder([...readBibFile(text)].map((entry) => toReference(entry, folder)));
}

const LIBRARY = String.raw`
@article{bydoi, title = {A}, url = {https://doi.org/10.1000/Xyz}}
@misc{byarxiv, title = {B}, eprint = {2005.11401v4}, archivePrefix = {arXiv}}
@article{bytitle, title = {Street {T}rees and afternoon air temperature}}
@article{byfile, title = {C}, file = {2021-street-trees.pdf}}
@article{zotero, title = {D}, file = {Full Text:/home/me/Zotero/storage/AB12/Smith - 2020 - Owls.pdf:application/pdf}}
@article{windows, title = {E}, file = {:C$\backslash$:/Users/me/Mendeley/Miller et al. - 2019.pdf:pdf}}
@article{jabref, title = {F}, file = {:pdfs/night\: wind.pdf:PDF;:pdfs/supplement.pdf:PDF}}
@article{short, title = {G}, file = {/home/me/paper.pdf}}
@article{one, title = {Introduction}}
@article{same1, title = {H}, file = {/a/twice-named.pdf}}
@article{same2, title = {I}, file = {/b/twice-named.pdf}}
`;

describe('referenceFinder', () => {
  const find = finderOf(LIBRARY, 'papers');

  it.each([
    ['DOI', { path: 'x.pdf', doi: '10.1000/xyz' }, 'bydoi'],
    ['arXiv ID', { path: 'x.pdf', arxivId: '2005.11401' }, 'byarxiv'],
    ['title', { path: 'x.pdf', title: 'Street trees and Afternoon Air Temperature.' }, 'bytitle'],
    ['file next to the library', { path: 'papers/2021-street-trees.pdf' }, 'byfile'],
    ['file name in another folder', { path: 'in/Smith - 2020 - Owls.pdf' }, 'zotero'],
    ['Windows file name', { path: 'Miller et al. - 2019.pdf' }, 'windows'],
    ['second of several files', { path: 'papers/pdfs/supplement.pdf' }, 'jabref'],
    ['file with a colon in its name', { path: 'papers/pdfs/night: wind.pdf' }, 'jabref'],
    ['DOI before the file', { path: 'papers/2021-street-trees.pdf', doi: '10.1000/xyz' }, 'bydoi'],
  ])('finds an entry by its %s', async (_by, known, key) => {
    expect((await find)(known)?.key).toBe(key);
  });

  it.each([
    ['a common file name', { path: 'other/paper.pdf' }],
    ['a short title', { path: 'x.pdf', title: 'Introduction' }],
    ['a name of two entries', { path: 'x/twice-named.pdf' }],
    ['unknown data', { path: 'x.pdf' }],
  ])('finds no entry by %s', async (_by, known) => {
    expect((await find)(known)).toBeUndefined();
  });

  it('removes characters that reorder text or control a terminal', () => {
    const text = '@article{k\u202e, author = {A\u202eda}, title = {Owls\u202e\u001b at night}}';
    const [reference] = [...readBibFile(text)].map((entry) => toReference(entry, ''));
    expect(reference).toMatchObject({ key: 'k', authors: ['Ada'], title: 'Owls at night' });
  });

  it('reads names, year, journal, and identifiers', () => {
    const [reference] = readBibFile(
      '@article{k, author = {Moreau, A. and Sand, G.}, title = {T}, journal = {J}, date = {2021-05-03}, doi = {10.1/X}}',
    ).map((entry) => toReference(entry, ''));
    expect(reference).toMatchObject({
      ...{ key: 'k', authors: ['Moreau, A.', 'Sand, G.'], year: 2021, date: '2021-05-03', venue: 'J' },
    });
    expect(reference?.doi).toBeUndefined(); // a prefix of a DOI has four digits
  });
});
