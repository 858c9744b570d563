import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { folderQuery } from '../files/queries.ts';
import type { Entry } from '../files/tree-rows.ts';
import { comboboxOf, stepOf } from '../parts/combobox.ts';
import { Icon } from '../parts/icon.tsx';
import { Listbox } from '../parts/listbox.tsx';
import { pressedKey } from '../parts/pressed-key.ts';
import { matching, mentionAt } from './mention.ts';

export interface Mentions {
  workspaceId: string;
  /** Called when a file or folder was chosen. */
  onChoose: (path: string) => void;
}

interface Typing {
  text: string;
  caret: number;
  replace: (text: string, caret: number) => void;
}

/** Completes a file name after `@`, folder by folder. Enter accepts the choice, Tab opens a folder. */
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
    if (entries.length === 0) return false;
    const key = pressedKey(event);
    const step = stepOf(key, chosen, entries.length);
    if (step !== undefined) setAt(step);
    else if (key === 'Tab') complete(entries[chosen]);
    else if (key === 'Enter') take(entries[chosen]);
    else if (key === 'Escape') setLeft(start);
    else return false;
    event.preventDefault();
    return true;
  };
  const shown = entries.length > 0 && (
    <MentionList id={list} entries={entries} chosen={chosen} onTake={take} />
  );
  return { shown, press, names: shown ? comboboxOf(list, true, chosen) : {} };
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
    <Listbox
      id={id}
      label={t('chat.scope.files')}
      items={entries}
      at={chosen}
      keyOf={({ path }) => path}
      onTake={onTake}
      className="absolute inset-x-0 bottom-full z-20 mb-2 rounded-lg border border-line bg-surface p-1.5 shadow-raised"
    >
      {({ type, name }) => (
        <>
          <Icon name={type === 'directory' ? 'files' : 'file'} size={16} />
          <span data-user-content className="truncate">
            {type === 'directory' ? `${name}/` : name}
          </span>
        </>
      )}
    </Listbox>
  );
}
