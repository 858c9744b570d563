import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { FakePaper } from '../../../support/fakes/fake-papers.ts';
import { makePdf } from '../../../support/samples/pdf.ts';
import { goToPage, inBrowser, type Lane, PAPER_HOST, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

const EARS = {
  title: 'The Hearing of Barn Owls',
  abstract: 'One ear stands higher than the other.',
  authors: ['A. Payne', 'B. Knudsen'],
  published: '2024-01-02T03:04:05Z',
  arxivId: '2401.00001',
};
/** Contents of its host, and papers that aren't open access. */
const OPEN = {
  ...{ title: 'Owls in Open Fields', abstract: 'They hunt there.', authors: ['C. Strix'], isOpen: true },
  ...{ published: '2023-01-02T03:04:05Z', doi: '10.1000/open', license: 'cc-by' },
  pdfUrl: `https://${PAPER_HOST}/owls.pdf`,
};
const CLOSED = {
  ...OPEN,
  ...{ title: 'Owls behind Doors', doi: '10.1000/closed', isOpen: false, license: undefined },
  pdfUrl: `https://${PAPER_HOST}/doors.pdf`,
} as unknown as FakePaper;
/** arXiv allows one request in three seconds, so the other views use sources without a limit. */
const QUICK = 'q=owls&sources=semantic_scholar,openalex';

export const papersPage: ConsolePage = {
  name: 'papers',
  async visit(lane, workspaceId) {
    const { papers } = lane;
    papers.papers.preprint_server = [EARS];
    papers.papers.semantic_scholar = [EARS, { ...EARS, title: 'Owls of Old', arxivId: '2001.00002' }];
    papers.faults.openalex = [503];
    await inBrowser(lane, (page) => search(page, lane, workspaceId));
    papers.papers.semantic_scholar = [OPEN, CLOSED];
    await inBrowser(lane, (page) => keep(page, lane, workspaceId));
    papers.papers.semantic_scholar = [EARS, OPEN, CLOSED];
  },
  async views(_lane, workspaceId) {
    const base = `/w/${workspaceId}/papers`;
    return [
      { name: 'papers', path: `${base}?${QUICK}`, ready: 'main article' },
      { name: 'papers-kept', path: base, ready: 'main li a' },
    ];
  },
  async plant({ papers }, workspaceId, texts) {
    papers.faults.openalex = ['none'];
    papers.papers.openalex = texts.map((text, place) => ({
      title: `owlet ${text.replaceAll('\0', '')}`,
      abstract: text.replaceAll('\0', ''),
      authors: [text.slice(0, 200).replaceAll('\0', '')],
      published: '2024-01-02T03:04:05Z',
      doi: `10.1000/${place}`,
    }));
    const path = `/w/${workspaceId}/papers?q=owlet&sources=openalex`;
    return [{ name: 'papers', path, ready: 'main article' }];
  },
};

/** A failed source is reported next to the results of the others. */
async function search(page: Page, { service }: Lane, workspaceId: string): Promise<void> {
  await page.goto(`${service.url}/w/${workspaceId}/chat`);
  await goToPage(page, 'Papers');
  await page.getByLabel('Keywords').fill('owls');
  await page.getByLabel('From').fill('2020-01-01');
  await page.keyboard.press('Enter');
  await page.getByRole('article', { name: EARS.title }).waitFor();
  await seen(page, /^OpenAlex didn't return results/);
  await page.getByLabel('From').fill('2023-01-01');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('article', { name: 'Owls of Old' }).waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByRole('article', { name: 'Owls of Old' }).waitFor();
  assert.equal(await page.getByLabel('From').inputValue(), '2020-01-01');
  const card = page.getByRole('article', { name: EARS.title });
  assert.match((await card.getByRole('link').first().textContent()) ?? '', /\(arxiv\.org\)|\(.+\..+\)/);
  await card.getByRole('button', { name: 'Copy BibTeX' }).click();
  await card.getByRole('button', { name: 'Read with agent' }).click();
  const box = page.getByRole('textbox', { name: 'What should the agent do?' });
  assert.match(await box.inputValue(), /Hearing of Barn Owls/);
  await box.fill('');
}

/**
 * An unreachable host is reported; then the PDF is in the workspace, links to its file, and is found again.
 */
async function keep(page: Page, { service, far }: Lane, workspaceId: string): Promise<void> {
  const base = `${service.url}/w/${workspaceId}/papers`;
  await page.goto(base);
  await seen(page, 'No saved papers yet');
  await page.goto(`${base}?q=fields&sources=semantic_scholar`);
  const card = page.getByRole('article', { name: OPEN.title });
  await page.getByRole('article', { name: CLOSED.title }).getByText('No open-access PDF').waitFor();
  const button = card.getByRole('button', { name: 'Save PDF' });
  await button.click();
  await card.getByRole('alert').getByText(`${PAPER_HOST} failed with status 404`).waitFor();
  far.files.set(OPEN.pdfUrl, {
    contentType: 'application/pdf',
    bytes: makePdf(['Owls hunt in open fields.']),
  });
  await button.focus();
  await page.keyboard.press('Enter');
  const link = card.getByRole('link', { name: 'Open saved PDF' });
  await link.waitFor();
  assert.ok(await link.evaluate((element) => element === document.activeElement));
  await page.reload();
  await link.click();
  await page.getByRole('heading', { name: /owls-in-open-fields-.+\.pdf/ }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Show saved papers' }).click();
  const row = page.getByRole('listitem').filter({ hasText: OPEN.title });
  await row.getByText(/cc-by/).waitFor();
  await row.getByRole('link', { name: OPEN.title }).click();
  await page.getByRole('heading', { name: /owls-in-open-fields/ }).waitFor();
}
