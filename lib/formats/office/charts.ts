import { joinCells, onOneLine } from '../sheets.ts';
import type { Archive } from './archive.ts';
import { numberFormatOf, type ShowNumber } from './numbers.ts';
import { readXml } from './xml.ts';

interface Series {
  name: string;
  /** The categories by the number of the point. */
  categories: Map<number, string>;
  values: Map<number, string>;
}

interface Chart {
  title: string;
  axes: string[];
  series: Series[];
  /** Only in charts since 2016, which list the names of their series after the data. */
  names: string[];
}

interface ChartReading {
  count(text: string): void;
  show: ShowNumber;
  /** True if the chart is in a workbook, whose sheets already contain its data. */
  isInWorkbook: boolean;
}

/**
 * Elements around a text that show what the text is, in both kinds of charts: those before and those since
 * 2016.
 */
const CATEGORIES = new Set(['cat', 'xVal', 'strDim']);
const VALUES = new Set(['val', 'yVal', 'bubbleSize', 'numDim']);
const AXES = new Set(['catAx', 'valAx', 'dateAx', 'serAx', 'axis']);
const SERIES = new Set(['ser', 'data']);
const NUMBERS = new Set(['numCache', 'numLit', 'numDim']);
const REFERENCES = new Set(['strRef', 'numRef', 'multiLvlStrRef', 'strDim', 'numDim']);

/**
 * Returns the lines of a chart: its title, its axes, and its data as rows, unless the data is in cells of the
 * same workbook. Undefined if the chart contains no text.
 */
export async function readChart(
  archive: Archive,
  entry: string,
  reading: ChartReading,
): Promise<string[] | undefined> {
  const chart: Chart = { title: '', axes: [], series: [], names: [] };
  const path: string[] = [];
  let point = 0;
  let code = '';
  let text = '';
  let isCell = false;
  let hasText = false;
  const keep = () => {
    const isNumber = path.some((each) => NUMBERS.has(each)) && Number.isFinite(Number(text));
    const shown = isNumber ? reading.show(Number(text), numberFormatOf(-1, code || undefined)) : text;
    reading.count(shown);
    addText(chart, path, point, shown);
  };
  const finish = (name: string) => {
    if (name === 'formatCode') code = text;
    if (name === 'f') isCell = reading.isInWorkbook && isOwnCell(text);
    if (text === '' || !isPiece(name, path.at(-2))) return;
    hasText = true;
    if (!isCell || path.includes('tx')) keep();
  };
  await readXml(archive, entry, {
    open(name, { idx, formatCode }) {
      path.push(name);
      text = '';
      start(chart, name, path.at(-2) ?? '');
      if (REFERENCES.has(name)) isCell = false;
      if (NUMBERS.has(name) || formatCode !== undefined) code = formatCode ?? '';
      if (name === 'pt') point = Number(idx);
    },
    text(piece) {
      text += piece;
    },
    close(name) {
      finish(name);
      if (REFERENCES.has(name)) isCell = false;
      text = '';
      path.pop();
    },
  });
  return hasText ? linesOf(chart, reading.count) : undefined;
}

function isPiece(name: string, parent: string | undefined): boolean {
  return name === 't' || name === 'v' || (name === 'pt' && parent === 'lvl');
}

/** `[1]S!B1` is in another workbook. */
function isOwnCell(reference: string): boolean {
  return reference !== '' && !reference.includes('[');
}

function start(chart: Chart, name: string, parent: string): void {
  if (SERIES.has(name)) chart.series.push({ name: '', categories: new Map(), values: new Map() });
  if (name === 'series') chart.names.push('');
  if (name === 'title' && AXES.has(parent)) chart.axes.push('');
}

/** Adds a text to the field that its nearest enclosing element determines. */
function addText(chart: Chart, path: string[], point: number, text: string): void {
  const at = path.findLastIndex((name, index) => isPlace(name, path[index - 1] ?? ''));
  const [parent = '', place = ''] = [path[at - 1], path[at]];
  if (place === 'title' && AXES.has(parent)) addToLast(chart.axes, text);
  else if (place === 'title') chart.title += text;
  else if (parent === 'series') addToLast(chart.names, text);
  else addToSeries(chart.series.at(-1), place, point, text);
}

function addToLast(texts: string[], text: string): void {
  texts.push((texts.pop() ?? '') + text);
}

function addToSeries(series: Series | undefined, place: string, point: number, text: string): void {
  if (series === undefined) return;
  if (place === 'tx') series.name += text;
  if (CATEGORIES.has(place)) addPoint(series.categories, point, text);
  if (VALUES.has(place)) addPoint(series.values, point, text);
}

function isPlace(name: string, parent: string): boolean {
  if (name === 'tx') return parent === 'ser' || parent === 'series';
  return name === 'title' || name === 'dLbls' || CATEGORIES.has(name) || VALUES.has(name);
}

/** A point has several texts if categories have levels, or if a bubble has a size. */
function addPoint(texts: Map<number, string>, point: number, text: string): void {
  const before = texts.get(point);
  texts.set(point, before === undefined ? text : `${before} ${text}`);
}

/** The maximum number of series. Excel allows no more in one chart. */
const MAX_SERIES_IN_TABLE = 255;

function linesOf({ title, axes, series, names }: Chart, count: (text: string) => void): string[] {
  const named = series.map((one, index) => ({ ...one, name: one.name || (names[index] ?? '') }));
  const isTable = named.length <= MAX_SERIES_IN_TABLE && haveSameCategories(named);
  const rows = isTable ? tableOf(named, count) : named.flatMap((one) => tableOf([one], count));
  const lines = [title === '' ? '' : `Chart: ${title}`, joinCells(axes), ...rows].map(onOneLine);
  return lines.filter((line) => line !== '');
}

function haveSameCategories([first, ...others]: Series[]): boolean {
  const textOf = (one: Series) => JSON.stringify([...one.categories]);
  return others.every((one) => one.categories.size === 0 || (first && textOf(one) === textOf(first)));
}

/** Returns a row for the names of the series, and a row for each point. */
function tableOf(series: Series[], count: (text: string) => void): string[] {
  const points = new Set(
    series.flatMap(({ categories, values }) => [...categories.keys(), ...values.keys()]),
  );
  const rowOf = (cells: string[]) => {
    const row = joinCells(cells);
    count(row);
    return row;
  };
  return [
    rowOf(['', ...series.map(({ name }) => name)]),
    ...[...points].map((point) =>
      rowOf([series[0]?.categories.get(point) ?? '', ...series.map(({ values }) => values.get(point) ?? '')]),
    ),
  ];
}
