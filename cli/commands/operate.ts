import { UsageError } from '../../infra/command-line.ts';
import { type Call, type Command, textOf } from '../command.ts';
import { dataFolder } from '../places.ts';
import { loadSettings } from './backup.ts';

/**
 * The operator's programs, which are scripts of npm in a clone of the repository. They work on this host's data folder
 * with its owner's permissions, without the service.
 */
export const embedder: Command = {
  name: 'embedder',
  usage: 'install | status | remove',
  summary: 'install local models for semantic search, ranking, and citations',
  uses: 'nothing',
  completes: ['install', 'status', 'remove'],
  options: {
    reranker: { type: 'boolean' },
    entailment: { type: 'boolean' },
    from: { type: 'string' },
    repo: { type: 'string' },
    revision: { type: 'string' },
  },
  optionTexts: {
    reranker: 'the model that ranks search results',
    entailment: 'the model that judges citations',
    from: "folder with the model's files",
    repo: 'repository of the model on Hugging Face',
    revision: 'commit of the repository',
  },
  async run(call) {
    const { reranker, entailment } = call.values;
    prepare(call);
    const { manageModels } = await import('../../infra/embedder/cli.ts');
    await manageModels(call.words, {
      reranker: reranker === true,
      entailment: entailment === true,
      from: textOf(call.values, 'from'),
      repo: textOf(call.values, 'repo'),
      revision: textOf(call.values, 'revision'),
    });
  },
};

export const recognition: Command = {
  name: 'recognition',
  usage: 'install | status | remove',
  summary: 'install OCR for scanned pages and images',
  uses: 'nothing',
  completes: ['install', 'status', 'remove'],
  options: { from: { type: 'string' } },
  optionTexts: { from: 'folder with the files of the OCR engine' },
  async run(call) {
    prepare(call);
    const { manageRecognition } = await import('../../infra/recognition/cli.ts');
    await manageRecognition(call.words, textOf(call.values, 'from'));
  },
};

export const people: Command = {
  name: 'people',
  usage: 'list | owned ID | export ID | hand-over ID --to ID | erase ID | state ID',
  summary: 'show, export, hand over, and erase what people own',
  uses: 'nothing',
  completes: ['list', 'owned', 'export', 'hand-over', 'erase', 'state'],
  options: { to: { type: 'string' }, kinds: { type: 'string' } },
  optionTexts: {
    to: 'ID of the person who takes over',
    kinds: 'comma-separated: conversations, tasks, workspaces',
  },
  async run(call) {
    prepare(call);
    const { managePeople } = await import('../../infra/people.ts');
    await managePeople(call.words, { to: textOf(call.values, 'to'), kinds: textOf(call.values, 'kinds') });
  },
};

/** These programs print for people, and `people export` prints what it exports. */
function prepare({ context }: Call): void {
  if (context.isJson) throw new UsageError('This command has no --json.');
  loadSettings();
  process.env.DATA_DIR = dataFolder();
}
