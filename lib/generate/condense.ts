import { forEachConcurrent } from '../async/for-each-concurrent.ts';
import { askModel } from '../notes/ask-model.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import type { Passage } from '../ports/vectors.ts';
import type { Ending } from '../ui-messages/answer-ending.ts';
import { cutDraft, type Draft, draftOf, numberThrough } from './draft.ts';
import { condenseRequest, showParts, showPassages, writeRequest } from './prompts.ts';
import type { FilesNoteType } from './schema.ts';

/** The bytes of one prompt: 15,000 to 20,000 tokens in any language, which leaves room in every model of today. */
const PROMPT_BYTES = 60_000;
/** The bytes of one condensed part: at least three fit into a prompt, so every round leaves fewer. */
const DRAFT_BYTES = 15_000;
/** Bytes of an element of a prompt besides its text, with its path. */
const ELEMENT_BYTES = 200;
/** No answer could cite more in the form of three digits. */
const MAX_NUMBERS = 900;
const CALLS_AT_ONCE = 8;

export interface Writing {
  model: LanguageModel;
  type: FilesNoteType;
  locale: string | undefined;
  signal: AbortSignal;
  /** Hears how each text of the model ended. */
  tell: (ending: Ending | undefined) => void;
}

/**
 * One text from any number of passages. Writes directly from what fits into a prompt; when there is more, condenses
 * parts side by side, then groups of them, until the rest fits.
 */
export async function writeFrom(writing: Writing, passages: Passage[]): Promise<Draft> {
  const [first = [], ...more] = pack(passages, ({ path, text }) => ({
    bytes: sizeOf(path) + sizeOf(text),
    numbers: 1,
  }));
  if (more.length === 0) return write(writing, showPassages(first), first);
  let drafts = await inParallel(writing, [first, ...more], (own, part) =>
    condense(own, showPassages(part), part),
  );
  for (;;) {
    const groups = pack(drafts, ({ text, sources }) => ({ bytes: sizeOf(text), numbers: sources.length }));
    if (groups.length === 1) {
      const { texts, sources } = numberThrough(drafts);
      return write(writing, showParts(texts), sources);
    }
    drafts = await inParallel(writing, groups, (own, group) => {
      const { texts, sources } = numberThrough(group);
      return condense(own, showParts(texts), sources);
    });
  }
}

async function write({ model, type, locale, signal, tell }: Writing, content: string, offered: Passage[]) {
  const { text, ending } = await askModel(model, { ...writeRequest(type, content, locale), signal });
  tell(ending);
  return cutDraft(draftOf(text, offered), PROMPT_BYTES);
}

async function condense({ model, type, signal, tell }: Writing, content: string, offered: Passage[]) {
  const { text, ending } = await askModel(model, { ...condenseRequest(type, content), signal });
  tell(ending);
  const { text: short, sources } = cutDraft(draftOf(text, offered), DRAFT_BYTES);
  return fewerSources({ text: short, sources });
}

/** A part that cites everything must not fill a prompt with numbers: the first ones stay. */
function fewerSources({ text, sources }: Draft): Draft {
  return draftOf(text, sources.slice(0, MAX_NUMBERS / 3));
}

/** Neighbors in groups that fit into one prompt each. */
function pack<Item>(items: Item[], weigh: (item: Item) => { bytes: number; numbers: number }): Item[][] {
  const groups: Item[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  let numbers = 0;
  for (const item of items) {
    const weight = weigh(item);
    bytes += weight.bytes + ELEMENT_BYTES;
    numbers += weight.numbers;
    if (bytes > PROMPT_BYTES || numbers > MAX_NUMBERS) {
      groups.push([]);
      bytes = weight.bytes + ELEMENT_BYTES;
      numbers = weight.numbers;
    }
    groups.at(-1)?.push(item);
  }
  return groups;
}

function sizeOf(text: string): number {
  return Buffer.byteLength(text);
}

/** Works in order, a few at a time. The first failure ends the others. */
async function inParallel<Item>(
  writing: Writing,
  items: Item[],
  work: (writing: Writing, item: Item) => Promise<Draft>,
): Promise<Draft[]> {
  const failed = new AbortController();
  const own = { ...writing, signal: AbortSignal.any([writing.signal, failed.signal]) };
  const results: Draft[] = [];
  try {
    await forEachConcurrent(items.entries(), CALLS_AT_ONCE, async ([place, item]) => {
      results[place] = await work(own, item);
    });
  } catch (error) {
    failed.abort(error);
    throw error;
  }
  return results;
}
