import { type KeyboardEvent, useDeferredValue, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { comboboxOf, stepOf } from '../parts/combobox.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { Listbox } from '../parts/listbox.tsx';
import { pressedKey } from '../parts/pressed-key.ts';
import { rank } from './rank.ts';
import { type Command, useCommands, useFileSearch, usePassageCommands } from './use-commands.ts';

/** A combobox over all items: typing narrows the list, arrow keys select, Enter opens. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<number>();
  const list = useId();
  const { shown, best, isMiss } = useShown(typed);
  const at = Math.min(chosen ?? best, Math.max(0, shown.length - 1));
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  return (
    <Dialog title={t('palette.title')} onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label={t('palette.title')}
        aria-expanded={shown.length > 0}
        {...comboboxOf(list, shown.length > 0, at)}
        autoComplete="off"
        spellCheck={false}
        placeholder={t('palette.placeholder')}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setChosen(undefined);
        }}
        onKeyDown={(event) => steer(event, at, shown.length, setChosen, () => run(shown[at]))}
        className="min-h-11 w-full rounded-md border border-line bg-canvas px-3 text-base"
      />
      {isMiss && <p className="px-2.5 pt-3 text-sm text-muted">{t('palette.noPassage')}</p>}
      <Listbox
        id={list}
        label={t('palette.title')}
        items={shown}
        at={at}
        keyOf={({ id }) => id}
        onTake={run}
        className="mt-3 h-[min(22rem,60dvh)] overflow-y-auto"
      >
        {(command) => <Line command={command} />}
      </Listbox>
      <Keys />
      <p role="status" className={shown.length === 0 ? 'text-sm text-muted' : 'sr-only'}>
        {shown.length === 0 ? t('palette.none') : t('palette.found', { count: shown.length })}
      </p>
    </Dialog>
  );
}

/** Explains the keys. Hidden on touch screens, which have no use for them. */
function Keys() {
  const { t } = useTranslation();
  return (
    <p aria-hidden="true" className="mt-3 hidden gap-4 border-t border-line pt-3 text-xs text-muted sm:flex">
      {KEYS.map(([key, word]) => (
        <span key={key} className="flex items-center gap-1.5">
          <kbd className="rounded-sm border border-line bg-sunken px-1.5 font-sans">{key}</kbd>
          {t(`palette.keys.${word}`)}
        </span>
      ))}
    </p>
  );
}

const KEYS = [
  ['↑ ↓', 'choose'],
  ['↵', 'go'],
  ['Esc', 'close'],
] as const;

/** Number of items found by name that come before the passages. */
const BEST = 5;

/**
 * Returns the file search, the items found by name, and passages. The best item comes before the search and
 * is selected.
 */
function useShown(typed: string): { shown: Command[]; best: number; isMiss: boolean } {
  const commands = useCommands(useDeferredValue(typed));
  const search = useFileSearch(typed);
  const ranked = useMemo(() => rank(commands, typed), [commands, typed]);
  const { passages, isMiss } = usePassageCommands(typed);
  const shown = [...search, ...ranked.slice(0, BEST), ...passages, ...ranked.slice(BEST)];
  return { shown, best: search.length, isMiss };
}

/** Handles arrow keys, which wrap around. */
function steer(
  event: KeyboardEvent,
  at: number,
  count: number,
  choose: (number: number) => void,
  go: () => void,
): void {
  const key = pressedKey(event);
  const step = stepOf(key, at, count);
  if (step !== undefined) choose(step);
  else if (key === 'Enter') go();
  else return;
  event.preventDefault();
}

function Line({ command }: { command: Command }) {
  const { t } = useTranslation();
  return (
    <>
      <span className="text-muted">
        <Icon name={command.icon} size={16} />
      </span>
      <span data-user-content className="min-w-0 flex-1 truncate">
        {command.text || t('palette.untitled')}
        {command.detail && <span className="block truncate text-xs text-muted">{command.detail}</span>}
      </span>
      <span className="text-xs text-muted">{t(`palette.groups.${command.group}`)}</span>
    </>
  );
}
