import type { Ending } from '../api-contract/answer-notices.ts';
import type { Citation } from '../api-contract/citation.ts';
import { findCitedSentences } from '../api-contract/cited-sentences.ts';
import { citedNumbers } from '../api-contract/markers.ts';
import { type ListedSource, listedSource, withSourceList } from '../api-contract/source-list.ts';
import { InvalidInput } from '../errors.ts';
import { isChinese, isMostlyChinese } from '../notes/chinese.ts';
import { addNote } from '../notes/notes.ts';
import type { Note } from '../notes/schema.ts';
import { timestamp } from '../ports/clock.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import type { Objects } from '../ports/objects.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { Vectors } from '../ports/vectors.ts';
import { citeAll } from '../retrieval/cite/cite.ts';
import type { SourcePorts } from '../retrieval/cite/sources.ts';
import { promptCutText } from '../support/prompt-room.ts';
import { withEnding } from '../ui-messages/answer-ending.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { writeWithin } from './condense.ts';
import type { Draft } from './draft.ts';
import { type Material, readMaterial } from './material.ts';
import type { FilesNoteType } from './schema.ts';

export interface GeneratePorts extends TimedRecords {
  objects: Objects;
  vectors: Vectors;
}

export interface GenerateRequest {
  workspace: Workspace;
  actor: string;
  type: FilesNoteType;
  locale: string | undefined;
  model: LanguageModel;
  signal: AbortSignal;
}

type Titles = Record<FilesNoteType, string>;
const TITLES: Titles = {
  summary: 'Summary',
  faq: 'FAQ',
  brief: 'Briefing document',
  timeline: 'Timeline',
  memory: 'Memory',
};
const CHINESE_TITLES: Titles = {
  summary: '摘要',
  faq: '常见问题',
  brief: '简报',
  timeline: '时间线',
  memory: '记忆',
};

/** Writes a note from all files of the index, with its sources. Throws InvalidInput if there is nothing to read. */
export async function generateNote(ports: GeneratePorts, request: GenerateRequest): Promise<Note> {
  const { workspace, actor, type } = request;
  let cut = 0;
  let material: Material = { passages: [], total: 0 };
  const onCut = () => {
    cut += 1;
  };
  let ending: Ending | undefined;
  const tell = (told: Ending | undefined) => {
    ending ??= told;
  };
  const draft = await writeWithin({ ...request, onCut, tell }, async (maxBytes) => {
    material = await readMaterial(ports, workspace.id, maxBytes);
    if (material.passages.length > 0) return material.passages;
    throw new InvalidInput(
      'index_empty',
      'This workspace has no indexed files. Add files or re-index it first.',
      { field: 'workspaceId' },
    );
  });
  const titles = titlesFor(request.locale, draft.text);
  const sources = await listSources(ports, workspace, draft);
  return addNote(ports, actor, {
    workspaceId: workspace.id,
    title: `${titles[type]} - ${timestamp(ports.clock).slice(0, 10)}`,
    content: withEnding(draft.text, ending, titles === CHINESE_TITLES) + sources + remark(material, cut),
    type,
  });
}

/** Returns titles in the note's language: the requested one, otherwise the language of the text. */
function titlesFor(locale: string | undefined, text: string): Titles {
  return (locale === undefined ? isMostlyChinese(text) : isChinese(locale)) ? CHINESE_TITLES : TITLES;
}

/** Returns a remark about the material that the note doesn't cover. */
function remark({ passages, total }: Material, cut: number): string {
  const remarks = [
    ...(passages.length === total
      ? []
      : [
          `Written from ${passages.length} of ${total} passages, taken evenly from all files: there was too much to read in one go.`,
        ]),
    ...(cut === 0 ? [] : [`Parts of the files are missing. ${promptCutText(null)}`]),
  ];
  return remarks.length === 0 ? '' : `\n\n---\n${remarks.join('\n\n')}`;
}

/** Maximum sources with quotes. Further sources have only their location, because a note has a size limit. */
const MAX_QUOTES = 200;

/**
 * Lists the sources of a text as Markdown: each number with its file, lines, and the quote that was just found there.
 */
async function listSources(
  ports: SourcePorts,
  workspace: Workspace,
  { text, sources }: Draft,
): Promise<string> {
  const sentences = findCitedSentences(text);
  const cited = citedNumbers(text).flatMap((index) => {
    const passage = sources[index - 1];
    const claim = sentences.find(({ numbers }) => numbers.includes(index))?.claim ?? '';
    return passage === undefined ? [] : [{ index, passage, claim }];
  });
  return withSourceList('', (await citeAll(ports, workspace, cited)).map(listed));
}

function listed(citation: Citation, place: number): ListedSource {
  const source = listedSource(citation);
  return place < MAX_QUOTES ? source : { ...source, quote: '' };
}
