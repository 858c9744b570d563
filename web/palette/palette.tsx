import { type KeyboardEvent, useDeferredValue, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { rank } from './rank.ts';
import { type Command, useCommands, useFileSearch, usePassageCommands } from './use-commands.ts';

/** A combobox over everything: typing narrows it, the arrows select, Enter opens. */
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
        aria-controls={list}
        aria-activedescendant={shown.length > 0 ? `${list}-${at}` : undefined}
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
      <Lines id={list} shown={shown} at={at} onRun={run} />
      <Keys />
      <p role="status" className={shown.length === 0 ? 'text-sm text-muted' : 'sr-only'}>
        {shown.length === 0 ? t('palette.none') : t('palette.found', { count: shown.length })}
      </p>
    </Dialog>
  );
}

interface LinesProps {
  id: string;
  shown: Command[];
  at: number;
  onRun: (command: Command) => void;
}

function Lines({ id, shown, at, onRun }: LinesProps) {
  const { t } = useTranslation();
  return (
    <div
      id={id}
      role="listbox"
      tabIndex={-1}
      aria-label={t('palette.title')}
      className="mt-3 h-[min(22rem,60dvh)] overflow-y-auto"
    >
      {shown.map((command, number) => (
        <Line
          key={command.id}
          id={`${id}-${number}`}
          command={command}
          isChosen={number === at}
          onRun={() => onRun(command)}
        />
      ))}
    </div>
  );
}

/** Explains the keys, which touch screens don't need. */
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

/** Items found by name that come before the passages. */
const BEST = 5;

/** Returns the file search, the items found by name, and passages; the best of these is selected before the search. */
function useShown(typed: string): { shown: Command[]; best: number; isMiss: boolean } {
  const commands = useCommands(useDeferredValue(typed));
  const search = useFileSearch(typed);
  const ranked = useMemo(() => rank(commands, typed), [commands, typed]);
  const { passages, isMiss } = usePassageCommands(typed);
  const shown = [...search, ...ranked.slice(0, BEST), ...passages, ...ranked.slice(BEST)];
  return { shown, best: search.length, isMiss };
}

/** Arrows go round; Enter that ends the writing of a Chinese word chooses nothing. */
function steer(
  event: KeyboardEvent,
  at: number,
  count: number,
  choose: (number: number) => void,
  go: () => void,
): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined && count > 0) choose((at + step + count) % count);
  else if (event.key === 'Enter' && !event.nativeEvent.isComposing) go();
  else return;
  event.preventDefault();
}

interface LineProps {
  id: string;
  command: Command;
  isChosen: boolean;
  onRun: () => void;
}

function Line({ id, command, isChosen, onRun }: LineProps) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
    <div
      ref={(line) => {
        if (isChosen) line?.scrollIntoView({ block: 'nearest' });
      }}
      id={id}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      onClick={onRun}
      className="flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-2.5 text-sm hover:bg-sunken aria-selected:bg-accent-soft"
    >
      <span className="text-muted">
        <Icon name={command.icon} size={16} />
      </span>
      <span data-user-content className="min-w-0 flex-1 truncate">
        {command.text || t('palette.untitled')}
        {command.detail && <span className="block truncate text-xs text-muted">{command.detail}</span>}
      </span>
      <span className="text-xs text-muted">{t(`palette.groups.${command.group}`)}</span>
    </div>
  );
}
