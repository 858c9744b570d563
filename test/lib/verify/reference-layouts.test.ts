import { expect, it } from '@jest/globals';
import type { VerifyBody } from '../../../lib/verify/request-schema.ts';
import { catalogsAt } from '../../support/catalogs.ts';
import { startCheckRig } from '../../support/draft-checks.ts';
import { startFakePapers } from '../../support/fakes/fake-papers.ts';
import { catalogue, inApa, makeWorks, PLANTED, plantErrors, type Work } from '../../support/literature.ts';

const fake = await startFakePapers();
const works = makeWorks(200);
catalogue(fake, works);
const entries = plantErrors(works);
const apa = entries.map(inApa);
const PROSE = 'Night birds hunt late (Abelsund, 1995).';

function attached(filename: string, content: string): Partial<VerifyBody> {
  return { attachment: { filename, url: `data:;base64,${Buffer.from(content).toString('base64')}` } };
}

function bibItem({ title, authors, year, journal, doi }: Work, n: number): string {
  const link = doi === undefined ? '' : ` doi:${doi}`;
  return `\\bibitem{w${n}} ${authors.join(', ')}.\n\\newblock ${title}.\n\\newblock {\\em ${journal}}, 12(3):45--67, ${year}.${link}`;
}

const LAYOUTS: [string, Partial<VerifyBody>][] = [
  ['paragraphs below a heading', { text: `# Owls\n\n${PROSE}\n\n## References\n\n${apa.join('\n\n')}\n` }],
  ['lines directly below a heading', { text: `Owls\n\n${PROSE}\n\nReferences\n${apa.join('\n')}\n` }],
  [
    'numbered lines below a heading',
    {
      text: `# Owls\n\n${PROSE}\n\n参考文献：\n${apa.map((entry, n) => `${n + 1}. ${entry}`).join('\n')}`,
    },
  ],
  [
    'two lists',
    { text: `${PROSE}\n\nReferences\n${apa.slice(0, 30).join('\n')}\nSources\n${apa.slice(30).join('\n')}` },
  ],
  ['a text that is only a list', { text: apa.join('\n\n') }],
  [
    'LaTeX',
    attached(
      'owls.tex',
      `\\documentclass{article}\\begin{document}Owls hunt \\cite{w1}.\n\\begin{thebibliography}{99}\n${entries.map(bibItem).join('\n')}\n\\end{thebibliography}\\end{document}`,
    ),
  ],
  [
    'HTML',
    attached(
      'owls.html',
      `<h1>Owls</h1><p>${PROSE}</p><h2>References</h2><ol>${apa.map((entry) => `<li>${entry.replace('&', '&amp;')}</li>`).join('')}</ol>`,
    ),
  ],
];

it.each(LAYOUTS)('ten planted errors and no true entry are found in %s', async (_, body) => {
  const rig = await startCheckRig({ 'owls.md': 'Owls hunt at night.\n' });
  const ports = { ...rig.ports, papers: { ...rig.ports.papers, ...catalogsAt(fake.url) } };
  const { runId } = await rig.begin({ ...body, references: true });
  while ((await rig.work(ports)) > 0);
  const { references = [] } = await rig.look(runId);
  const doubtful = references.flatMap(({ state, differences }, n) =>
    state === 'found' ? [] : [[n, [state, ...differences.map(({ field }) => field)].join(' ')]],
  );
  expect([references.length, Object.fromEntries(doubtful)]).toEqual([60, PLANTED]);
});
