import { cp, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import type { Note } from '../../../lib/notes/schema.ts';
import { type ChatRequest, inTurn, offeredPassages } from '../../support/fakes/fake-openai.ts';
import { type Asked, researchAnswer } from '../../support/research-model.ts';
import { makePdf } from '../../support/samples/pdf.ts';
import type { Service } from '../../support/service.ts';
import { createWorkspace, eventually, syncWorkspace } from '../../support/sync.ts';
import type { Lane } from './lane.ts';
import type { View } from './views.ts';

const FILES = resolve(import.meta.dirname, 'showcase');

/** The text of a page of the PDF: its title, and lines. */
const PAPER = [
  [
    'Sound localization in the barn owl',
    'Barn owls locate prey in total darkness. In a dark room, with the',
    'floor covered with leaves, an owl struck a mouse that walked',
    'seven metres away. It missed when one of its ears was closed.',
  ],
  [
    'Results',
    'The error was smallest for sounds between six and eight kilohertz,',
    'and grew to many degrees when higher tones were filtered out.',
    'With the left ear closed the owls struck to the right and above;',
    'with the right ear closed, to the left and below.',
  ],
];
const ERROR = 'The error was smallest for sounds between six and eight kilohertz';

const QUESTION = 'How does a barn owl find a mouse in the dark?';

/** Sentences with a part of the passage that each cites. */
const ANSWER: [text: string, cited?: string][] = [
  ['It hears it. Three things work together:\n\n- **Ears of unequal height.** The left ear opening'],
  [' lies higher than the right one and points downward', 'lies higher than the right'],
  [', so how loud a sound is on each side tells above from below.\n- **Time between the ears.** The owl'],
  [' resolves a difference of ten microseconds', 'ten microseconds'],
  [', which tells left from right.\n- **Silent wings.** A comb breaks the air into small eddies'],
  [', and the owl hears the prey, not itself', 'A comb along the leading edge'],
  ['.\n\nThe error was smallest for sounds between six and eight kilohertz', ERROR],
  [', which is about what a mouse makes in dry leaves.'],
];

/**
 * README's picture. The first and the last sentence are in the survey, but the number in the second one
 * isn't.
 */
const CHECKED: typeof ANSWER = [
  ['In 2025, 31 of 48 nest boxes were occupied', 'Of 48 nest boxes 31 were occupied'],
  ['. Broods averaged 5.6 young, the most since the survey began', 'Broods averaged 4.6'],
  ['. Two boxes along the motorway were given up', 'along the motorway'],
  ['.'],
];

/** Response of a judge that finds every sentence supported. */
const SUPPORTED = JSON.stringify({
  verdicts: CHECKED.map((_, at) => ({ number: at + 1, says: 'yes', why: 'The passage says so.' })),
});

function isJudge({ messages }: ChatRequest): boolean {
  return String(messages[0]?.content).startsWith('You judge sentences');
}

/** A typical workspace for the pictures: files, answers with sources, a waiting run, a report. */
export async function plantShowcase(lane: Lane): Promise<View[]> {
  const { service } = lane;
  const workspaceId = await createWorkspace(service, 'barn-owls');
  await plantFiles(service, workspaceId);
  const report = await plantReport(lane, workspaceId);
  await plantRun(lane, workspaceId);
  const note = await plantNotes(service, workspaceId);
  const chat = await plantChats(lane, workspaceId);
  return scenes(lane, { base: `/w/${workspaceId}`, report, note, ...chat });
}

async function plantFiles(service: Service, workspaceId: string): Promise<void> {
  const { body } = await service.call<{ rootPath: string }>('GET', `/api/workspaces/${workspaceId}`);
  await cp(FILES, body.rootPath, { recursive: true });
  await writeFile(join(body.rootPath, 'localization.pdf'), makePdf(PAPER.map(pageOf)));
  await syncWorkspace(service, workspaceId);
}

function pageOf([title = '', ...lines]: string[]): string {
  const rest = lines.map((line) => `0 -20 Td (${line}`).join(') Tj ');
  return `) Tj /F1 20 Tf (${title}) Tj /F1 12 Tf 0 -14 Td () Tj ${rest}`;
}

function cite(request: ChatRequest, words: string): string {
  const found = offeredPassages(request).find(({ text }) => text.replace(/\s+/g, ' ').includes(words));
  if (found === undefined) throw new Error(`no passage was offered with: ${words}`);
  return ` [${found.number}]`;
}

const written = (request: ChatRequest, parts: typeof ANSWER) =>
  parts.map(([text, cited]) => text + (cited === undefined ? '' : cite(request, cited))).join('');

async function plantChats(lane: Lane, workspaceId: string) {
  const ask = async (id: string, text: string, answer: typeof ANSWER, judge = false) => {
    lane.provider.answer = (request) => (isJudge(request) ? SUPPORTED : written(request, answer));
    const messages = [{ id: `${id}-1`, role: 'user', parts: [{ type: 'text', text }] }];
    const body = { workspaceId, id, messages, judge, trigger: 'submit-message' };
    const { status, bytes } = await lane.service.call('POST', '/api/chat', body);
    if (status !== 200) throw new Error(bytes.toString());
  };
  await ask('boxes', 'Which nest boxes were given up, and why?', [
    ['Two boxes along the motorway were given up', 'along the motorway'],
    ['. The survey does not say why.'],
  ]);
  await ask('flight', 'What makes the flight of owls silent?', [
    ['A comb along the leading edge of the wing breaks the air into small eddies', 'A comb along'],
    ['.'],
  ]);
  await ask('checked', 'How did the nest boxes do in 2025?', CHECKED, true);
  await ask('hearing', QUESTION, ANSWER);
  await lane.service.call('PUT', '/api/conversations/hearing', { pinned: true });
  const { body } = await lane.service.call<{ messages: { id: string; role: string; parts: Part[] }[] }>(
    'GET',
    '/api/conversations/hearing',
  );
  const answer = body.messages.find(({ role }) => role === 'assistant');
  const citations = (answer?.parts ?? []).flatMap(({ type, data }) =>
    type === 'data-citation' ? [data as { index: number; path: string }] : [],
  );
  const numberOf = (path: string) => citations.find((each) => each.path === path)?.index;
  const source = (path: string) => `/chat/hearing?source=${answer?.id}.${numberOf(path)}`;
  return { source: source('hearing.md'), sourcePdf: source('localization.pdf') };
}

interface Part {
  type: string;
  data?: unknown;
}

/** The waiting run is listed before the completed one. */
async function plantRun({ service, provider }: Lane, workspaceId: string): Promise<void> {
  const start = async (content: string) => {
    const body = { workspaceId, cwd: '', mode: 'agent', messages: [{ role: 'user', content }] };
    await service.call('POST', '/api/agent', body);
  };
  provider.answer = inTurn(
    { calls: [{ name: 'readFile', input: { path: 'field/methods.md' } }] },
    'Every box is visited three times; a brood counts when at least one young bird is ringed.',
  );
  await start('When does a brood count in our survey?');
  const rules = [{ tool: 'writeFile', pattern: '**', action: 'ask' }];
  await service.call('PUT', `/api/workspaces/${workspaceId}/permissions`, { rules });
  const content = `# Occupancy by facing\n\n| facing | occupied |\n| --- | --- |\n| east | 100 % |\n| north | 0 % |\n`;
  provider.answer = inTurn(
    {
      text: 'I look at the boxes first, then count.',
      calls: [{ name: 'grep', input: { pattern: 'east', path: 'field' } }],
    },
    {
      calls: [
        {
          name: 'bash',
          input: { command: 'cut -d, -f4,5 field/nest-boxes.csv | sort | uniq -c | sort -rn' },
        },
      ],
    },
    {
      text: 'East is the clear favourite. I would keep the table as a file.',
      calls: [{ name: 'writeFile', input: { path: 'field/occupancy.md', content } }],
    },
    'Done.',
  );
  await start('Which way do occupied boxes look? Write a table.');
}

const REPORT = 'What decides whether a nest box is used?';

/** The questions of the report, with the sentences of the files that answer each question. */
const FOUND: Record<string, string[]> = {
  'Which boxes were occupied in 2025?': [
    'Of 48 nest boxes 31 were occupied, seven more than in the year before.',
    'Two boxes along the motorway were given up: both had been occupied in every year since 2019.',
  ],
  'What makes a brood succeed?': [
    'Voles were plentiful from April on.',
    'Broods averaged 4.6 young, the most since the survey began.',
    'A brood counts when at least one young bird is ringed.',
  ],
  'How do owls find their prey?': [
    'Barn owls hunt in slow, low flight along hedges and ditches.',
    'A barn owl strikes a mouse in complete darkness, by its ears alone.',
    'Silent flight serves twice: the prey does not hear the owl, and the owl hears the prey.',
  ],
};

/** A correct model that reads for its question. */
function research(asked: Asked): unknown {
  if (asked.step === 'plan') {
    const questions = Object.keys(FOUND).map((question) => ({
      question,
      answeredBy: 'what the files of the survey say',
      keywords: ['owls', 'boxes'],
    }));
    return { questions };
  }
  if (asked.step !== 'read') return undefined;
  const [, sentences = []] = Object.entries(FOUND).find(([each]) => asked.question.includes(each)) ?? [];
  const claims = asked.passages.flatMap(({ number, text }) =>
    sentences
      .filter((sentence) => text.includes(sentence))
      .map((sentence) => ({ passage: number, claim: sentence, quote: sentence })),
  );
  return { claims };
}

async function plantReport({ service, provider }: Lane, workspaceId: string): Promise<string> {
  provider.answer = researchAnswer(research);
  const body = { workspaceId, question: REPORT, depth: 'quick' };
  const { body: started } = await service.call<{ runId: string }>('POST', '/api/research', body);
  const isDone = () => service.call<{ status: string }>('GET', `/api/agent/runs/${started.runId}`);
  await eventually(isDone, ({ body: { status } }) => status === 'done');
  return started.runId;
}

async function plantNotes(service: Service, workspaceId: string): Promise<string> {
  const write = async (title: string, content: string) =>
    (await service.call<Note>('POST', '/api/notes', { workspaceId, title, content })).body.id;
  await write('For the meeting in December', '- The two boxes along the motorway\n- Who sorts the pellets');
  return write('What to measure next year', 'Height matters less than **which way the opening looks**.');
}

interface Planted {
  base: string;
  report: string;
  note: string;
  source: string;
  sourcePdf: string;
}

async function scenes(
  { service }: Lane,
  { base, report, note, source, sourcePdf }: Planted,
): Promise<View[]> {
  const { body: waiting } = await service.call<{ id: string }[]>(
    'GET',
    `/api/agent/runs?workspaceId=${base.slice('/w/'.length)}&status=waiting`,
  );
  const first = `${base}/research/${report}`;
  return [
    { name: 'workspaces', path: '/', ready: 'text=barn-owls' },
    { name: 'chat-empty', path: `${base}/chat`, ready: 'text=/What do you want to know|你想了解什么/' },
    { name: 'chat', path: `${base}/chat/hearing`, ready: 'article a[href*=source]' },
    { name: 'checked', path: `${base}/chat/checked`, ready: 'article a[href*=source]', act: openWrong },
    { name: 'source', path: `${base}${source}`, ready: 'mark' },
    { name: 'source-pdf', path: `${base}${sourcePdf}`, ready: '[data-quote-mark]' },
    { name: 'files', path: `${base}/files?path=field/survey-2025.md`, ready: 'text=/31 were occupied/' },
    { name: 'code', path: `${base}/files?path=analysis/occupancy.py&lines=10-17`, ready: '.code-keyword' },
    { name: 'search', path: `${base}/search?q=silent flight of owls`, ready: 'main mark' },
    { name: 'runs', path: `${base}/agent`, ready: 'text=/Which way/' },
    { name: 'approval', path: `${base}/agent/${waiting[0]?.id}`, ready: 'main article', act: beAsked },
    { name: 'reports', path: `${base}/research`, ready: 'text=/What decides/' },
    { name: 'report', path: first, ready: 'article h2' },
    { name: 'report-evidence', path: `${first}?tab=evidence`, ready: 'table' },
    { name: 'report-plan', path: `${first}?tab=plan`, ready: 'ol >> text=/brood/' },
    { name: 'notes', path: `${base}/notes`, ready: 'main ul a' },
    { name: 'index', path: base, ready: 'main section h2' },
    { name: 'palette', path: `${base}/chat/hearing`, ready: 'article a[href*=source]', act: openPalette },
    { name: 'dialog', path: '/', ready: 'text=barn-owls', act: openDialog },
    {
      name: 'conflict',
      path: `${base}/notes/${note}/edit`,
      ready: 'textarea',
      act: (page) => meetConflict(page, service, note),
    },
  ];
}

/** The buttons become active a moment after they appear. */
async function beAsked(page: Page): Promise<void> {
  await page.locator('main article button:enabled').nth(2).waitFor();
}

async function openWrong(page: Page): Promise<void> {
  await page.locator('article a[href*=source]').nth(1).click();
  await page.locator('mark').first().waitFor();
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('owl');
  await page.getByRole('listbox').getByRole('option').first().waitFor();
}

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: /New workspace|新建工作区/ }).click();
  await page.getByRole('dialog').waitFor();
}

/** Another user saves while the note is edited. */
async function meetConflict(page: Page, service: Service, note: string): Promise<void> {
  await page.locator('textarea').fill('Height matters less than the hedge beside it.');
  await service.call('PUT', `/api/notes/${note}`, { content: `It is the hedge that matters.` });
  await page.locator('form button[type=submit]').click();
  await page
    .getByRole('main')
    .getByRole('status')
    .or(page.getByRole('main').getByRole('alert'))
    .first()
    .waitFor();
}
