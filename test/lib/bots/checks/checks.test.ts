import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { callerOfMessage } from '../../../../lib/bots/caller.ts';
import { readAskedCheck } from '../../../../lib/bots/checks/check-words.ts';
import { endMessage } from '../../../../lib/bots/checks/messages.ts';
import { chatReports, reportsOf } from '../../../../lib/bots/schema.ts';
import { workspaceAt } from '../../../../lib/bots/work/directory.ts';
import { sweepChats } from '../../../../lib/bots/work/sweep.ts';
import { sweepRuns } from '../../../../lib/runs/sweep.ts';
import type { DraftCheck } from '../../../../lib/verify/request-schema.ts';
import { inTurn, says } from '../../../support/agent.ts';
import { type BotRig, lastShown, personMessage, startBotRig } from '../../../support/bots.ts';
import { catalogsAt } from '../../../support/catalogs.ts';
import { readEntries } from '../../../support/docx-comments.ts';
import { startFakePapers } from '../../../support/fakes/fake-papers.ts';

const MINUTE = 60_000;
const LISA = { platform: 'imb' as const, chatId: 'lisa', senderId: 'lisa' };
const DRAFT =
  'Owls hunt at night in 12 forests. Owls hunt at night in 13 forests. Penguins file their taxes in April.';

async function startRig(): Promise<BotRig> {
  const rig = await startBotRig();
  rig.ports.publicUrl = 'https://research.example.org/';
  const home = await workspaceAt(rig.ports, callerOfMessage({ platform: 'ima', senderId: 'ou_1' }), rig.root);
  await rig.files.add(home, 'owls.md', 'Owls hunt at night in 12 forests.\n');
  return rig;
}

/** Runs the scheduler tick, and returns its results. */
async function tick(rig: BotRig): Promise<void> {
  rig.time.offsetMs += MINUTE;
  await sweepRuns(rig.ports);
  await sweepChats(rig.ports);
  await rig.settle();
}

const textsOf = (shown: ReturnType<typeof lastShown>) =>
  shown.map((content) => ('text' in content ? content.text : ''));

describe.each(['ima', 'imb'] as const)('/check on %s', (platform) => {
  const fields = platform === 'ima' ? {} : LISA;
  const shownOf = (rig: BotRig) => (platform === 'ima' ? rig.feishu : rig.wecom);

  it('replies with the counts, the worst sentences, and the page', async () => {
    const rig = await startRig();
    await rig.say(`/check ${DRAFT}`, fields);
    await tick(rig);
    const [begun, end] = lastShown(shownOf(rig));
    expect(begun).toMatchObject({ kind: 'command', command: 'check', ok: true });
    expect(end).toMatchObject({ kind: 'command', command: 'check', ok: true });
    const [name, summary, counts, worst, page] = textsOf([end as never])[0]?.split('\n\n') ?? [];
    expect(name).toBe(`**${DRAFT}**`);
    expect([summary, counts]).toEqual(['The files support 1 of 3 claims.', 'Not in the source: 2']);
    expect(worst?.split('\n')).toEqual([
      '1. “Penguins file their taxes in April.” **Not in the source.** Nothing similar was found. Checked by code.',
      expect.stringMatching(/^2\. “Owls hunt at night in 13 forests\.” \*\*Not in the source: 13\.\*\* /),
    ]);
    expect(page).toMatch(/^https:\/\/research\.example\.org\/w\/[\w-]+\/drafts\/[0-9a-f-]{36}$/);
    expect(rig.model.requests).toEqual([]);
    const chat = platform === 'ima' ? { platform, chatId: 'oc_1' } : LISA;
    expect((await chatReports.list(rig.ports.records, reportsOf(chat))).items).toEqual([]);
  });

  it('checks the latest file of its sender, even in Chinese', async () => {
    const rig = await startRig();
    const files = shownOf(rig).files;
    files.set('f', Buffer.from('企鹅在四月报税。猫头鹰住在森林里。\n'));
    rig.model.answer = inTurn(says('Read.'));
    await rig.say({ type: 'file', key: 'f', name: 'draft.md' }, fields);
    await rig.say('核对', fields);
    await tick(rig);
    const texts = textsOf(lastShown(shownOf(rig)));
    expect(texts.at(-1)).toMatch(
      /^\*\*draft\.md\*\*\n\n2 条论断中，0 条有文件支持。\n\n来源中没有: 2\n\n1\. “企鹅在四月报税。” \*\*来源中没有。\*\* 没有找到相似的内容。/,
    );
  });
});

describe('Word document in a check', () => {
  it('is checked immediately, and returned with comments', async () => {
    const rig = await startRig();
    const golden = join(import.meta.dirname, '../../../golden/documents/apes.docx');
    rig.feishu.files.set('f', await readFile(golden));
    await rig.say({ type: 'file', key: 'f', name: 'apes.docx' });
    await tick(rig);
    expect(textsOf(lastShown(rig.feishu))[1]).toMatch(
      /^\*\*apes\.docx\*\*\n\nThe files support 0 of \d+ claims?\./,
    );
    const [file] = rig.feishu.sentFiles;
    expect(file?.name).toBe('apes checked.docx');
    expect([...(await readEntries(file?.bytes ?? new Uint8Array())).keys()]).toContain('word/comments.xml');
  });

  it.each([
    ['that is damaged', 'broken', /damaged|can't be read/],
    [
      'that is too large',
      'x'.repeat(10 * 1024 * 1024 + 1),
      /^a\.docx is too large\. A draft can have up to 10 MB\.$/,
    ],
  ])('is rejected with a reason, and leaves nothing behind: %s', async (_what, bytes, reason) => {
    const rig = await startRig();
    rig.feishu.files.set('f', Buffer.from(bytes));
    await rig.say({ type: 'file', key: 'f', name: 'a.docx' });
    const [shown] = lastShown(rig.feishu);
    expect(shown).toMatchObject({ kind: 'command', ok: false, text: expect.stringMatching(reason) });
    const kept = await chatReports.list(rig.ports.records, reportsOf({ platform: 'ima', chatId: 'oc_1' }));
    expect(kept.items).toEqual([]);
  });
});

it("/check explains itself if there is no draft, and ignores other people's files", async () => {
  const rig = await startRig();
  rig.feishu.files.set('f', Buffer.from('Owls hunt.'));
  rig.model.answer = inTurn(says('Read.'));
  await rig.say({ type: 'file', key: 'f', name: 'a.md' }, { senderId: 'ou_2' });
  await rig.say('/check');
  expect(textsOf(lastShown(rig.feishu)).at(-1)).toContain('send it, then /check');
});

it('/stop ends a check, and /research lists it', async () => {
  const rig = await startRig();
  for (const text of [`/check ${DRAFT}`, '/research', '/stop']) await rig.handle(personMessage(text));
  await tick(rig);
  const texts = textsOf(lastShown(rig.feishu));
  expect(texts).toContainEqual(expect.stringMatching(/1\. Owls hunt at night in 12 forests\./));
  expect(texts).toContain('The check was stopped.');
});

it('/stop reports the results of a check so far', () => {
  const counts = { sentences: 12, claims: 9, checked: 3, supported: 2, listed: 0 };
  const ends = { status: 'stopped', error: null, ended: null, judgeError: null };
  const told = (text: string) => {
    const check = { runId: 'r', name: 'draft.txt', text, sentences: [], counts, ...ends };
    return endMessage(check as unknown as DraftCheck, undefined);
  };
  expect(told('Owls hunt.')).toContain(
    "The files support 2 of 3 checked claims. This check was stopped after 3 of 9 claims. The others weren't checked.",
  );
  expect(told('猫头鹰住在森林里。')).toContain('已核查的 3 条论断中，2 条有文件支持。');
});

const LIST = `# References

[1] Strix, A. (2020). Night hunting of barn owls in rice fields. Journal of Raptors, 1, 2–3.

[2] Strix, A. (2011). Calls of tawny owls in city parks. Journal of Raptors, 1, 2–3.

[3] Miller, K. (2021). Tidal owls and their calendars. Journal of Tides, 1, 2–3.
`;

describe.each(['ima', 'imb'] as const)('/references on %s', (platform) => {
  const fields = platform === 'ima' ? {} : LISA;
  const shownOf = (rig: BotRig) => (platform === 'ima' ? rig.feishu : rig.wecom);

  async function startWithCatalogs() {
    const rig = await startRig();
    const known = ['Night hunting of barn owls in rice fields', 'Calls of tawny owls in city parks'];
    const works = known.map((title) => ({
      ...{ title, authors: ['Ann Strix'], published: '2020-01-05T00:00:00Z', venue: 'Journal of Raptors' },
    }));
    const fake = await startFakePapers({ openalex: works, crossref: works, semantic_scholar: works });
    rig.ports.papers = { ...rig.ports.papers, ...catalogsAt(fake.url) };
    return rig;
  }

  it('replies with the counts, and the entries that the author has to review', async () => {
    const rig = await startWithCatalogs();
    await rig.say(`/references Owls hunt at night in 12 forests [1].\n\n${LIST}`, fields);
    await tick(rig);
    const [begun, end] = lastShown(shownOf(rig));
    expect(begun).toMatchObject({ kind: 'command', command: 'references', ok: true });
    const [, , title, counts, entries, page] = textsOf([end as never])[0]?.split('\n\n') ?? [];
    expect([title, counts]).toEqual([
      '**Reference list**',
      'Not found: 1 · Differs from the record: 1 · Found: 1',
    ]);
    expect(entries?.split('\n')).toEqual([
      expect.stringMatching(/^1\. “Miller, K\. .*” \*\*Not found\*\*/),
      expect.stringMatching(/^2\. “Strix, A\. \(2011\).*” \*\*Differs from the record\*\* Year: “2011”/),
    ]);
    expect(page).toMatch(/\/drafts\/[0-9a-f-]{36}$/);
  });

  it('looks up the latest file of its sender, and says if it has no list', async () => {
    const rig = await startWithCatalogs();
    shownOf(rig).files.set('f', Buffer.from('猫头鹰在夜间捕猎。\n'));
    rig.model.answer = inTurn(says('Read.'));
    await rig.say({ type: 'file', key: 'f', name: 'draft.md' }, fields);
    await rig.say('核对参考文献', fields);
    await tick(rig);
    expect(textsOf(lastShown(shownOf(rig))).at(-1)).toContain('未找到参考文献列表。');
  });
});

it('/references explains itself if there is no draft', async () => {
  const rig = await startRig();
  await rig.say('/references');
  expect(textsOf(lastShown(rig.feishu)).at(-1)).toContain('send it, then /references');
});

describe('request for a check', () => {
  it.each([
    ['/references Strix 2020.', 'Strix 2020.'],
    ['/References', ''],
    ['/核查参考文献：猫头鹰', '猫头鹰'],
    ['核对参考文献', ''],
  ])('asks for the reference list in %j', (text, words) => {
    expect(readAskedCheck(text)).toEqual({ name: 'references', words });
  });

  it.each(['核对参考文献的格式', '/referencesx', 'References: Smith'])(
    'asks for no reference list in %j',
    (text) => {
      expect(readAskedCheck(text)?.name).not.toBe('references');
    },
  );

  it.each([
    ['/check Owls hunt.', 'Owls hunt.'],
    ['check: Owls hunt.', 'Owls hunt.'],
    ['Check\nOwls hunt.', 'Owls hunt.'],
    ['核对：猫头鹰。', '猫头鹰。'],
    ['/核查 猫头鹰。', '猫头鹰。'],
    ['check', ''],
    ['核对', ''],
    ['check whether it builds', undefined],
    ['/checkout', undefined],
    ['核对一下这个文件夹', undefined],
    ['Please check', undefined],
  ])('is recognized in %j: %j', (text, words) => {
    const asked = words === undefined ? undefined : { name: 'check', words };
    expect(readAskedCheck(text)).toEqual(asked);
  });
});
