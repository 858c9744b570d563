import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Service } from '../../../support/service.ts';
import { syncWorkspace } from '../../../support/sync.ts';
import { makeWorkspace } from '../../../support/workspace.ts';
import { inBrowser, type Lane } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

const ANSWER = [
  'The ratio is $\\frac{1120}{41} \\approx 27$, for $5 and $10.\n\n$$\nE = mc^2\n$$\n\n',
  'Wrong is $\\frac{1$.\n\n```python\ndef owl():\n    return "night"  # silent\n```\n',
];

/**
 * Formulas and code in an answer, a question about chosen files only, and passages in the palette and the
 * search.
 */
async function visit(lane: Lane): Promise<void> {
  const { service, provider } = lane;
  const workspaceId = await makeFilled(service);
  const offered: string[] = [];
  provider.answer = (request) => {
    offered.push(...(String(request.messages.at(-1)?.content).match(/(?<=file=")[^"]+/g) ?? []));
    return ANSWER;
  };
  await inBrowser(lane, async (page) => {
    await page.goto(`${service.url}/w/${workspaceId}/chat`);
    await chooseFiles(page);
    await page.keyboard.press('Enter');
    await readAnswer(page);
    assert.deepEqual([...new Set(offered)].sort(), ['birds/tawny.md', 'tea.md']);
    await page.reload();
    await page.getByText('Only: birds, tea.md').waitFor();
    await findInPalette(page);
    await search(page, service.url, workspaceId);
  });
}

async function makeFilled(service: Service): Promise<string> {
  const { id, root } = await makeWorkspace(service, 'reading');
  await mkdir(join(root, 'birds'));
  const night = 'The tawny owl hunts at night in old forests, as all owls do.';
  await writeFile(join(root, 'birds/tawny.md'), `# Tawny owls\n\n${night}\n`);
  await writeFile(
    join(root, 'tea.md'),
    '# Tea\n\nAt night, tea keeps people awake, and owls do not drink it.\n',
  );
  await writeFile(join(root, 'mice.md'), '# Mice\n\nMice hide from owls at night.\n');
  await syncWorkspace(service, id);
  return id;
}

/** Chooses files in the tree, with the keyboard, and by `@`. */
async function chooseFiles(page: Page): Promise<void> {
  const box = page.getByRole('textbox', { name: /^Ask about/ });
  await page.getByRole('button', { name: 'All files' }).click();
  await page.getByRole('treeitem', { name: 'birds' }).waitFor();
  const tree = page.getByRole('tree', { name: 'Files' });
  await tree.press('Home');
  await tree.press(' ');
  await page.locator('[role=treeitem][aria-checked=true]', { hasText: 'birds' }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await box.pressSequentially('What do owls do at night? @te');
  await page.getByRole('option', { name: 'tea.md' }).waitFor();
  await box.press('Enter');
  await page.getByRole('button', { name: '2 chosen' }).waitFor();
  assert.equal(await box.inputValue(), 'What do owls do at night? tea.md ');
}

async function readAnswer(page: Page): Promise<void> {
  const answer = page.getByRole('article', { name: 'Answer' });
  await answer.locator('math mfrac').first().waitFor();
  await answer.locator('math[display=block]').waitFor();
  assert.equal(await answer.locator('math').count(), 2);
  await answer.getByText('for $5 and $10.').waitFor();
  await answer.getByText('$\\frac{1$').waitFor();
  await answer.locator('.code .code-keyword', { hasText: 'def' }).waitFor();
  await answer.locator('.code').getByText('python', { exact: true }).waitFor();
  await answer.locator('.code').getByRole('button', { name: 'Copy' }).waitFor();
}

async function findInPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: 'Search and commands' });
  await box.fill('owls at night');
  await page.getByRole('option', { name: /tawny\.md.*hunts at night/ }).waitFor();
  await box.fill('zzqqxx');
  await page.getByText('No passage in the files fits.').waitFor();
  await page.keyboard.press('Escape');
}

async function search(page: Page, url: string, workspaceId: string): Promise<void> {
  await page.goto(`${url}/w/${workspaceId}/search?q=owls+at+night`);
  await page.getByText('3 passages').waitFor();
  await page.getByRole('combobox', { name: 'Folder' }).selectOption('birds');
  await page.getByText('1 passage,').waitFor();
  await page.getByRole('combobox', { name: 'File type' }).selectOption('pdf');
  await page.getByText('No passage fits').waitFor();
  await page.getByRole('combobox', { name: 'File type' }).selectOption('');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('textbox', { name: 'Author' }).fill('Nobody');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('No passage fits the filters').waitFor();
  await page.getByRole('button', { name: 'Remove Author: Nobody' }).click();
  await page.getByText('1 passage,').waitFor();
}

export const readingPage: ConsolePage = { name: 'reading', visit, views: async () => [] };
