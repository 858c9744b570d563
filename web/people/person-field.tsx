import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { comboboxOf, stepOf } from '../parts/combobox.ts';
import { INPUT } from '../parts/field.tsx';
import { Listbox } from '../parts/listbox.tsx';
import { pressedKey } from '../parts/pressed-key.ts';
import { hintOf, labelOf, likeTyped, matchPerson } from './find-person.ts';
import { type People, type Person, usePeopleLike } from './queries.ts';

const MOST_SHOWN = 8;

/** The field's draft: the typed text, and the person chosen from the list. */
export interface PersonDraft {
  typed: string;
  id: string;
}

export const NOBODY: PersonDraft = { typed: '', id: '' };

/** Returns the ID to store. Undefined if nothing is typed, or the name matches several people. */
export function usePersonId({ typed, id }: PersonDraft, workspaceId?: string): string | undefined {
  const known = usePeopleLike(typed, workspaceId);
  if (id !== '') return id;
  const match = matchPerson(known?.people ?? [], typed);
  if (match.is === 'one') return match.person.id;
  return match.is === 'several' ? undefined : typed.trim() || undefined;
}

interface Props {
  label: string;
  hint?: string;
  value: PersonDraft;
  onChange: (value: PersonDraft) => void;
  maxLength: number;
  /** The workspace for which people have `reaches`; only its administrators see them. */
  workspaceId?: string;
  required?: boolean;
}

/**
 * A picker for everyone who can be named. It offers tokens and people by name, and accepts any other ID as
 * typed.
 */
export function PersonField({ label, hint, value, onChange, workspaceId, ...rest }: Props) {
  const { t } = useTranslation();
  const names = useId();
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const known = usePeopleLike(value.typed, workspaceId);
  const shown = isOpen && value.id === '' ? likeTyped(known?.people ?? [], value.typed, MOST_SHOWN) : [];
  const choose = (person: Person | undefined) => {
    if (person) onChange({ typed: labelOf(person), id: person.id });
    setOpen(false);
    setAt(-1);
  };
  const type = (typed: string) => {
    onChange({ typed, id: '' });
    setOpen(true);
    setAt(-1);
  };
  const move = (to: number) => {
    setOpen(true);
    setAt(to);
  };
  return (
    <div className="relative space-y-1.5">
      <label htmlFor={names} className="block text-sm font-medium">
        {label}
      </label>
      <input
        {...rest}
        {...fieldOf(names, shown.length > 0, at)}
        value={value.typed}
        onChange={({ target }) => type(target.value)}
        onFocus={() => setOpen(true)}
        onBlur={() => choose(undefined)}
        onKeyDown={(event) => steer(event, { shown, at, move, choose })}
        className={INPUT}
      />
      <Listbox
        id={`${names}-list`}
        label={t('people.list')}
        items={shown}
        at={at}
        keyOf={({ id }) => id}
        titleOf={({ id }) => id}
        onTake={choose}
        hidden={shown.length === 0}
        className="absolute z-20 max-h-72 w-full overflow-y-auto rounded-md border border-line bg-surface p-1 shadow-raised"
      >
        {(person) => <Offered person={person} />}
      </Listbox>
      <p id={`${names}-hint`} role="status" className="text-xs text-muted">
        <Meant value={value} known={known} hint={hint} />
      </p>
    </div>
  );
}

function fieldOf(names: string, isOpen: boolean, at: number) {
  return {
    ...comboboxOf(`${names}-list`, isOpen, at),
    id: names,
    type: 'text',
    role: 'combobox',
    'aria-expanded': isOpen,
    'aria-describedby': `${names}-hint`,
    autoComplete: 'off',
    spellCheck: false,
  } as const;
}

interface Steering {
  shown: Person[];
  at: number;
  move: (to: number) => void;
  choose: (person: Person | undefined) => void;
}

/** Handles arrow keys, which wrap around. Enter without a choice submits the form. */
function steer(event: KeyboardEvent, { shown, at, move, choose }: Steering): void {
  const chosen = shown[at];
  const key = pressedKey(event);
  const isArrow = key === 'ArrowDown' || key === 'ArrowUp';
  if (isArrow) move(stepOf(key, at, shown.length) ?? -1);
  else if (key === 'Escape' && shown.length > 0) choose(undefined);
  else if (key === 'Enter' && chosen) choose(chosen);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function Offered({ person }: { person: Person }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <span data-user-content className="font-medium break-all">
        {labelOf(person)}
      </span>
      <span className="text-xs text-muted">
        <Told person={person} />
      </span>
    </span>
  );
}

/** A person's kind, what distinguishes them from others with the same name, and whether their token has expired. */
function Told({ person }: { person: Person }) {
  const { t } = useTranslation();
  return (
    <>
      {t(`people.kinds.${person.kind}`)} · <span data-user-content>{hintOf(person)}</span>
      {person.state !== 'active' && ` · ${t(`tokens.states.${person.state}`)}`}
    </>
  );
}

interface MeantProps {
  value: PersonDraft;
  known: People | undefined;
  hint: string | undefined;
}

function Meant({ value: { typed, id }, known, hint }: MeantProps) {
  const { t } = useTranslation();
  if (typed.trim() === '' || known === undefined) return hint;
  const match = matchPerson(known.people, id || typed);
  if (match.is === 'one') return <Told person={match.person} />;
  if (match.is === 'several') return t('people.several');
  return t(known.isWhole ? 'people.never' : 'people.notListed');
}
