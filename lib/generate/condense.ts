import type { Ending } from '../api-contract/answer-notices.ts';
import { forEachConcurrent } from '../async/for-each-concurrent.ts';
import { askModel, type WrittenText } from '../notes/ask-model.ts';
import type { LanguageModel, ModelRequest } from '../ports/language-model.ts';
import type { Passage } from '../ports/vectors.ts';
import { askWithin } from '../support/prompt-room.ts';
import { boundTokens, cutToTokens, MOST_PER_BYTE, mostTokens } from '../text/count-tokens.ts';
import { characterStart } from '../text/cut-text.ts';
import { cutDraft, type Draft, draftOf, numberThrough } from './draft.ts';
import { condenseRequest, showParts, showPassages, writeRequest } from './prompts.ts';
import type { FilesNoteType } from './schema.ts';

/** Bytes of one prompt: 15,000 to 20,000 tokens in any language, which every current model accepts. */
const PROMPT_BYTES = 60_000;
/** Bytes of one condensed part. At least three parts fit into a prompt, so every round leaves fewer parts. */
const DRAFT_BYTES = 15_000;
/** The size of a condensed part in a small window, as a share of the window. */
const DRAFT_SHARE = 1 / 4;
/** Bytes that an element of the prompt has in addition to its text, such as its path. */
const ELEMENT_BYTES = 200;
/** Tokens that an element has in addition to its text, such as its two codes, and tokens of the rules. */
const ELEMENT_TOKENS = 70;
const RULES_TOKENS = 420;
/** Maximum numbered sources, because a citation has at most three digits. */
const MAX_NUMBERS = 900;
const CALLS_AT_ONCE = 8;
/** Maximum parts that can be condensed within the time of one request. */
const MAX_PARTS = 100;
/** The average in most tokenizers. */
const BYTES_A_TOKEN = 3;
/** In tokens. In a smaller window, an answer of the default length would be truncated. */
const SMALL_WINDOW = 8192;

export interface Writing {
  model: LanguageModel;
  type: FilesNoteType;
  locale: string | undefined;
  signal: AbortSignal;
  /** Called with how each text of the model ended. */
  tell: (ending: Ending | undefined) => void;
  /** Tokens of a prompt, without the rules. */
  tokens: number;
  /** Maximum words of an answer. If undefined, the rules state the number. */
  words?: number | undefined;
  /** Called for each prompt that the server truncated. */
  onCut?: () => void;
}

/**
 * Writes a text like writeFrom, with prompts that fit the model's window. If the model refuses a prompt
 * because of its length, tries again with half the size.
 */
export function writeWithin(
  writing: Omit<Writing, 'tokens' | 'words'>,
  read: (maxBytes: number) => Promise<Passage[]>,
): Promise<Draft> {
  return askWithin(writing.model, async ({ tokens, contextTokens }) => {
    const left = tokens - RULES_TOKENS;
    const words = contextTokens <= SMALL_WINDOW ? Math.floor(contextTokens / 8) : undefined;
    return writeFrom(
      { ...writing, tokens: left, words },
      await read(MAX_PARTS * Math.min(PROMPT_BYTES, left * BYTES_A_TOKEN)),
    );
  });
}

/**
 * Writes one text from any number of passages. If all fit into one prompt, writes the text directly;
 * otherwise, condenses parts concurrently, then groups of parts, until the rest fits.
 */
export async function writeFrom(writing: Writing, passages: Passage[]): Promise<Draft> {
  const fitting = passages.flatMap((passage) => splitPassage(passage, writing.tokens - ELEMENT_TOKENS));
  const [first = [], ...more] = pack(fitting, writing, ({ path, text }) => ({
    text: path + text,
    numbers: 1,
  }));
  if (more.length === 0) return write(writing, showPassages(first), first);
  let drafts = await inParallel(writing, [first, ...more], (own, part) =>
    condense(own, showPassages(part), part),
  );
  for (;;) {
    const groups = pack(drafts, writing, ({ text, sources }) => ({ text, numbers: sources.length }));
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

async function write(writing: Writing, content: string, offered: Passage[]) {
  const { text, ending } = await askFor(writing, writeRequest(writing.type, content, writing));
  writing.tell(ending);
  return cutDraft(draftOf(text, offered), PROMPT_BYTES);
}

async function condense(writing: Writing, content: string, offered: Passage[]) {
  const { text, ending } = await askFor(writing, condenseRequest(writing.type, content, writing));
  writing.tell(ending);
  const draft = draftOf(text, offered);
  const most = Math.floor(DRAFT_SHARE * writing.tokens);
  const fitting = sizeOf(cutToTokens(draft.text, most));
  const { text: short, sources } = cutDraft(draft, Math.min(DRAFT_BYTES, fitting));
  return fewerSources({ text: short, sources });
}

function askFor({ model, signal, onCut }: Writing, request: ModelRequest): Promise<WrittenText> {
  return askModel(model, { ...request, signal }, ({ promptCut }) => promptCut && onCut?.());
}

/** Splits a passage that is too long for a prompt into halves. */
function splitPassage(passage: Passage, tokens: number): Passage[] {
  const { path, text } = passage;
  if (text.length < 2 || boundTokens(path + text) <= tokens || mostTokens(path + text) <= tokens)
    return [passage];
  const middle = characterStart(text, text.indexOf('\n', text.length / 2) + 1 || text.length / 2) || 1;
  const halves = [text.slice(0, middle), text.slice(middle)].filter((half) => half.trim() !== '');
  if (halves.length < 2) return [passage];
  return halves.flatMap((half) => splitPassage({ ...passage, text: half }, tokens));
}

/** Keeps only the first sources. Otherwise, a part that cites everything would fill a prompt with numbers. */
function fewerSources({ text, sources }: Draft): Draft {
  return draftOf(text, sources.slice(0, MAX_NUMBERS / 3));
}

/** Groups adjacent items that fit into one prompt. */
function pack<Item>(
  items: Item[],
  writing: Writing,
  weigh: (item: Item) => { text: string; numbers: number },
): Item[][] {
  const groups: Item[][] = [];
  // A prompt with this many bytes can't have more tokens.
  const isByBytes = MOST_PER_BYTE * PROMPT_BYTES <= writing.tokens;
  let sum = NOTHING;
  for (const item of items) {
    const { text, numbers } = weigh(item);
    const bytes = sizeOf(text) + ELEMENT_BYTES;
    const tokens = isByBytes ? 0 : mostTokens(text) + ELEMENT_TOKENS;
    sum = { bytes: sum.bytes + bytes, numbers: sum.numbers + numbers, tokens: sum.tokens + tokens };
    const isFull = sum.bytes > PROMPT_BYTES || sum.numbers > MAX_NUMBERS || sum.tokens > writing.tokens;
    if (isFull || groups.length === 0) {
      groups.push([]);
      sum = { bytes, numbers, tokens };
    }
    groups.at(-1)?.push(item);
  }
  return groups;
}

const NOTHING = { bytes: 0, numbers: 0, tokens: 0 };

function sizeOf(text: string): number {
  return Buffer.byteLength(text);
}

/** Processes items in order, a few at a time. The first failure stops the others. */
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
