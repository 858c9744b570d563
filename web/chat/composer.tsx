import {
  type ClipboardEvent,
  type DragEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useAddedDraft, useDraft } from '../parts/draft.ts';
import { Icon } from '../parts/icon.tsx';
import { isInDialog, isOutsideText } from '../parts/is-outside-text.ts';
import { isKey, pressedKey } from '../parts/pressed-key.ts';
import { isSendKey } from '../parts/send-key.ts';
import { type Mentions, useMention } from './use-mention.tsx';

interface Props {
  draftName: string;
  label: string;
  isBusy: boolean;
  disabled?: boolean;
  onSend: (text: string) => void;
  onStop?: () => void;
  /** True if a text can also be sent while an answer is in progress. */
  sendsWhileBusy?: boolean;
  /** Shown next to the button, such as the choice of a mode. */
  children?: ReactNode;
  /** Shown above the text, such as attachments. */
  above?: ReactNode;
  /**
   * True to focus the text box when it appears. Only with a mouse, because an on-screen keyboard would cover
   * the page.
   */
  startsFocused?: boolean;
  /** Completion of file names after `@`. */
  mentions?: Mentions;
  /** Receives pasted or dropped files. */
  onFiles?: (files: FileList) => void;
}

const MAX_LENGTH = 20_000;
const ROUND =
  'inline-flex size-9 items-center justify-center rounded-full transition-opacity disabled:opacity-40';

/**
 * A text box with a button. Its text is its own state, so that a key press renders only the composer, not the
 * conversation.
 */
export function Composer(props: Props) {
  const { draftName, label, isBusy, disabled = false, sendsWhileBusy = false } = props;
  const { onSend, onStop, children, above, onFiles } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  useFocus(box, props.startsFocused === true);
  const [text, setText] = useDraft(draftName);
  const takeAdded = useCallback(
    (added: string) => {
      setText(added.slice(0, MAX_LENGTH));
      box.current?.focus();
    },
    [setText],
  );
  useAddedDraft(draftName, takeAdded);
  const canSend = !disabled && (!isBusy || sendsWhileBusy) && text.trim() !== '';
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (!canSend) return;
    onSend(text.trim());
    setText('');
  };
  return (
    <form
      onSubmit={send}
      {...(onFiles && takingFiles(onFiles))}
      className="relative rounded-lg border border-line bg-surface p-2 shadow-raised focus-within:border-accent"
    >
      {above}
      <TextBox
        box={box}
        label={label}
        text={text}
        mentions={props.mentions}
        onChange={setText}
        onEnter={send}
      />
      <div className="flex items-center gap-2 pt-1">
        <div className="flex-1">{children}</div>
        {isBusy && onStop && <StopButton onStop={onStop} />}
        {(!isBusy || !onStop || sendsWhileBusy) && <SendButton canSend={canSend} />}
      </div>
    </form>
  );
}

function StopButton({ onStop }: { onStop: () => void }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      aria-label={t('chat.stop')}
      title={t('chat.stop')}
      onClick={onStop}
      className={`${ROUND} bg-ink text-canvas`}
    >
      <Icon name="stop" size={16} />
    </button>
  );
}

function SendButton({ canSend }: { canSend: boolean }) {
  const { t } = useTranslation();
  return (
    <button
      type="submit"
      aria-label={t('chat.send')}
      title={t('chat.send')}
      disabled={!canSend}
      className={`${ROUND} bg-accent text-on-accent`}
    >
      <Icon name="send" size={18} />
    </button>
  );
}

/** Returns handlers that accept pasted or dropped files, and leave text to the text box. */
function takingFiles(onFiles: (files: FileList) => void) {
  const take = (event: SyntheticEvent, transfer: DataTransfer) => {
    if (transfer.files.length === 0) return;
    event.preventDefault();
    onFiles(transfer.files);
  };
  return {
    onPaste: (event: ClipboardEvent) => take(event, event.clipboardData),
    onDrop: (event: DragEvent) => take(event, event.dataTransfer),
    onDragOver: (event: DragEvent) => event.dataTransfer.types.includes('Files') && event.preventDefault(),
  };
}

interface TextBoxProps {
  box: RefObject<HTMLTextAreaElement | null>;
  label: string;
  text: string;
  mentions: Mentions | undefined;
  onChange: (text: string) => void;
  onEnter: () => void;
}

/**
 * A text box that grows with its text. Enter sends the text. On phones, whose keyboards have no Shift+Enter,
 * Enter starts a new line.
 */
function TextBox({ box, label, text, mentions, onChange, onEnter }: TextBoxProps) {
  const [caret, setCaret] = useState(0);
  const replace = (changed: string, place: number) => {
    onChange(changed);
    setCaret(place);
    requestAnimationFrame(() => box.current?.setSelectionRange(place, place));
  };
  const mention = useMention(mentions, { text, caret, replace });
  // biome-ignore lint/correctness/useExhaustiveDependencies: its height follows the text
  useEffect(() => {
    const area = box.current;
    if (area === null) return;
    area.style.height = 'auto';
    area.style.height = `${Math.min(area.scrollHeight, 240)}px`;
  }, [text]);
  const press = (event: KeyboardEvent) => {
    if (mention.press(event)) return;
    // Keys then act on the page, such as on an approval.
    if (pressedKey(event) === 'Escape') box.current?.blur();
    if (!isSendKey(event)) return;
    event.preventDefault();
    onEnter();
  };
  return (
    <>
      {mention.shown}
      <textarea
        ref={box}
        rows={1}
        dir="auto"
        enterKeyHint={matchMedia('(pointer: coarse)').matches ? 'enter' : 'send'}
        aria-label={label}
        placeholder={label}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={({ target }) => {
          onChange(target.value);
          setCaret(target.selectionStart);
        }}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onKeyDown={press}
        {...mention.names}
        className="block max-h-60 w-full resize-none bg-transparent px-2 pt-1.5 text-base outline-none placeholder:text-muted"
      />
    </>
  );
}

/** Focuses the page's text box on the key `/` and, if wanted, when the text box appears. */
function useFocus(box: RefObject<HTMLTextAreaElement | null>, startsFocused: boolean): void {
  useEffect(() => {
    const canStart = matchMedia('(pointer: fine)').matches && !isInDialog();
    if (startsFocused && canStart) box.current?.focus({ preventScroll: true });
    const press = (event: globalThis.KeyboardEvent) => {
      if (!isKey('question', event) || !isOutsideText(event)) return;
      event.preventDefault();
      box.current?.focus();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [box, startsFocused]);
}
