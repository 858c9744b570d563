import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../lib/api-contract/schema.ts';
import { ApiError } from '../../api/client.ts';
import { Banner } from '../../parts/banner.tsx';
import { Button } from '../../parts/button.tsx';
import { isKey } from '../../parts/pressed-key.ts';
import { Problem } from '../../parts/problem.tsx';
import { Loading } from '../loading.tsx';
import { NotShown } from '../not-shown.tsx';
import { useFileContent, useWriteFile } from '../queries.ts';
import { Conflict } from './conflict.tsx';
import { lineEndOf, withLineEnds } from './line-ends.ts';
import { dropUnsavedText, readUnsavedText, storeUnsavedText } from './unsaved-text.ts';

/** Maximum characters for editing in place. A text field is slow with more. */
export const MAX_EDITED = 1_000_000;

interface Props {
  workspaceId: string;
  path: string;
  onClose: () => void;
}

/** A file as edited in this tab. */
interface EditedFile {
  content: string;
  hash: string | null;
}

/** The state of a deleted file. The typed text isn't lost, and can be saved as a new file. */
const GONE: EditedFile = { content: '', hash: null };

export function Editor({ workspaceId, path, onClose }: Props) {
  const file = useFileContent(workspaceId, path);
  const isGone = file.error instanceof ApiError && file.error.status === 404;
  if (isGone && readUnsavedText(workspaceId, path) !== undefined)
    return <OpenEditor workspaceId={workspaceId} path={path} onClose={onClose} file={GONE} />;
  if (file.error)
    return (
      <div className="p-4">
        <Problem error={file.error} onRetry={() => file.refetch()} />
      </div>
    );
  if (file.data === undefined) return <Loading />;
  if (!isEditable(file.data)) return <NotShown workspaceId={workspaceId} path={path} />;
  return <OpenEditor workspaceId={workspaceId} path={path} onClose={onClose} file={file.data} />;
}

export function isEditable({ encoding, size }: Schemas['FileContent']): boolean {
  return encoding === 'utf-8' && size <= MAX_EDITED;
}

/**
 * Returns a text that is being edited. It survives reloads, and is saved only over the version from which it
 * started.
 */
function useEdited(workspaceId: string, path: string, file: EditedFile, onSaved: () => void) {
  const [edited, setEdited] = useState(
    () => readUnsavedText(workspaceId, path) ?? { text: withLineEnds(file.content, '\n'), hash: file.hash },
  );
  const [isKept, setKept] = useState(true);
  const [end] = useState(() => lineEndOf(file.content));
  const write = useWriteFile(workspaceId, path);
  const change = (text: string) => {
    const next = { ...edited, text };
    setEdited(next);
    setKept(storeUnsavedText(workspaceId, path, next));
  };
  const save = (expectedHash: string | null = edited.hash) =>
    write.mutate(
      { content: withLineEnds(edited.text, end), expectedHash },
      {
        onSuccess: () => {
          dropUnsavedText(workspaceId, path);
          onSaved();
        },
      },
    );
  return { edited, isKept, change, save, write };
}

function OpenEditor({ workspaceId, path, onClose, file }: Props & { file: EditedFile }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { edited, isKept, change, save, write } = useEdited(workspaceId, path, file, onClose);
  const isConflict = write.error instanceof ApiError && write.error.status === 409;
  useEffect(() => {
    if (isConflict) void queries.invalidateQueries({ queryKey: ['file', workspaceId, path] });
  }, [isConflict, queries, workspaceId, path]);
  const discard = () => {
    dropUnsavedText(workspaceId, path);
    onClose();
  };
  const press = (event: KeyboardEvent) => {
    if (!isKey('save', event)) return;
    event.preventDefault();
    save();
  };
  if (isConflict && file.hash !== edited.hash)
    return (
      <Conflict
        mine={edited.text}
        theirs={file.content}
        doing={write.isPending}
        onMine={() => save(file.hash)}
        onTheirs={discard}
        onBack={() => write.reset()}
      />
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field within has the focus; this hears its keys
    <div className="flex h-full flex-col" onKeyDown={press}>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <p className="flex-1 text-xs text-muted">{t(isKept ? 'files.edit.kept' : 'files.edit.notKept')}</p>
        <Button onClick={discard}>{t('files.edit.discard')}</Button>
        <Button look="main" disabled={write.isPending} onClick={() => save()}>
          {t('files.edit.save')}
        </Button>
      </div>
      {write.error && (
        <div className="px-4 py-2">
          <Problem error={write.error} />
        </div>
      )}
      {edited.hash !== file.hash && !write.isPending && (
        <div className="px-4 py-2">
          <Banner look="warn">{t('files.edit.changedMeanwhile')}</Banner>
        </div>
      )}
      <TextArea label={t('files.edit.text', { path })} text={edited.text} onChange={change} />
    </div>
  );
}

interface TextAreaProps {
  label: string;
  text: string;
  onChange: (text: string) => void;
}

/** A text field with line numbers next to it. Tab leaves the field, as in other fields. */
function TextArea({ label, text, onChange }: TextAreaProps) {
  const numbers = useRef<HTMLPreElement>(null);
  const column = useMemo(
    () => Array.from({ length: text.split('\n').length }, (_, line) => line + 1).join('\n'),
    [text],
  );
  return (
    <div className="flex min-h-0 flex-1 overflow-hidden font-mono text-xs leading-[22px]">
      <div aria-hidden="true" className="overflow-hidden border-r border-line bg-sunken py-2 select-none">
        <pre ref={numbers} className="px-3 text-right text-muted">
          {column}
        </pre>
      </div>
      <textarea
        aria-label={label}
        value={text}
        wrap="off"
        spellCheck={false}
        autoCapitalize="off"
        onChange={({ target }) => onChange(target.value)}
        onScroll={({ currentTarget }) => {
          if (numbers.current) numbers.current.style.transform = `translateY(${-currentTarget.scrollTop}px)`;
        }}
        className="min-w-0 flex-1 resize-none bg-surface px-3 py-2 outline-none focus-visible:ring-2 focus-visible:ring-accent focus-visible:ring-inset"
      />
    </div>
  );
}
