import type { DateFact } from './dates.ts';
import type { Quantity } from './quantity.ts';
import { subjectMatter, wordRoot } from './same-words.ts';
import { headOf, rowsIn, type TableRow } from './table-rows.ts';

/** A text with the numbers and dates found in it. */
interface Read {
  text: string;
  quantities: Quantity[];
  dates: DateFact[];
}

/** A number, a date, or the text of a cell, with the labels that distinguish it from others. */
interface Slot {
  value: string;
  shown: string;
  /** Only slots of the same kind can be mistaken for each other. */
  kind: string;
  /** Slots of the same row or column, or of adjacent sentences, share one of these. */
  near: string[];
  /**
   * The clause of the slot. Slots of the same clause are compared only by the words on the same side of each.
   */
  clause: string;
  /**
   * The strongest labels first: numbers next to the value, words before and after it, words of its clause, and words of
   * its sentence.
   */
  labels: Set<string>[];
  /** All words next to the value, including function words. */
  small?: Set<string>;
  /** All words of the value's clause. */
  around?: Set<string>;
}

/** A value that a sentence gives to the labels of another value, with the other value. */
export interface Misplaced {
  text: string;
  found: string;
  /** True if the sentence exchanges both values. */
  isExchanged: boolean;
}

const MAX_SLOTS = 12;
/** The maximum number of numbers in a sentence. A sentence with more is a list of them. */
const MAX_NUMBERS = 40;
/** The maximum number of places of a value. A value in more places has no particular labels. */
const MAX_PLACES = 20;
/** Words that assign numbers in another way. */
const DISTRIBUTES = /\b(?:respectively|the (?:former|latter)|vice versa)\b|分别/iu;

/**
 * Returns values that a sentence gives to the labels of something else of the same kind: `190 tonnes` for the
 * newer turbine, if the quotes give them to the older one. A number belongs to the numbers, words, row, and
 * column next to it. A judge decides on a number that has no labels of its own.
 */
export function misplacedValues(sentence: Read, quotes: Read[]): Misplaced[] {
  const cells = cellsNamed(sentence, quotes.flatMap(slotsOfRows));
  const own = [...slotsOfSentences(sentence).map(onAnySide), ...cells].slice(0, MAX_SLOTS);
  if (own.length === 0) return [];
  const there = quotes.map((read) => [...slotsOfRows(read), ...slotsOfSentences(read)]);
  // A year in a column header isn't a value, although a cell may contain the same number.
  const labels = new Set(
    there.flat().flatMap((slot) => (slot.kind === 'cell' ? [...(slot.labels[0] ?? [])] : [])),
  );
  const found = own.flatMap((slot) => {
    if (slot.kind === YEARS && labels.has(slot.value)) return [];
    const places = there.flatMap((slots) =>
      slots.filter((one) => isValue(one, slot)).map((one) => ({ one, slots })),
    );
    if (places.length > MAX_PLACES) return [];
    const rivals = places.map(({ one, slots }) =>
      slots.find((rival) => isRival(rival, one) && isOf(withoutLabelsOf(slot, rival, own), rival, one)),
    );
    const [rival] = rivals;
    return rival === undefined || rivals.includes(undefined) ? [] : [{ slot, rival }];
  });
  const numbers = found.filter(({ slot }) => slot.kind !== 'text');
  // A cell without a number identifies less than the number of its row.
  return (numbers.length > 0 ? numbers : found).map(({ slot, rival }) => ({
    ...{ text: slot.shown, found: rival.shown },
    isExchanged: found.some((other) => other.slot.value === rival.value && other.rival.value === slot.value),
  }));
}

/**
 * Removes the labels that the sentence itself uses for the rival, next to the rival's value: `traffic (39 %)
 * was ahead of heating (31 %)`.
 */
function withoutLabelsOf(slot: Slot, rival: Slot, own: Slot[]): Slot {
  const itself = own.find(({ value }) => value === rival.value);
  if (itself === undefined) return slot;
  const labels = slot.labels.map((some, tier) => some.difference(itself.labels[tier] ?? new Set()));
  return { ...slot, labels };
}

const NONE = new Set<string>();

/** Joins the words before and after a number, because in a quote they may be on the other side. */
function onAnySide(slot: Slot): Slot {
  const [numbers = NONE, , , near = NONE, ...more] = slot.labels;
  const words = near.union(slot.small ?? NONE);
  return { ...slot, labels: [numbers, words, words, words, ...more] };
}

/** Kinds of numbers without a unit. A column may name the unit. */
const BARE = ['count', 'decimal', 'word', 'cell'];

function isValue(one: Slot, { value, kind }: Slot): boolean {
  return one.value === value && (one.kind === kind || BARE.some((each) => [one.kind, kind].includes(each)));
}

function isRival(rival: Slot, { value, kind, near }: Slot): boolean {
  return rival.value !== value && rival.kind === kind && rival.near.some((key) => near.includes(key));
}

/**
 * Returns whether a slot of a sentence has labels of a rival, and no label of the place that has its value.
 */
function isOf({ labels: wanted }: Slot, rival: Slot, own: Slot): boolean {
  for (const [tier, mine] of own.labels.entries()) {
    const theirs = labelsOfRival(rival, own, tier);
    if (theirs === undefined) continue;
    const [said, only] = [wanted[tier] ?? NONE, mine.difference(theirs)];
    if (!said.isDisjointFrom(only)) return false;
    if (only.size > 0 && !said.isDisjointFrom(theirs.difference(mine))) return true;
  }
  return false;
}

/**
 * Undefined if the labels don't distinguish the slots: words of a clause belong to both of its slots, and a
 * year in prose is next to many words.
 */
function labelsOfRival({ labels, clause }: Slot, own: Slot, tier: number): Set<string> | undefined {
  const theirs = labels[tier] ?? NONE;
  if (NUMBERS.includes(tier)) return theirs;
  const isYear = own.kind === YEARS && own.near.length > 1;
  if (theirs.size === 0 || isYear || (tier > AFTER && clause === own.clause)) return undefined;
  return clause === own.clause
    ? theirs
    : theirs.difference(own.around?.difference(own.labels[tier] ?? NONE) ?? NONE);
}

const YEARS = 'year';
/** The positions in the labels of the words after a number, and of numbers. */
const AFTER = 2;
const NUMBERS = [0, 4];

const slotsOfRows = cached(slotsInRows);
const slotsOfSentences = cached(slotsIn);

/** Caches the slots of a text, because each text is compared with several others. */
function cached(find: (read: Read) => Slot[]): (read: Read) => Slot[] {
  const known = new WeakMap<Read, Slot[]>();
  return (read) => {
    const slots = known.get(read) ?? find(read);
    known.set(read, slots);
    return slots;
  };
}

/** A number or a date with its place. */
interface Placed extends Pick<Slot, 'value' | 'shown' | 'kind'> {
  start: number;
  end: number;
}

const YEAR = /^(?:1[5-9]|20)\d\d$/;

function placedNumber(one: Quantity): Placed {
  const { start, end, text, value, units, ordinal } = one;
  const bare = kindOf(one);
  const unit = units[0] || (bare === YEARS ? bare : (units[1] ?? bare));
  return {
    start,
    end,
    shown: text.trim(),
    value: `${one.scaled ?? value}`,
    kind: ordinal ? 'ordinal' : unit,
  };
}

/** Returns the kind of a number without a unit. */
function kindOf({ text, digits = '' }: Quantity): string {
  if (YEAR.test(digits) && text.trim() === digits) return YEARS;
  if (digits === '') return 'word';
  return /^0?[.,]|[.,](?!\d{3}(?!\d))\d/.test(digits) ? 'decimal' : 'count';
}

function placedIn({ quantities, dates }: Read): Placed[] {
  const numbers = quantities
    .filter(
      ({ digits, text, isPart }) =>
        isPart !== true && (digits !== undefined || /^\p{Script=Han}/u.test(text) || text.length > 3),
    )
    .map(placedNumber);
  const days = dates.map(({ start, text, year, month, day }): Placed => {
    const isYear = month === undefined && day === undefined;
    const value = isYear ? `${year}` : `${year ?? ''}-${month ?? ''}-${day ?? ''}`;
    return { start, end: start + text.length, shown: text.trim(), value, kind: isYear ? YEARS : 'date' };
  });
  const isWithin = ({ start }: Placed) => days.some((day) => day.start <= start && start < day.end);
  return [...numbers.filter((one) => !isWithin(one)), ...days].toSorted((a, b) => a.start - b.start);
}

/** Returns the labels of a value. The year of a date is one too. */
function labelsOf({ value, kind }: Placed): string[] {
  return kind === 'date' ? [value, value.split('-')[0] ?? ''].filter((label) => label !== '') : [value];
}

const SENTENCE_END = /(?<=[.!?]["'”’)]?)\s+(?=[\p{Lu}"“(])|(?<=[。！？；;])|\n+(?![\p{Ll}\d])/gu;
const CLAUSE_END =
  /[,;!?](?!\d)|\.(?=\s|$)|[，。；、！？\n]|(?<=\s)(?:and|or|but|while|whereas|und|aber|et|mais|y|pero)(?=\s)|[和与及而]/giu;
const JOINS = /^\s*(?:and|or|und|oder|et|ou|y|o|[和与及、])\s*$/iu;

interface Stretch {
  start: number;
  end: number;
}

function stretchesIn({ start, end }: Stretch, ends: number[]): Stretch[] {
  const within = ends.filter((at) => start < at && at < end);
  return [start, ...within].map((from, at) => ({ start: from, end: within[at] ?? end }));
}

function isIn({ start, end }: Stretch): (one: { start: number }) => boolean {
  return (one) => start <= one.start && one.start < end;
}

/** Returns the numbers and dates of sentences, each with its clause. */
function slotsIn(read: Read): Slot[] {
  const { text } = read;
  const lines = rowsIn(text).filter(({ isTable }) => !isTable);
  const tables = [...text.matchAll(TABLE_LINE)].map(({ 0: line, index }) => ({
    start: index,
    end: index + line.length,
  }));
  const placed = placedIn(read).filter((one) => !tables.some((line) => isIn(line)(one)));
  if (placed.length === 0) return [];
  const all = { start: 0, end: text.length };
  const clauseEnds = [...text.matchAll(CLAUSE_END)].map(({ index }) => index);
  const sentences = stretchesIn(
    all,
    [...text.matchAll(SENTENCE_END)].map(({ index }) => index),
  );
  return sentences.flatMap((sentence, at) => {
    const numbers = placed.filter(isIn(sentence));
    if (numbers.length === 0 || numbers.length > MAX_NUMBERS) return [];
    if (DISTRIBUTES.test(text.slice(sentence.start, sentence.end))) return [];
    const ends = clauseEnds.filter(
      (end) => isIn(sentence)({ start: end }) && !isWithinNumbers(text, numbers, end),
    );
    const clauses = stretchesIn(sentence, ends);
    return numbers.map((one) => ({ ...slotOf(text, one, numbers, clauses), near: nearOf(one, at, lines) }));
  });
}

/** Returns whether a place is in a number, or connects two: `between 2018 and 2020`. */
function isWithinNumbers(text: string, numbers: Placed[], end: number): boolean {
  const before = numbers.findLast((one) => one.start < end);
  const after = numbers.find((one) => one.start >= end);
  if (before !== undefined && end < before.end) return true;
  return before !== undefined && after !== undefined && JOINS.test(text.slice(before.end, after.start));
}

/**
 * Returns a number with the labels of its clause, and of earlier clauses that have no other number of its
 * kind.
 */
function slotOf(text: string, one: Placed, numbers: Placed[], clauses: Stretch[]): Omit<Slot, 'near'> {
  const { start, end: _, ...slot } = one;
  const clause = clauses.find((each) => isIn(each)(one)) ?? { start, end: start };
  const own = numbers.filter(isIn(clause));
  const rest = clauses
    .filter(
      (each) =>
        each.end <= clause.start && !numbers.some((other) => other.kind === one.kind && isIn(each)(other)),
    )
    .map((each) => labelsWithin(text, numbers.filter(isIn(each)), each));
  const near = labelsNextTo(text, one, own, clause);
  const outer = {
    numbers: rest.flatMap((each) => [...each.numbers]),
    words: rest.flatMap((each) => [...each.words]),
  };
  return {
    ...slot,
    clause: `${clause.start}`,
    small: near.small,
    around: labelsWithin(text, own, clause).words,
    labels: [
      ...[near.numbers, near.before, near.after, near.words],
      ...[near.numbers.union(new Set(outer.numbers)), near.words.union(new Set(outer.words))],
    ],
  };
}

const TABLE_LINE = /^.*\|.*$/gmu;

/**
 * Returns the lines and sentences near a slot. All labeled lines are near each other; other sentences only if
 * they are adjacent.
 */
function nearOf(one: Placed, at: number, lines: TableRow[]): string[] {
  const line = lines.find((row) => isIn(row)(one));
  return line === undefined ? [`sentence ${at}`, `sentence ${at + 1}`] : [line.table];
}

interface Labels {
  numbers: Set<string>;
  words: Set<string>;
}

function labelsWithin(text: string, numbers: Placed[], { start, end }: Stretch): Labels {
  return { numbers: new Set(numbers.flatMap(labelsOf)), words: wordsIn(text, numbers, start, end) };
}

/**
 * Words between two numbers of a kind may belong to either. If there are as many numbers of another kind,
 * they belong to these in order.
 */
function labelsNextTo(text: string, one: Placed, numbers: Placed[], clause: Stretch) {
  const same = numbers.filter(({ kind }) => kind === one.kind);
  const place = same.indexOf(one);
  const [start, end] = [same[place - 1]?.end ?? clause.start, same[place + 1]?.start ?? clause.end];
  const isOther = (number: Placed) => number !== one && (number.kind !== one.kind || one.kind === YEARS);
  const others = Object.values(Object.groupBy(numbers.filter(isOther), ({ kind }) => kind));
  const labels = others.flatMap((some = []) =>
    some.length === same.length ? some.slice(place, place + 1) : some,
  );
  const [before, after] = [wordsIn(text, numbers, start, one.start), wordsIn(text, numbers, one.end, end)];
  const small = rootsOf(text.slice(start, one.start)).union(rootsOf(text.slice(one.end, end)));
  return { numbers: new Set(labels.flatMap(labelsOf)), before, after, words: before.union(after), small };
}

function wordsIn(text: string, numbers: Placed[], start: number, end: number): Set<string> {
  let words = '';
  let from = start;
  for (const number of numbers.filter(isIn({ start, end }))) {
    words += `${text.slice(from, number.start)} `;
    from = Math.max(from, number.end);
  }
  return wordsOf(words + text.slice(from, Math.max(from, end)));
}

/** Returns the words of a text that serve as labels. A single capital letter is one too: `Product A`. */
function wordsOf(text: string): Set<string> {
  return subjectMatter(text).union(new Set(text.slice(1).match(/(?<!\p{L})\p{Lu}(?![\p{L}'’])/gu)));
}

/** Returns the words of a cell. A function word of some language may be the only one: `Sur`. */
function wordsOfCell(text: string): Set<string> {
  const words = wordsOf(text);
  return words.size > 0 ? words : rootsOf(text);
}

function rootsOf(text: string): Set<string> {
  return new Set((text.match(/\p{L}{2,}/gu) ?? []).map(wordRoot));
}

/**
 * Returns the cells of tables with their row and column header, and those of lines like `Length: 12 m` with
 * their label.
 */
function slotsInRows(read: Read): Slot[] {
  const rows = rowsIn(read.text);
  if (rows.length < 2) return [];
  const placed = placedIn(read);
  return rows.flatMap((row) =>
    row.cells.flatMap((cell, column): Slot[] => {
      const numbers = placed.filter(isIn(cell));
      const near = [`${row.table} row ${row.start}`, `${row.table} column ${column}`];
      if (numbers.length > 0 && column > row.label) {
        if (!row.isTable) return [];
        return numbers.map(({ value, shown }) => ({
          value,
          shown,
          kind: 'cell',
          near,
          clause: near.join(),
          labels: labelsOfCell(row, column),
        }));
      }
      const value = [...wordsOfCell(cell.text)].toSorted().join(' ');
      const words = row.cells.flatMap((other) => (other === cell ? [] : [...wordsOfCell(other.text)]));
      if (value === '' || value.split(' ').length > MAX_CELL) return [];
      return [
        {
          value,
          shown: cell.text.trim(),
          kind: 'text',
          near: near.slice(1),
          clause: near.join(),
          labels: [new Set(words)],
        },
      ];
    }),
  );
}

const MAX_CELL = 5;

function labelsOfCell(row: TableRow, column: number): Set<string>[] {
  const head = headOf(row, column);
  const label = row.cells[row.label]?.text ?? '';
  const numbers = new Set(`${head} ${label}`.match(/\d+/gu));
  const words = new Set([
    ...wordsOfCell(head),
    ...row.cells.slice(0, column).flatMap(({ text }) => (/\d/.test(text) ? [] : [...wordsOfCell(text)])),
    ...wordsOfCell(label),
  ]);
  return [numbers, words, words, words, numbers, words];
}

/** Returns the cells whose words a sentence contains, with the sentence's other words. */
function cellsNamed({ text }: Read, slots: Slot[]): Slot[] {
  if (slots.length === 0) return [];
  const words = wordsOf(text).union(rootsOf(text));
  const cells = slots.filter(
    ({ kind, value }) => kind === 'text' && value.split(' ').every((word) => words.has(word)),
  );
  const byValue = new Map(cells.map((cell) => [cell.value, cell]));
  return [...byValue.values()].map((cell) => {
    const own = new Set(cell.value.split(' '));
    return { ...cell, labels: [words.difference(own)] };
  });
}
