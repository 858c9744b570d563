import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { diskObjects } from '../../../../lib/adapters/disk/objects.ts';
import { ripgrepTextSearch } from '../../../../lib/adapters/ripgrep/text-search.ts';
import { bashTool } from '../../../../lib/agent/tools/bash.ts';
import { editFileTool } from '../../../../lib/agent/tools/edit-file.ts';
import { grepTool } from '../../../../lib/agent/tools/grep.ts';
import { listDirectoryTool } from '../../../../lib/agent/tools/list-directory.ts';
import { readFileTool } from '../../../../lib/agent/tools/read-file.ts';
import type { ToolContext } from '../../../../lib/agent/tools/tool.ts';
import { writeFileTool } from '../../../../lib/agent/tools/write-file.ts';
import { readConfig } from '../../../../lib/config.ts';
import { type Dataset, datasets, links } from '../../../../lib/datasets/schema.ts';
import { newDataset } from '../../../../lib/datasets/steps/transitions.ts';
import { systemClock } from '../../../../lib/ports/clock.ts';
import type { Command, Commands } from '../../../../lib/ports/commands.ts';
import { openRecords } from '../../../../lib/wiring/records.ts';

import { tempFolder } from '../../../support/temp-folder.ts';
import { makeContext, touchQueue } from '../../../support/tool-context.ts';

const indexQueue = touchQueue();
const write = writeFileTool({ touchQueue: indexQueue });
const edit = editFileTool({ touchQueue: indexQueue });
const objects = diskObjects(await tempFolder(), () => Promise.reject(new Error('no uploads here')));
const grep = grepTool({ textSearch: ripgrepTextSearch(), objects });
let context: ToolContext;

/** A workspace with a file, and a dataset with one. */
beforeEach(async () => {
  const [root, localPath, dataDir] = [await tempFolder(), await tempFolder(), await tempFolder()];
  const records = await openRecords(readConfig({ DATA_DIR: dataDir }));
  context = makeContext(root, { records });
  await writeFile(join(root, 'own.txt'), 'an okapi of mine\n');
  await mkdir(join(localPath, 'sub'));
  await writeFile(join(localPath, 'sub/a.txt'), 'an okapi\n');
  const fields = { name: 'zoo', repoId: 'x', repoType: 'dataset', source: 'local', revision: null } as const;
  const patterns = { allowPatterns: null, ignorePatterns: null };
  const made = newDataset({ clock: systemClock, datasetsDir: '/' }, context.caller, {
    ...fields,
    ...patterns,
    localPath,
  });
  const dataset: Dataset = { ...made, status: 'ready' };
  await datasets.create(records, dataset);
  const linkedAt = dataset.createdAt;
  await links.create(records, { workspaceId: 'w', name: 'zoo', datasetId: dataset.id, linkedAt });
});

describe('linked dataset', () => {
  it('is a folder of the workspace for commands', async () => {
    const asked: Command[] = [];
    const commands: Commands = {
      async run(command) {
        asked.push(command);
        return { stdout: '', stderr: '', exitCode: 0, timedOut: false, truncated: false, cwd: command.cwd };
      },
    };
    const bash = bashTool({ commandsFor: () => commands, workspaceChanged: async () => {} });
    await bash.run({ command: 'ls', timeout: 5 }, context);
    const source = expect.stringMatching(/^\//);
    const target = join(context.workspace.rootPath, 'datasets/zoo');
    expect(asked).toMatchObject([{ mounts: [{ source, target }] }]);
    expect(await readFile(join(asked[0]?.mounts?.[0]?.source ?? '', 'sub/a.txt'), 'utf8')).toBe('an okapi\n');
  });

  it('is listed and read', async () => {
    const names = async (path: string) => {
      const listed = (await listDirectoryTool().run({ path, hidden: false, limit: 200 }, context)) as {
        entries: { name: string }[];
      };
      return listed.entries.map(({ name }) => name);
    };
    expect(await names('')).toEqual(['datasets', 'own.txt']);
    expect(await names('datasets')).toEqual(['zoo']);
    expect(await names('datasets/zoo/sub')).toEqual(['a.txt']);
    expect(await readFileTool({ objects }).run({ path: 'datasets/zoo/sub/a.txt' }, context)).toMatchObject({
      path: 'datasets/zoo/sub/a.txt',
      content: 'an okapi\n',
    });
    await expect(names('datasets/zoo/../../..')).rejects.toThrow('outside');
  });

  it.each([
    ['', ['own.txt', 'datasets/zoo/sub/a.txt']],
    ['datasets', ['datasets/zoo/sub/a.txt']],
    ['datasets/zoo/sub', ['datasets/zoo/sub/a.txt']],
  ])('is searched below %j', async (path, found) => {
    const { matches } = (await grep.run(
      { pattern: 'okapi', path, ignoreCase: false, context: 0, limit: 10 },
      context,
    )) as {
      matches: { path: string }[];
    };
    expect(matches.map((match) => match.path)).toEqual(found);
  });

  it('is never written to', async () => {
    const path = 'datasets/zoo/sub/a.txt';
    const refusal = 'is in a linked dataset, which is read-only';
    await expect(write.run({ path, content: 'x' }, context)).rejects.toThrow(refusal);
    const edits = [{ oldText: 'okapi', newText: 'x', replaceAll: false }];
    await expect(edit.run({ path, edits }, context)).rejects.toThrow(refusal);
    expect(indexQueue.touched).toEqual([]);
  });
});
