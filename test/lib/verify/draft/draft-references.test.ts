import { describe, expect, it } from '@jest/globals';
import { readDraft } from '../../../../lib/verify/draft/read-draft.ts';

async function referencesIn(name: string, source: string) {
  const { references = [], cited = [] } = await readDraft(name, Buffer.from(source));
  const shown = references.map(({ label, title, year, citedBy }) => [label, title, year, citedBy]);
  return { shown, cited };
}

const LATEX = String.raw`\documentclass{article}
\begin{document}
Owls hunt at night \cite{smith}. Hawks hunt by day~\citep[p.~3]{jones,other}.

\begin{thebibliography}{9}
\bibitem{smith} J. Smith, N{\'u}{\~n}ez, \newblock ''Night hunting of owls,'' \emph{Journal of Owls}, 2020.
\bibitem[Jones(2019)]{jones} Jones, K. (2019). Hawks by day. % a comment
\newblock Journal of Hawks, 2, 3--4.
\end{thebibliography}
\end{document}`;

describe('the references of a draft', () => {
  it('are the items of LaTeX, cited by their keys', async () => {
    expect(await referencesIn('a.tex', LATEX)).toEqual({
      shown: [
        ['smith', 'Night hunting of owls', 2020, [1]],
        ['jones', 'Hawks by day', 2019, [2]],
      ],
      cited: [{ key: 'other', citedBy: [2] }],
    });
  });

  it('are cited by number, by range, and by author and year', async () => {
    const draft = `Owls hunt at night [1]. Hawks hunt by day [1–3]. Kites glide (Jones 2019).

## References

1. Smith J. Night hunting of owls. J Owls. 2020;1:2-3.
2. Jones, K. (2019). Hawks by day. Journal of Hawks, 2, 3–4.
3. Miller, A. (2018). Kites in the wind. Journal of Kites, 1, 1–2.
`;
    expect((await referencesIn('a.md', draft)).shown).toEqual([
      ['1', 'Night hunting of owls', 2020, [1, 2]],
      ['2', 'Hawks by day', 2019, [2, 3]],
      ['3', 'Kites in the wind', 2018, [2]],
    ]);
  });

  it('may be the whole text, with no heading', async () => {
    const list = `Smith J. Night hunting of owls. J Owls. 2020;1:2-3.\n\nJones, K. (2019). Hawks by day. Journal of Hawks, 2, 3–4.\n`;
    expect((await referencesIn('a.txt', list)).shown.map(([, title]) => title)).toEqual([
      'Night hunting of owls',
      'Hawks by day',
    ]);
  });

  it('are BibTeX entries, cited by Pandoc keys', async () => {
    const draft = `Owls hunt at night [@smith2020; @gone, p. 3]. Write to me@example.org.\n\n@article{smith2020, title = {Night hunting}, author = {Smith, J.}, year = 2020}\n`;
    expect(await referencesIn('a.md', draft)).toEqual({
      shown: [['smith2020', 'Night hunting', 2020, [1]]],
      cited: [{ key: 'gone', citedBy: [1] }],
    });
  });

  it('are none in a text without a list', async () => {
    expect(await referencesIn('a.md', 'Owls hunt at night. In 2020, hawks hunted by day.\n')).toEqual({
      ...{ shown: [], cited: [] },
    });
  });
});
