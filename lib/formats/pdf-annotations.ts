/** An annotation of a page, as the engine returns it: only the fields that are read. */
export interface Annotation {
  /** Counts from 0. */
  pageIndex: number;
  subtype?: string;
  annotationFlags?: number;
  contentsObj?: { str: string };
  textContent?: string[];
  fieldName?: string;
  alternativeText?: string;
  fieldType?: string;
  fieldValue?: unknown;
  buttonValue?: string;
  exportValue?: string;
  checkBox?: boolean;
  radioButton?: boolean;
  password?: boolean;
  options?: { exportValue: string; displayValue: string }[];
}

type Noted = Omit<Annotation, 'pageIndex'>;

/**
 * All types of annotations except links (2) and pop-ups (16), which repeat other texts. A page may have many
 * of these.
 */
export const READ_TYPES = new Set(
  Array.from({ length: 28 }, (_, type) => type).filter((type) => type !== 2 && type !== 16),
);

const HIDDEN = 2;
const NO_VIEW = 32;

/** Returns a line for each filled field, with its name, and for each note, with its text, in page order. */
export function annotationLines(annotations: Noted[]): string[] {
  const shown = annotations.filter(({ annotationFlags = 0 }) => (annotationFlags & (HIDDEN | NO_VIEW)) === 0);
  const lines = shown.map((each) => (each.subtype === 'Widget' ? fieldLine(each) : noteLine(each)));
  return [...new Set(lines.filter((line) => line !== undefined))];
}

export function isAttachment({ subtype }: Noted): boolean {
  return subtype === 'FileAttachment';
}

function fieldLine(field: Noted): string | undefined {
  const value = field.password === true ? '' : filledIn(field).trim();
  if (value === '') return undefined;
  const name = (field.alternativeText || (field.fieldName ?? '')).trim();
  return name === '' ? value : `${name}: ${value}`;
}

function filledIn(field: Noted): string {
  const values = [field.fieldValue].flat().filter((value) => typeof value === 'string');
  if (field.fieldType === 'Btn') return isChecked(field, values) ? values.join(', ') : '';
  return values.map((value) => displayed(field, value)).join(', ');
}

/** Each button of a group has the group's value. */
function isChecked({ checkBox, radioButton, exportValue, buttonValue }: Noted, [value]: string[]): boolean {
  if (value === undefined || value === 'Off') return false;
  if (checkBox === true) return exportValue === undefined || exportValue === value;
  return radioButton === true && buttonValue === value;
}

function displayed({ options = [] }: Noted, value: string): string {
  return options.find(({ exportValue }) => exportValue === value)?.displayValue ?? value;
}

function noteLine({ contentsObj, textContent = [] }: Noted): string | undefined {
  const text = (contentsObj?.str || textContent.join('\n')).replace(/\r\n?/g, '\n').trim();
  return text === '' ? undefined : `Note: ${text}`;
}
