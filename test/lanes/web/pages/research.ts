import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type Asked, answerHonestly, researchAnswer, type Script } from '../../../support/research-model.ts';
import { syncWorkspace } from '../../../support/sync.ts';
import { goToPage, inBrowser, type Lane, seen } from '../lane.ts';
import { tabTo } from '../main-job.ts';
import type { View } from '../views.ts';
import type { ConsolePage } from './all-pages.ts';

const QUESTION = 'What do the sources say of owls?';
const DOUBTED = 'Owls may be the quietest of all birds.';

/**
 * A correct model that also claims more than its quotes support, and finds that two of them contradict each
 * other.
 */
const script: Script = (asked) => {
  if (asked.step === 'plan') return { questions: ['When do owls hunt?', 'How do owls hear?'].map(planned) };
  if (asked.step === 'weigh') return weighed(asked);
  if (asked.step === 'write') return withDoubt(asked);
  if (asked.step === 'rewrite') return { sentences: [{ number: 1, text: DOUBTED, evidence: ['e1'] }] };
  return asked.step === 'judge' ? doubted(asked) : undefined;
};

const planned = (question: string) => ({ question, answeredBy: 'what a document says', keywords: ['owls'] });

function weighed(asked: Asked): unknown {
  const [one, other] = asked.claims;
  const contradictions = one && other ? [[one.id, other.id]] : [];
  return { contradictions };
}

function withDoubt(asked: Asked): unknown {
  const { paragraphs } = answerHonestly(asked) as { paragraphs: object[][] };
  const evidence = asked.evidence.slice(0, 1).map(({ id }) => id);
  return { paragraphs: [...paragraphs, [{ text: DOUBTED, evidence }]], open: ['Do owls dream?'] };
}

function doubted(asked: Asked): unknown {
  const { verdicts } = answerHonestly(asked) as { verdicts: { number: number; says: string }[] };
  const isDoubted = (number: number) =>
    asked.sentences.find((each) => each.number === number)?.text === DOUBTED;
  return {
    verdicts: verdicts.map((each) =>
      isDoubted(each.number) ? { ...each, says: 'partly', why: 'no quote compares them' } : each,
    ),
  };
}

/** A report with its plan approved by keyboard, its sources, and a follow-up question. */
async function visit(lane: Lane, workspaceId: string): Promise<void> {
  lane.provider.answer = researchAnswer(script);
  await inBrowser(lane, async (page) => {
    await page.goto(`${lane.service.url}/w/${workspaceId}/chat`);
    await goToPage(page, 'Research');
    await seen(page, /Up to 30 model calls/);
    await page.getByRole('textbox', { name: 'What should the report answer?' }).fill(QUESTION);
    await page.getByText('Quick', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Review the plan first' }).check();
    await page.reload();
    await page.getByRole('button', { name: 'Start' }).click();
    await changePlan(page);
    await readReport(page);
    await readEvidence(page);
    await goOn(page);
    await moveSource(lane, page, workspaceId);
    await seeOnlyThere(page);
  });
}

async function changePlan(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Question 2' }).waitFor();
  await page.getByRole('button', { name: 'Add question' }).click();
  await page.getByRole('textbox', { name: 'Question 3' }).fill('What do owls eat?');
  await page.reload();
  assert.equal(await page.getByRole('textbox', { name: 'Question 3' }).inputValue(), 'What do owls eat?');
  await page.getByRole('button', { name: 'Remove question 3' }).click();
  await tabTo(page, /^Move question 1 down$/);
  await page.keyboard.press('Enter');
  assert.equal(await page.getByRole('textbox', { name: 'Question 2' }).inputValue(), 'When do owls hunt?');
  await tabTo(page, /^Approve plan$/);
  await page.keyboard.press('Enter');
}

async function readReport(page: Page): Promise<void> {
  await page.getByText('Done', { exact: true }).first().waitFor();
  await page.getByRole('img', { name: 'Not fully supported' }).first().waitFor();
  await page.getByText('Why sentences are flagged').first().click();
  await seen(page, 'no quote compares them');
  await seen(page, 'Do owls dream?');
  await seen(page, /\d+ of \d+ sentences are supported by a quote/);
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link').last().press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H2');
  const sources = page.getByRole('region', { name: 'Sources' }).getByRole('listitem');
  assert.ok((await sources.count()) > 0, 'the report lists no source');
  await page
    .getByRole('link', { name: /^Source \d+: .*, Not in the source$/ })
    .first()
    .waitFor();
  await page
    .getByRole('link', { name: /^Source 1: .*, Supported$/ })
    .first()
    .click();
  const panel = page.getByRole('region', { name: 'Source', exact: true });
  await panel.locator('mark, .pdf-mark').first().waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as' }).click();
  await page.getByRole('menuitem', { name: 'Word' }).click();
  assert.equal((await saved).suggestedFilename(), 'what-do-the-sources-say-of-owls.docx');
}

async function readEvidence(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Evidence/ }).click();
  await seen(page, 'Conflicting sources');
  const rows = page.getByRole('table').locator('tbody tr');
  const all = await rows.count();
  await page.getByRole('combobox', { name: 'Question' }).selectOption({ label: 'How do owls hear?' });
  assert.match(page.url(), /question=q1/);
  assert.equal(await page.getByRole('link', { name: /^Evidence/ }).getAttribute('aria-current'), 'page');
  assert.ok((await rows.count()) < all, `${all} rows are not fewer for one question`);
  await page.getByRole('link', { name: /^Plan/ }).click();
  await page.getByRole('listitem').filter({ hasText: 'How do owls hear?' }).first().waitFor();
}

/** A report also opens on its page from the list of conversations. */
async function goOn(page: Page): Promise<void> {
  await page
    .getByRole('region', { name: 'Conversations' })
    .getByRole('link', { name: new RegExp(QUESTION.slice(0, 20)) })
    .first()
    .click();
  await page.waitForURL(/\/research\/[^/]+$/);
  await page.getByRole('textbox', { name: 'Follow-up question' }).fill('And how do they fly?');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'And how do they fly?' }).waitFor();
  await page.getByText('Done', { exact: true }).first().waitFor();
  await page.getByRole('link', { name: 'Previous report' }).click();
  await page.getByRole('heading', { level: 1, name: QUESTION }).waitFor();
}

/** The list of the Agent page has no report. */
async function seeOnlyThere(page: Page): Promise<void> {
  await goToPage(page, 'Agent');
  const runs = page.getByRole('region', { name: 'Runs' });
  await runs.getByText('No runs yet').or(runs.getByRole('link')).first().waitFor();
  assert.equal(await runs.getByRole('link', { name: QUESTION }).count(), 0);
}

/** The report marks the citations of a file that was moved since then, without opening a source. */
async function moveSource({ service }: Lane, page: Page, workspaceId: string): Promise<void> {
  const { body } = await service.call<{ evidence: { path: string }[] }>(
    'GET',
    `/api/research/${page.url().split('/').at(-1)}`,
  );
  const { path = '' } = body.evidence[0] ?? {};
  const move = async (oldPath: string, newPath: string) => {
    await service.call('POST', '/api/files/rename', { workspaceId, oldPath, newPath });
    await syncWorkspace(service, workspaceId);
    await page.reload();
  };
  await move(path, `moved-${path}`);
  await seen(page, /quotes? (is|are) in (an)?other files? now/);
  await page
    .getByRole('link', { name: /^Source \d+: .*, File moved$/ })
    .first()
    .waitFor();
  await move(`moved-${path}`, path);
}

async function views({ service }: Lane, workspaceId: string): Promise<View[]> {
  const { body } = await service.call<{ id: string; request: string }[]>(
    'GET',
    `/api/agent/runs?workspaceId=${workspaceId}&kind=research`,
  );
  const run = body.find(({ request }) => request === QUESTION)?.id;
  const report = `/w/${workspaceId}/research/${run}`;
  return [
    { name: 'reports', path: `/w/${workspaceId}/research`, ready: 'text=/sources say of owls/' },
    { name: 'report', path: report, ready: 'article h2' },
    { name: 'report-evidence', path: `${report}?tab=evidence`, ready: 'table' },
    { name: 'report-plan', path: `${report}?tab=plan`, ready: 'ol >> text=/hear/' },
  ];
}

export const research: ConsolePage = { name: 'a report of research', visit, views };
