import type { Column, ColumnInput } from './evidence-table.ts';

export const TYPES = ['text', 'number', 'date', 'boolean', 'choice'] as const;

/** A column while a person edits it. Choices are a text with one per line, because a choice may have a comma. */
export interface ColumnDraft {
  /** Identifies the column in the form; the ID of a column that the table has. */
  key: string;
  isNew: boolean;
  name: string;
  question: string;
  type: string;
  choices: string;
  unit: string;
}

export function emptyColumn(): ColumnDraft {
  const key = crypto.randomUUID();
  return { key, isNew: true, name: '', question: '', type: 'text', choices: '', unit: '' };
}

export function draftOf(column: Omit<Column, 'id'> & { id?: string }): ColumnDraft {
  const { id, name, question, type, choices = [], unit = '' } = column;
  const from = id === undefined ? {} : { key: id, isNew: false };
  return { ...emptyColumn(), ...from, name, question, type, choices: choices.join('\n'), unit };
}

export function isColumnWhole({ name, question, type, choices }: ColumnDraft): boolean {
  return name.trim() !== '' && question.trim() !== '' && (type !== 'choice' || choicesOf(choices).length > 1);
}

/** Returns the column as the API accepts it. */
export function columnOf({ key, isNew, name, question, type, choices, unit }: ColumnDraft): ColumnInput {
  const known = TYPES.find((each) => each === type) ?? 'text';
  return {
    ...(!isNew && { id: key }),
    ...{ name: name.trim(), question: question.trim(), type: known },
    ...(known === 'choice' && { choices: choicesOf(choices) }),
    ...(known === 'number' && unit.trim() !== '' && { unit: unit.trim() }),
  };
}

function choicesOf(text: string): string[] {
  return text
    .split('\n')
    .map((choice) => choice.trim())
    .filter((choice) => choice !== '');
}
