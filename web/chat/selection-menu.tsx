import { Link, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { useSaveNote } from '../notes/queries.ts';
import { Button } from '../parts/button.tsx';
import { addToDraft } from '../parts/draft.ts';
import { keepDraft } from '../parts/kept-draft.ts';
import { pressedKey } from '../parts/pressed-key.ts';
import { Problem } from '../parts/problem.tsx';
import type { Citation } from './message-view.ts';
import { newChatId } from './new-chat.ts';
import { noteOfPassage, type Passage, quoteForChat } from './selected-passage.ts';

/** Milliseconds without changes after which a selection by mouse, touch, or keyboard is finished. */
const SETTLED_MS = 200;
const MENU_HEIGHT = 48;
const MENU_WIDTH = 260;

interface Props {
  workspaceId: string;
  citation: Citation;
  /** The conversation that gets quotations; a new one if absent. */
  conversationId: string | undefined;
  className: string;
  children: ReactNode;
}

/** A file whose selected text can be quoted in the chat, or saved as a note. */
export function SelectionMenu({ workspaceId, citation, conversationId, className, children }: Props) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const selected = useSelected(box, citation.path);
  const mayWrite = useMay('member', workspaceId);
  const save = useSaveNote(workspaceId, undefined);
  const quote = useQuoteInChat(workspaceId, conversationId, box);
  const leave = (event: KeyboardEvent) => {
    if (pressedKey(event) !== 'Escape' || selected === undefined) return;
    event.preventDefault(); // the source stays open
    getSelection()?.removeAllRanges();
  };
  const keep = (passage: Passage) => {
    save.mutate(noteOfPassage(passage));
    getSelection()?.removeAllRanges();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape leaves the selection in it
    <div ref={box} onKeyDown={leave} className={`relative flex flex-col ${className}`}>
      <div className="min-h-0 flex-1">{children}</div>
      {selected && (
        <div
          role="toolbar"
          aria-label={t('chat.selection')}
          onPointerDown={(event) => event.preventDefault()} // preserves the selection
          style={{ top: selected.top, left: selected.left }}
          className="absolute z-20 flex gap-1 rounded-md border border-line bg-surface p-1 shadow-raised"
        >
          <Button look="quiet" icon="chat" onClick={() => quote(selected.passage)}>
            {t('chat.quoteInChat')}
          </Button>
          {mayWrite && (
            <Button
              look="quiet"
              icon="note"
              title={t('chat.keepNote')}
              onClick={() => keep(selected.passage)}
            >
              {t('chat.keep')}
            </Button>
          )}
        </div>
      )}
      <KeptNote saving={save} className="border-t border-line px-4 py-2" />
    </div>
  );
}

interface KeptProps {
  saving: Pick<ReturnType<typeof useSaveNote>, 'data' | 'error'>;
  className?: string;
}

/**
 * Reports the saved note, with a link to it. The region must exist before its text, because only then is the
 * text announced.
 */
export function KeptNote({ saving: { data, error }, className = '' }: KeptProps) {
  const { t } = useTranslation();
  return (
    <div className={data || error ? className : ''}>
      <p role="status" className="text-sm">
        {data && (
          <>
            {t('chat.kept')}{' '}
            <Link
              to="/w/$workspaceId/notes/$noteId"
              params={{ workspaceId: data.workspaceId, noteId: data.id }}
              className="text-accent underline"
            >
              {t('chat.openNote')}
            </Link>
          </>
        )}
      </p>
      <Problem error={error} />
    </div>
  );
}

interface Selected {
  passage: Passage;
  top: number;
  left: number;
}

/** Returns the selected text of the file, once the selection is finished. */
function useSelected(box: RefObject<HTMLDivElement | null>, path: string): Selected | undefined {
  const [selected, setSelected] = useState<Selected>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (getSelection()?.isCollapsed !== false) setSelected(undefined);
      timer = setTimeout(
        () => setSelected(box.current ? readSelected(box.current, path) : undefined),
        SETTLED_MS,
      );
    };
    document.addEventListener('selectionchange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('selectionchange', look);
    };
  }, [box, path]);
  return selected;
}

function readSelected(box: HTMLElement, path: string): Selected | undefined {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  if (!box.contains(range.commonAncestorContainer)) return undefined;
  const passage = readPassage(range, selection.toString(), path);
  if (passage === undefined) return undefined;
  const [around, at] = [box.getBoundingClientRect(), range.getBoundingClientRect()];
  const top = Math.min(at.bottom - around.top + 6, around.height - MENU_HEIGHT);
  const left = Math.min(at.left - around.left, around.width - MENU_WIDTH);
  return { passage, top: Math.max(4, top), left: Math.max(4, left) };
}

/**
 * Puts a quotation into the input of this conversation, or of a new one. If the source covers the input, the
 * source closes.
 */
function useQuoteInChat(
  workspaceId: string,
  conversationId: string | undefined,
  box: RefObject<HTMLDivElement | null>,
) {
  const navigate = useNavigate();
  return (passage: Passage) => {
    const text = quoteForChat(passage);
    getSelection()?.removeAllRanges();
    if (conversationId === undefined) {
      const id = newChatId(workspaceId);
      keepDraft(id, text);
      void navigate({
        to: '/w/$workspaceId/chat/$conversationId',
        params: { workspaceId, conversationId: id },
      });
      return;
    }
    const panel = box.current?.closest('section');
    const isOver = panel ? getComputedStyle(panel).position === 'fixed' : false;
    if (isOver) void navigate({ to: '.', search: (before: object) => ({ ...before, source: undefined }) });
    addToDraft(conversationId, text);
  };
}

const MAX_TEXT = 4_000;

/**
 * Returns the selected passage; undefined for a selection without text. Views with lines and pages mark these
 * with `data-line` and `data-page`.
 */
function readPassage(range: Range, selected: string, path: string): Passage | undefined {
  const page = numberAround(range.startContainer, 'page');
  const text = (page === undefined ? selected : selected.replace(/\s+/g, ' ')).trim().slice(0, MAX_TEXT);
  if (text === '') return undefined;
  const first = numberAround(range.startContainer, 'line');
  const last = numberAround(range.endContainer, 'line') ?? first;
  const lines = first === undefined || last === undefined ? undefined : ([first, last] as [number, number]);
  return { path, text, ...(page !== undefined && { page }), ...(lines && { lines }) };
}

function numberAround(node: Node, name: 'line' | 'page'): number | undefined {
  const element = node instanceof Element ? node : node.parentElement;
  const value = element?.closest<HTMLElement>(`[data-${name}]`)?.dataset[name];
  return value === undefined ? undefined : Number(value);
}
