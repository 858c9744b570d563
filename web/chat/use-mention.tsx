import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { folderQuery } from '../files/queries.ts';
import type { Entry } from '../files/tree-rows.ts';
import { Icon } from '../parts/icon.tsx';
import { matching, mentionAt } from './mention.ts';

export interface Mentions {
  workspaceId: string;
  /** A file or folder was chosen. */
  onChoose: (path: string) => void;
}

interface Typing {
  text: string;
  caret: number;
  replace: (text: string, caret: number) => void;
}

/** Completes the name of a file after `@`, folder by folder: Enter takes what is chosen, Tab goes into a folder. */
export function useMention(mentions: Mentions | undefined, { text, caret, replace }: Typing) {
  const list = useId();
  const [at, setAt] = useState(0);
  const [left, setLeft] = useState<number>();
  const mention = mentions && mentionAt(text, caret);
  const start = mention === undefined || mention.start === left ? undefined : mention.start;
  const query = folderQuery(mentions?.workspaceId ?? '', mention?.folder ?? '');
  const { data = [] } = useQuery({ ...query, enabled: start !== undefined, retry: false });
  const entries = start === undefined ? [] : matching(data, mention?.name ?? '');
  const chosen = Math.min(at, entries.length - 1);
  const put = (named: string) => {
    setAt(0);
    const before = text.slice(0, start) + named;
    replace(before + text.slice(caret).trimStart(), before.length);
  };
  const take = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    mentions?.onChoose(entry.path);
    put(`${entry.name} `);
  };
  const complete = (entry: Entry | undefined) =>
    entry?.type === 'directory' ? put(`@${entry.path}/`) : take(entry);
  const press = (event: KeyboardEvent): boolean => {
    if (entries.length === 0 || event.nativeEvent.isComposing) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((chosen + step + entries.length) % entries.length);
    else if (event.key === 'Tab') complete(entries[chosen]);
    else if (event.key === 'Enter') take(entries[chosen]);
    else if (event.key === 'Escape') setLeft(start);
    else return false;
    event.preventDefault();
    return true;
  };
  const shown = entries.length > 0 && (
    <MentionList id={list} entries={entries} chosen={chosen} onTake={take} />
  );
  return { shown, press, names: shown ? namesOf(list, chosen) : {} };
}

function namesOf(list: string, chosen: number) {
  return {
    'aria-controls': list,
    'aria-activedescendant': `${list}-${chosen}`,
    'aria-autocomplete': 'list' as const,
  };
}

interface ListProps {
  id: string;
  entries: Entry[];
  chosen: number;
  onTake: (entry: Entry) => void;
}

function MentionList({ id, entries, chosen, onTake }: ListProps) {
  const { t } = useTranslation();
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t('chat.scope.files')}
      className="absolute inset-x-0 bottom-full z-20 mb-2 rounded-lg border border-line bg-surface p-1.5 shadow-raised"
    >
      {entries.map((entry, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text box has the focus and the keys
        <div
          key={entry.path}
          id={`${id}-${place}`}
          role="option"
          aria-selected={place === chosen}
          tabIndex={-1}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTake(entry)}
          className="flex min-h-9 cursor-pointer items-center gap-2 rounded-md px-2.5 text-sm hover:bg-sunken aria-selected:bg-accent-soft"
        >
          <Icon name={entry.type === 'directory' ? 'files' : 'file'} size={16} />
          <span data-user-content className="truncate">
            {entry.type === 'directory' ? `${entry.name}/` : entry.name}
          </span>
        </div>
      ))}
    </div>
  );
}
