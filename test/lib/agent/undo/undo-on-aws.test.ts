import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { keeperOf } from '../../../../lib/agent/undo/keeper.ts';
import { dropKept, keepFolder, sweepKept } from '../../../../lib/agent/undo/kept-folders.ts';
import { readChanges } from '../../../../lib/agent/undo/run-changes.ts';
import { keptFolders } from '../../../../lib/agent/undo/schema.ts';
import { undoChanges } from '../../../../lib/agent/undo/undo-run.ts';
import { openKept } from '../../../../lib/agent/undo/undo-store.ts';
import { startAgentRig } from '../../../support/agent.ts';
import { startBroughtCommands } from '../../../support/brought-commands.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { snapshot } from '../../../support/undo-trees.ts';

describe('undo where commands work on a copy', () => {
  it("stores each path before a command's change is applied", async () => {
    const { commands } = await startBroughtCommands();
    const root = await tempFolder();
    await mkdir(join(root, 'data/empty'), { recursive: true });
    await writeFile(join(root, 'data/a.csv'), 'a\n');
    await writeFile(join(root, 'notes.md'), 'owls\n', { mode: 0o600 });
    await symlink('notes.md', join(root, 'latest'));
    const before = snapshot(root);
    const store = { folder: await tempFolder(), changed: async () => {} };
    const keeper = keeperOf(store, { id: 'w', rootPath: root }, 'run', async () => {});
    const script =
      'mv data/a.csv b.csv && rm -rf data latest && echo mice > notes.md && mkdir -p x/y && echo n > x/y/n';
    const command = { script, workspaceId: 'w', cwd: root, writable: [root], keeper };
    const { stderr } = await commands.run({ ...command, timeoutMs: 20_000, maxOutputBytes: 1000 });
    expect(stderr).toBe('');
    expect(snapshot(root)).not.toEqual(before);
    const kept = await openKept(store, 'w', 'run');
    const undo = { root, kept, force: false, mayGoOn: () => true };
    await undoChanges({ ...undo, change: (_, make) => make() }, await readChanges(root, kept));
    expect(snapshot(root)).toEqual(before);
    expect((await readChanges(root, kept)).filter((change) => change.undo !== 'done')).toEqual([]);
  });
});

describe('the stored undo data', () => {
  it('is deleted by a worker after 30 days, which a tick requests once per hour', async () => {
    const { ports, time, workspace } = await startAgentRig();
    const sent: unknown[] = [];
    const agentQueue = {
      ...ports.agentQueue,
      send: async (messages: unknown[]) => void sent.push(...messages),
    };
    const place = join(ports.undo.folder, workspace.id, 'run');
    await mkdir(place, { recursive: true });
    await keepFolder(ports, workspace.id, 'run');
    time.offsetMs = 29 * 86_400_000;
    await sweepKept({ ...ports, agentQueue });
    expect(sent).toEqual([]);
    time.offsetMs = 31 * 86_400_000;
    await sweepKept({ ...ports, agentQueue });
    await sweepKept({ ...ports, agentQueue });
    expect(sent).toEqual([{ body: { runId: 'run', undoOf: workspace.id } }]);
    await dropKept(ports, workspace.id, 'run');
    expect(await readdir(join(ports.undo.folder, workspace.id))).toEqual([]);
    expect(await keptFolders.get(ports.records, { workspaceId: workspace.id, name: 'run' })).toBeUndefined();
  });
});
