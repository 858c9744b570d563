import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../parts/button.tsx';
import { useDraft } from '../parts/draft.ts';
import { Form } from '../parts/form.tsx';
import { isKey, pressedKey } from '../parts/pressed-key.ts';
import { historyOf } from './use-terminal.ts';

interface Props {
  workspaceId: string;
  place: string;
  isBusy: boolean;
  onRun: (command: string) => void;
  onClear: () => void;
}

/** A line as in a terminal; up and down select earlier commands. */
export function CommandLine({ workspaceId, place, isBusy, onRun, onClear }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useDraft(`terminal ${workspaceId}`);
  const box = useRef<HTMLInputElement>(null);
  const keys = useHistoryKeys(workspaceId, setText, onClear);
  const wasBusy = useRef(false);
  // When the command has ended, focuses the line, so that the next one can be typed immediately.
  useEffect(() => {
    if (wasBusy.current && !isBusy) box.current?.focus();
    wasBusy.current = isBusy;
  }, [isBusy]);
  const canRun = !isBusy && text.trim() !== '';
  const submit = () => {
    setText('');
    keys.reset();
    onRun(text);
  };
  return (
    <Form
      onSend={submit}
      isWhole={canRun}
      className="flex flex-wrap items-center gap-2 rounded-b-lg border border-t-0 border-line bg-sunken px-4 py-2"
    >
      <span className="max-w-52 truncate font-mono text-xs text-accent" title={place}>
        {place} $
      </span>
      <input
        ref={box}
        // biome-ignore lint/a11y/noAutofocus: the page is for typing into it
        autoFocus
        aria-label={t('terminal.command')}
        aria-describedby="terminal-hint"
        autoCapitalize="off"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        maxLength={4096}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={keys.onKeyDown}
        className="min-h-9 min-w-40 flex-1 rounded-md border border-line bg-surface px-2.5 font-mono text-base sm:text-sm"
      />
      <Button look="main" type="submit" disabled={!canRun}>
        {t(isBusy ? 'terminal.running' : 'terminal.run')}
      </Button>
      <p id="terminal-hint" className="w-full text-xs text-muted">
        {t('terminal.hint')}
      </p>
    </Form>
  );
}

function useHistoryKeys(workspaceId: string, setText: (text: string) => void, onClear: () => void) {
  /** Position in the history, counted backward; 0 is the current line. */
  const [back, setBack] = useState(0);
  const go = (by: number) => {
    const history = historyOf(workspaceId);
    const next = Math.min(history.length, Math.max(0, back + by));
    setBack(next);
    setText(next === 0 ? '' : (history.at(-next) ?? ''));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const key = pressedKey(event);
    const isClear = isKey('clear', event);
    if (!(isClear || /^Arrow(Up|Down)$/.test(key))) return;
    event.preventDefault();
    if (isClear) onClear();
    else go(key === 'ArrowUp' ? 1 : -1);
  };
  return { onKeyDown, reset: () => setBack(0) };
}
