import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ClipboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AlsoSearchField } from '../chat/also-search.tsx';
import { ChooseFile } from '../files/choose-file.tsx';
import { Banner } from '../parts/banner.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { CheckField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/problem.tsx';
import { useFileDrop } from '../parts/use-file-drop.ts';
import { ConnectLink } from '../settings/ai-banner.tsx';
import { useHealth } from '../settings/queries.ts';
import { useWorkspaceSettings } from '../workspaces/queries.ts';
import { DRAFT_FILES, type DraftRefusal, isDraftName, refusalOf } from './chosen-draft.ts';
import { type ChosenDraft, useBeginCheck } from './queries.ts';

const FROM = '/w/$workspaceId/drafts';
const MAX_TEXT = 2_000_000;

interface Refused {
  name: string;
  why: DraftRefusal;
}

/** The draft of the form. Without a choice about the judge, the settings decide. */
interface Draft {
  text: string;
  judge?: boolean;
  references?: boolean;
  others?: string[];
}

export function StartForm({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const begin = useBeginCheck(workspaceId);
  const noAi = useHealth().data?.aiAvailable === false;
  const settings = useWorkspaceSettings(workspaceId).data;
  // A draft is judged unless the person, or the settings, decided otherwise.
  const isJudged =
    settings?.citationJudgeSource === 'environment' || settings?.citationJudgeInForce !== 'off';
  const { draft, change, drop } = useFormDraft<Draft>(`draft check ${workspaceId}`, { text: '' });
  const judge = (draft.judge ?? isJudged) && !noAi;
  const { others = [] } = draft;
  const chosen = useChosenFile();
  const wanted = chosen.draft ?? (draft.text.trim() === '' ? undefined : { text: draft.text });
  const isOver = useFileDrop(({ files }) => chosen.take(files));
  const submit = () => {
    if (wanted === undefined) return;
    // Not onSuccess, because it isn't called after the check has opened and the form is unmounted.
    void begin
      .mutateAsync({ draft: wanted, judge, references: draft.references ?? false, others })
      .then(drop, () => {});
  };
  return (
    <Form
      onSend={submit}
      sending={begin}
      isWhole={wanted !== undefined}
      className={`space-y-3 rounded-lg border bg-surface p-4 shadow-raised ${isOver ? 'border-accent bg-accent-soft' : 'border-line'}`}
    >
      <DraftField chosen={chosen} isOver={isOver} text={draft.text} onChange={(text) => change({ text })} />
      <ChooseButtons workspaceId={workspaceId} chosen={chosen} />
      <CheckField
        label={t('verify.judge')}
        hint={noAi ? <NoJudge /> : t('verify.judgeNote')}
        checked={judge}
        disabled={noAi}
        onChange={(judge) => change({ judge })}
      />
      <CheckField
        label={t('verify.references')}
        hint={t('verify.referencesHint')}
        checked={draft.references ?? false}
        onChange={(references) => change({ references })}
      />
      <AlsoSearchField workspaceId={workspaceId} others={others} onChange={(others) => change({ others })} />
      <Problem error={begin.error} />
      <div className="flex justify-end">
        <Button look="main" type="submit" disabled={wanted === undefined || begin.isPending}>
          {t('verify.begin')}
        </Button>
      </div>
    </Form>
  );
}

/** Why no model can judge, and what can be done about it. */
function NoJudge() {
  const { t } = useTranslation();
  return (
    <>
      {t('verify.codeOnly')} <ConnectLink />
    </>
  );
}

interface DraftFieldProps {
  chosen: Chosen;
  /** True while a file is dragged over the page. */
  isOver: boolean;
  text: string;
  onChange: (text: string) => void;
}

/** A text box, or the file that replaces it. */
function DraftField({ chosen, isOver, text, onChange }: DraftFieldProps) {
  const { t } = useTranslation();
  return (
    <>
      {chosen.draft === undefined ? (
        <textarea
          aria-label={t('verify.text')}
          placeholder={t(isOver ? 'verify.dropHere' : 'verify.placeholder')}
          rows={6}
          maxLength={MAX_TEXT}
          value={text}
          onChange={({ target }) => onChange(target.value)}
          onPaste={(event) => pasteFile(event, chosen.take)}
          className="w-full resize-y bg-transparent text-base outline-none placeholder:text-muted"
        />
      ) : (
        <ChosenFile draft={chosen.draft} onRemove={chosen.remove} />
      )}
      {chosen.refused && (
        <div role="alert">
          <Banner look="warn">
            {t(`verify.refused.${chosen.refused.why}`, { name: chosen.refused.name })}
          </Banner>
        </div>
      )}
    </>
  );
}

/** Takes a pasted file; leaves pasted text to the text box. */
function pasteFile(event: ClipboardEvent, take: (files: Iterable<File>) => void): void {
  const { files } = event.clipboardData;
  if (files.length === 0) return;
  event.preventDefault();
  take(files);
}

interface Chosen {
  draft: Exclude<ChosenDraft, { text: string }> | undefined;
  refused: Refused | undefined;
  take: (files: Iterable<File>) => void;
  choosePath: (path: string) => void;
  remove: () => void;
}

/** Returns the chosen file. A file on this computer stays in this tab; a file in the workspace is in the URL. */
function useChosenFile(): Chosen {
  const navigate = useNavigate({ from: FROM });
  const { path } = useSearch({ from: FROM });
  const [file, setFile] = useState<File>();
  const [refused, setRefused] = useState<Refused>();
  const showPath = (next: string | undefined) =>
    void navigate({ search: { path: next }, replace: true, resetScroll: false });
  const take = ([first]: Iterable<File>) => {
    if (first === undefined) return;
    const why = refusalOf(first);
    setRefused(why && { name: first.name, why });
    if (why !== undefined) return;
    setFile(first);
    if (path !== undefined) showPath(undefined);
  };
  const choosePath = (next: string) => {
    const isDraft = isDraftName(next);
    setRefused(isDraft ? undefined : { name: next, why: 'kind' });
    if (!isDraft) return;
    setFile(undefined);
    showPath(next);
  };
  const remove = () => {
    setFile(undefined);
    if (path !== undefined) showPath(undefined);
  };
  const draft = file !== undefined ? { file } : path !== undefined ? { path } : undefined;
  return { draft, refused, take, choosePath, remove };
}

function ChosenFile({ draft, onRemove }: { draft: NonNullable<Chosen['draft']>; onRemove: () => void }) {
  const { t } = useTranslation();
  const shown = useRef<HTMLParagraphElement>(null);
  const name = 'file' in draft ? draft.file.name : draft.path;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file is announced, too
  useEffect(() => shown.current?.focus(), [name]);
  return (
    <p
      ref={shown}
      tabIndex={-1}
      className="flex items-center gap-2 rounded-md border border-line bg-sunken px-3 py-1.5 text-sm outline-none"
    >
      <Icon name={'file' in draft ? 'clip' : 'file'} size={16} />
      <span className="sr-only">{t('verify.chosen')}</span>
      <span data-user-content className="min-w-0 flex-1 font-medium wrap-anywhere">
        {name}
      </span>
      <IconButton icon="close" label={t('verify.remove', { name })} onClick={onRemove} />
    </p>
  );
}

function ChooseButtons({ workspaceId, chosen }: { workspaceId: string; chosen: Chosen }) {
  const { t } = useTranslation();
  const picker = useRef<HTMLInputElement>(null);
  const [isChoosing, setChoosing] = useState(false);
  return (
    <div className="flex flex-wrap gap-2">
      <input
        ref={picker}
        type="file"
        accept={DRAFT_FILES}
        hidden
        aria-label={t('verify.choose')}
        onChange={({ target }) => {
          chosen.take(target.files ?? []);
          target.value = ''; // otherwise choosing the same file again would be no change
        }}
      />
      <Button icon="clip" onClick={() => picker.current?.click()}>
        {t('verify.choose')}
      </Button>
      <Button icon="files" onClick={() => setChoosing(true)}>
        {t('verify.chooseFromWorkspace')}
      </Button>
      {isChoosing && (
        <ChooseFile
          workspaceId={workspaceId}
          title={t('verify.chooseFromWorkspace')}
          shows={isDraftName}
          onChoose={chosen.choosePath}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  );
}
