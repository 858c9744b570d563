import type { Schemas } from '../../lib/api-contract/schema.ts';
import { searchTexts } from '../shell/search-texts.ts';

/** The facts that the files of a search or a question must have, as the API has them. */
export type Filter = Schemas['SearchFilter'];
export type FilterName = keyof Filter;

/** The fields of the form. Empty ones limit nothing. Days are in the reader's time zone. */
export interface FilterFields {
  kind: string;
  author: string;
  tag: string;
  yearFrom: string;
  yearTo: string;
  modifiedFrom: string;
  modifiedTo: string;
}

interface SearchPage {
  q?: string | undefined;
  /** The folder. */
  in?: string | undefined;
  kind?: string | undefined;
  filter?: Filter | undefined;
}

/** Returns the search of the page's URL. */
export function readSearchPage(search: Record<string, unknown>): SearchPage {
  return { ...searchTexts('q', 'in', 'kind')(search), filter: readFilter(search.filter) };
}

/**
 * Returns a filter from a URL or a stored question. Unknown fields stay, so that the service refuses them, instead of
 * searching more files.
 */
export function readFilter(value: unknown): Filter | undefined {
  const isFilter = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  return isFilter ? (value as Filter) : undefined;
}

export function without(filter: Filter, name: FilterName): Filter | undefined {
  const { [name]: _, ...left } = filter;
  return readFilter(left);
}

export function toFields({ kind, author = '', tag = '', year, modified }: Filter = {}): FilterFields {
  return {
    ...{ kind: kind ?? '', author, tag },
    ...{ yearFrom: String(year?.from ?? ''), yearTo: String(year?.to ?? '') },
    ...{ modifiedFrom: toDay(modified?.from), modifiedTo: toDay(modified?.to) },
  };
}

/** Returns the filter of the form, with the fields of the former that the form doesn't have. */
export function toFilter(fields: FilterFields, former: Filter = {}): Filter | undefined {
  const { kind, yearFrom, yearTo, modifiedFrom, modifiedTo } = fields;
  const [author, tag] = [fields.author.trim(), fields.tag.trim()];
  const year = rangeOf(yearFrom && Number(yearFrom), yearTo && Number(yearTo));
  const modified = rangeOf(modifiedFrom && startOfDay(modifiedFrom), modifiedTo && endOfDay(modifiedTo));
  const { kind: _, author: _author, tag: _tag, year: _year, modified: _modified, ...others } = former;
  return readFilter({
    ...others,
    ...(kind && { kind }),
    ...(author && { author }),
    ...(tag && { tag }),
    ...(year && { year }),
    ...(modified && { modified }),
  });
}

function rangeOf<End>(from: End | '', to: End | ''): { from?: End; to?: End } | undefined {
  const range = { ...(from !== '' && { from }), ...(to !== '' && { to }) };
  return Object.keys(range).length === 0 ? undefined : range;
}

/** Returns a day of the reader's time zone, as a date field has it. */
function toDay(time: string | undefined): string {
  const date = new Date(time ?? '');
  if (Number.isNaN(date.getTime())) return '';
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((each) => String(each).padStart(2, '0'));
  return `${String(date.getFullYear()).padStart(4, '0')}-${month}-${day}`;
}

function startOfDay(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString();
}

function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59.999`).toISOString();
}
