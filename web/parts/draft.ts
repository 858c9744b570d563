import { useCallback, useEffect, useState } from 'react';
import { keepDraft, keptDraft } from './kept-draft.ts';

const never = () => false;

/**
 * Returns an unsent draft. It is stored for this tab by its purpose, and survives reloads. Secrets stay only
 * in the view.
 */
export function useDraft(
  name: string,
  holdsSecret: (text: string) => boolean = never,
): [string, (text: string) => void] {
  const [text, setText] = useState(() => keptDraft(name));
  const change = useCallback(
    (next: string) => {
      setText(next);
      keepDraft(name, holdsSecret(next) ? '' : next);
    },
    [name, holdsSecret],
  );
  return [text, change];
}

const ADDED = 'draft-added';

/** Adds to the draft of a field. If the field is open, its `useAddedDraft()` shows the text. */
export function addToDraft(name: string, text: string): void {
  const kept = keptDraft(name).trimEnd();
  const detail = { name, text: kept === '' ? text : `${kept}\n\n${text}` };
  window.dispatchEvent(new CustomEvent(ADDED, { detail }));
}

/** Calls `onAdded` with the whole draft after text was added from elsewhere on the page. */
export function useAddedDraft(name: string, onAdded: (text: string) => void): void {
  useEffect(() => {
    const take = (event: Event) => {
      const { detail } = event as CustomEvent<{ name: string; text: string }>;
      if (detail.name === name) onAdded(detail.text);
    };
    window.addEventListener(ADDED, take);
    return () => window.removeEventListener(ADDED, take);
  }, [name, onAdded]);
}

/** Changes fields in the draft of another page's form, and keeps its other fields. */
export function changeFormDraft(name: string, changed: object): void {
  const kept = keptDraft(name) || '{}';
  keepDraft(name, JSON.stringify({ ...(JSON.parse(kept) as object), ...changed }));
}

/**
 * Returns the draft name for the form of a record, or of a new one. A draft of an earlier version of the
 * record is separate.
 */
export function formName(
  kind: string,
  record: { id: string; updatedAt: string } | undefined,
  workspaceId: string,
): string {
  return `${kind} ${record === undefined ? workspaceId : `${record.id} ${record.updatedAt}`}`;
}

type TextOf<Form> = { [Name in keyof Form]: Form[Name] extends string ? Name : never }[keyof Form];

export interface FormDraft<Form> {
  draft: Form;
  isBegun: boolean;
  change: (changed: Partial<Form>) => void;
  drop: () => void;
  /** Returns the props that connect a text field, or a choice, to the draft. */
  field: (name: TextOf<Form>) => { value: string; onChange: (value: string) => void };
}

/**
 * Returns the draft of a form, like useDraft. The form has its initial values until the person types
 * something.
 */
export function useFormDraft<Form extends object>(
  name: string,
  initial: Form,
  holdsSecret?: (text: string) => boolean,
): FormDraft<Form> {
  const [kept, keep] = useDraft(name, holdsSecret);
  const draft: Form = kept === '' ? initial : { ...initial, ...(JSON.parse(kept) as Partial<Form>) };
  const change = (changed: Partial<Form>) => keep(JSON.stringify({ ...draft, ...changed }));
  return {
    draft,
    isBegun: kept !== '',
    change,
    drop: () => keep(''),
    field: (name) => ({
      value: draft[name] as string,
      onChange: (value) => change({ [name]: value } as Partial<Form>),
    }),
  };
}
