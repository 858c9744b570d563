import { describe, expect, it } from '@jest/globals';
import { createInstance } from 'i18next';
import { changesOfRun, changesSum, forcedUndoOf } from '../../../web/agent/changes-sum.ts';
import en from '../../../web/languages/en/agent.json' with { type: 'json' };
import zh from '../../../web/languages/zh-CN/agent.json' with { type: 'json' };

async function speak(language: string) {
  const i18n = createInstance();
  const resources = { en: { translation: { agent: en } }, 'zh-CN': { translation: { agent: zh } } };
  await i18n.init({ lng: language, resources });
  return i18n;
}

async function sum(language: string, counts: Partial<Record<string, number>>, folders: string[] = []) {
  const i18n = await speak(language);
  const all = { created: 0, changed: 0, deleted: 0, moved: 0, ...counts };
  const files = [
    { type: 'file', change: 'created' },
    ...folders.map((change) => ({ type: 'directory', change })),
  ];
  return changesSum({ counts: all, files } as Parameters<typeof changesSum>[0], i18n);
}

describe("summary of a run's changes", () => {
  it.each([
    ['en', { changed: 3, deleted: 2 }, 'Changed 3 files, deleted 2 files'],
    ['en', { deleted: 1 }, 'Deleted 1 file'],
    [
      'en',
      { created: 1, changed: 1, deleted: 1, moved: 2 },
      'Changed 1 file, created 1 file, deleted 1 file, moved 2 files',
    ],
    ['zh-CN', { changed: 3, deleted: 2 }, '更改了 3 个文件、删除了 2 个文件'],
  ])('is for %s: %j', async (language, counts, text) => {
    expect(await sum(language, counts)).toBe(text);
  });

  it.each([
    ['en', { created: 1, moved: 7 }, ['created'], 'Created 1 file and 1 folder, moved 7 files'],
    ['en', { changed: 1 }, ['deleted', 'deleted'], 'Changed 1 file, deleted 2 folders'],
    ['zh-CN', { created: 1 }, ['created'], '创建了 1 个文件和 1 个文件夹'],
    ['zh-CN', {}, ['deleted'], '删除了 1 个文件夹'],
  ])('also counts folders: %s %j %j', async (language, counts, folders, text) => {
    expect(await sum(language, counts, folders)).toBe(text);
  });

  it('does not name folders if no folder is known', async () => {
    expect(await sum('en', {})).toBe("Some changes aren't known");
  });
});

describe('run in a list', () => {
  it.each([
    ['en', { changed: 3 }, 'Changed 3 files'],
    ['en', { changed: 3, created: 1, undone: 4 }, 'Changed 3 files, created 1 file · Undone'],
    ['en', { changed: 3, undone: 2 }, 'Changed 3 files · 2 of 3 files undone'],
    ['en', {}, undefined],
    ['zh-CN', { changed: 3, undone: 2 }, '更改了 3 个文件 · 3 个文件中 2 个已撤销'],
    ['zh-CN', { deleted: 1, undone: 1 }, '删除了 1 个文件 · 已撤销'],
  ])('shows for %s: %j', async (language, counts, text) => {
    const changes = { created: 0, changed: 0, deleted: 0, moved: 0, undone: 0, ...counts };
    expect(changesOfRun({ changes }, await speak(language))).toBe(text);
  });

  it('shows nothing if the changes were not counted', async () => {
    expect(changesOfRun({ changes: null }, await speak('en'))).toBeUndefined();
  });
});

it.each([
  ['created', 'delete'],
  ['changed', 'overwrite'],
  ['deleted', 'overwrite'],
  ['moved', 'overwrite'],
] as const)('forced undo of a %s path is confirmed with its effect: %s', (change, asked) => {
  expect(forcedUndoOf({ change })).toBe(asked);
});
