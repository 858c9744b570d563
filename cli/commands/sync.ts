import type { Command } from '../command.ts';
import { readFolder } from '../folder-and-text.ts';
import { describeState, syncIndex } from '../sync-progress.ts';
import { printJson, printLine } from '../terminal.ts';
import { openWorkspace } from '../workspace.ts';

export const sync: Command = {
  name: 'sync',
  usage: '[FOLDER]',
  summary: 'index the new and changed files of a folder',
  uses: 'workspace',
  completes: 'folder',
  async run({ context, words }) {
    const place = await openWorkspace(context, readFolder(words, context));
    const state = await syncIndex(place, context);
    if (context.isJson) return printJson({ workspaceId: place.workspace.id, ...state });
    printLine(describeState(state));
  },
};
