import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { GENERATED_NOTE_TYPES, type GeneratedNoteType } from '../../lib/api-contract/note-types.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { INPUT } from '../parts/field.tsx';
import { Problem } from '../parts/problem.tsx';
import { AiBanner } from '../settings/ai-banner.tsx';
import { useHealth } from '../settings/queries.ts';
import { type Outcome, useWriteNote, useWriting, type Writing } from './queries.ts';

/** Generates a note from all files of the workspace, or a report of its activity. */
export function WriteNote({ workspaceId }: { workspaceId: string }) {
  const { t, i18n } = useTranslation();
  const [type, setType] = useState<GeneratedNoteType>('summary');
  const write = useWriteNote(workspaceId);
  const writing = useWriting(workspaceId);
  const hasAi = useHealth().data?.aiAvailable !== false;
  const isBusy = writing?.status === 'pending';
  return (
    <section aria-label={t('notes.write')} className="space-y-3 rounded-lg border border-line bg-surface p-4">
      <AiBanner />
      <div className="flex flex-wrap items-center gap-2">
        <select
          aria-label={t('notes.what')}
          value={type}
          onChange={({ target }) => setType(target.value as typeof type)}
          className={`${INPUT} max-w-64 flex-1`}
        >
          {GENERATED_NOTE_TYPES.map((each) => (
            <option key={each} value={each}>
              {t(`notes.types.${each}`)}
            </option>
          ))}
        </select>
        <Button
          look="main"
          icon="agent"
          disabled={!hasAi || isBusy}
          onClick={() => write.mutate({ type, locale: i18n.language })}
        >
          {t('notes.write')}
        </Button>
      </div>
      <p className="-mt-1 text-sm text-muted">{t(`notes.about.${type}`)}</p>
      <div role="status" className="empty:hidden">
        {writing && <WritingState workspaceId={workspaceId} writing={writing} />}
      </div>
    </section>
  );
}

function WritingState({ workspaceId, writing }: { workspaceId: string; writing: Writing }) {
  const { status, outcome, error } = writing;
  return (
    <div className="mt-3">
      {status === 'pending' && <Progress writing={writing} />}
      <Problem error={error} />
      {outcome && <Written workspaceId={workspaceId} outcome={outcome} />}
    </div>
  );
}

const TICK_MS = 1_000;

/** The progress of a note. The duration depends on the files, so only the elapsed time is shown. */
function Progress({ writing: { type, startedAt } }: { writing: Writing }) {
  const { t, i18n } = useTranslation();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const unit = { style: 'unit', unit: 'second', unitDisplay: 'narrow' } as const;
  const seconds = new Intl.NumberFormat(i18n.language, unit).format(
    Math.max(0, Math.round((now - startedAt) / 1000)),
  );
  return (
    <div>
      <p className="text-sm">{t('notes.writing', { type: t(`notes.types.${type}`) })}</p>
      <div
        role="progressbar"
        aria-label={t('notes.write')}
        className="mt-2 h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <div className="skeleton h-full bg-accent" />
      </div>
      <p aria-hidden="true" className="mt-1 text-xs text-muted tabular-nums">
        {seconds}
      </p>
    </div>
  );
}

function Written({ workspaceId, outcome }: { workspaceId: string; outcome: Outcome }) {
  const { t } = useTranslation();
  const noteId = 'skipped' in outcome ? outcome.noteId : outcome.id;
  const link = noteId !== undefined && (
    <Link
      to="/w/$workspaceId/notes/$noteId"
      params={{ workspaceId, noteId }}
      className="text-accent underline"
    >
      {'title' in outcome ? outcome.title : t('notes.readIt')}
    </Link>
  );
  return (
    <Banner>
      {'skipped' in outcome ? t(`notes.skipped.${outcome.reason}`) : t('notes.written')} {link}
    </Banner>
  );
}
