import { Cite } from '@citation-js/core';
import '@citation-js/plugin-bibtex';
import { describe, expect, it } from '@jest/globals';
import { personNamesIn, plainText, readBibFile } from '../../../lib/bibliography/bib-file.ts';
import { cpuTimeOf } from '../../support/processes/cpu-time.ts';

const LIBRARY = String.raw`
% A library with what people write.
@string{ jml = "Journal of Machine Learning" }
@comment{ @article{none, title = {Not an entry}} }
@Article{nunez:2020,
  Author = {N{\'u}{\~n}ez, Jos{\'e} and {World Health Organization} and M{\"u}ller, K.},
  TITLE = "{BERT} \& its {\"u}ber-{R}elatives",
  journal = jml # ", Series B",
  year = 2020, doi = {10.1000/ABC.1},
}
@inproceedings(smith2021, title={On owls}, booktitle = {Proceedings of Owls}, year={2021})
@book{broken2022, title = {Never closed
@misc{after2023, title = {After a broken one}, eprint = {2005.11401}, archiveprefix = {arXiv}}
`;

describe('readBibFile', () => {
  it('reads entries, macros, and entries after a broken entry', () => {
    const entries = [...readBibFile(LIBRARY)];
    expect(entries.map(({ type, key }) => `${type} ${key}`)).toEqual([
      'article nunez:2020',
      'inproceedings smith2021',
      'misc after2023',
    ]);
    expect(entries[0]?.fields.get('journal')).toBe('Journal of Machine Learning, Series B');
    expect(entries[0]?.fields.get('year')).toBe('2020');
  });

  it('reads the same as another BibTeX reader', () => {
    const whole = LIBRARY.replace(/@book.*\n/, '');
    const others = new Cite(whole).data as { id: string; title: string; DOI?: string }[];
    const own = [...readBibFile(whole)].map(({ key, fields }) => ({
      id: key,
      title: plainText(fields.get('title') ?? ''),
    }));
    const shown = (html: string) => html.replace(/<[^>]+>/g, '');
    expect(own).toEqual(others.map(({ id, title }) => ({ id, title: shown(title) })));
  });

  it('reads a file without closing braces quickly', async () => {
    const ms = await cpuTimeOf(() => {
      expect([...readBibFile('@a{k,t={'.repeat(500_000))]).toEqual([]);
      expect([...readBibFile(`@a${' '.repeat(1_000_000)}{`)]).toEqual([]);
    });
    expect(ms).toBeLessThan(3_000);
  });
});

describe('plainText', () => {
  it.each([
    [String.raw`{\"o}ffnen \"{O} \'e {\'{e}} \c{c} {\v{S}}`, 'öffnen Ö é é ç Š'],
    [String.raw`Stra{\ss}e, {\O}rsted, \o re, {\L}{\'o}d{\'z}`, 'Straße, Ørsted, øre, Łódź'],
    [String.raw`a \& b 5\% \_x pp. 1--2`, 'a & b 5% _x pp. 1–2'],
    [String.raw`\emph{Owls} at~night`, 'Owls at night'],
    [String.raw`\constructor Owls \valueOf{} at \toString night`, 'Owls at night'],
  ])('%s', (written, shown) => {
    expect(plainText(written)).toBe(shown);
  });
});

describe('personNamesIn', () => {
  it.each([
    ['Moreau, A. and Lindqvist, T.', ['Moreau, A.', 'Lindqvist, T.']],
    ['{Barnes and Noble} and\n  Sand, A. and others', ['Barnes and Noble', 'Sand, A.']],
    ['', []],
  ])('%s', (written, names) => {
    expect(personNamesIn(written)).toEqual(names);
  });
});
