import { UsageError } from '../../infra/command-line.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { describePart } from '../citations.ts';
import { type Command, textOf } from '../command.ts';
import { readFolderAndText } from '../folder-and-text.ts';
import { readScope, SCOPE_OPTIONS, SCOPE_TEXTS } from '../scope.ts';
import { syncIfAllowed } from '../sync-progress.ts';
import { cleanLine, cyan, dim, printJson, printLine, tellLine } from '../terminal.ts';
import { openWorkspace, type Place } from '../workspace.ts';

const SHOWN_CHARACTERS = 300;

export const search: Command = {
  name: 'search',
  usage: '[FOLDER] WORDS',
  summary: 'find the best matching passages of a folder; needs no model',
  uses: 'workspace',
  options: { k: { type: 'string', short: 'k' }, ...SCOPE_OPTIONS, 'no-sync': { type: 'boolean' } },
  optionTexts: {
    k: 'number of passages, 1 to 100 (default: 8)',
    ...SCOPE_TEXTS,
    'no-sync': 'use the current index without re-indexing',
  },
  completes: 'folder',
  async run({ context, words, values }) {
    const { folder, text } = await readFolderAndText(words, context, 'search text');
    const k = textOf(values, 'k') ?? '8';
    if (!/^([1-9]\d?|100)$/.test(k)) throw new UsageError('-k must be a number from 1 to 100.');
    const place = await openWorkspace(context, folder);
    const paths = await readScope(values, place, folder);
    if (!values['no-sync']) await syncIfAllowed(place, context);
    const query = { q: text, k: Number(k), ...(paths && { paths: paths.join('\n') }) };
    const params = { path: { workspaceId: place.workspace.id }, query };
    const found = await place.client.call((api) =>
      api.GET('/api/workspaces/{workspaceId}/search', { params }),
    );
    if (context.isJson) return printJson(found);
    for (const passage of found) printFound(passage, place);
    if (found.length === 0) tellLine('No matching passages.');
  },
};

function printFound(found: Schemas['FoundPassage'], { show }: Place): void {
  const { path, startLine, score, text } = found;
  const place = cleanLine(`${show(path)}:${startLine}`);
  printLine(cyan(place), dim(cleanLine(`${describePart(found)}  `)), dim(score.toFixed(2)));
  const short = cleanLine(text).trim();
  printLine(`  ${short.length > SHOWN_CHARACTERS ? `${short.slice(0, SHOWN_CHARACTERS)} …` : short}`);
}
