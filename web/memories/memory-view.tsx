import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_FACT_CHARACTERS } from '../../lib/api-contract/fact-limit.ts';
import { useIsAlone, useMay, useMe } from '../access/role.ts';
import { IconButton } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { TextArea } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { formatAgo } from '../parts/format.ts';
import { LoadedRows } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Row } from '../parts/rows.tsx';
import { saveFile } from '../parts/save-file.ts';
import { PageHead } from '../shell/page-head.tsx';
import { FactDialog, SharedField } from './fact-dialog.tsx';
import { type Fact, type FactsOf, useAddFact, useChangeFact, useDeleteFact, useFacts } from './queries.ts';

export function MemoryView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const mayWrite = useMay('member', workspaceId);
  return (
    <Page>
      <PageHead title={t('shell.memory')} note={t('memories.note')} />
      <FactCard of={undefined} mayWrite />
      <FactCard of={workspaceId} mayWrite={mayWrite} />
    </Page>
  );
}

function FactCard({ of, mayWrite }: { of: FactsOf; mayWrite: boolean }) {
  const { t } = useTranslation();
  const facts = useFacts(of);
  const scope = of === undefined ? 'person' : 'workspace';
  const title = t(`memories.${scope}.title`);
  const save = () =>
    saveFile(
      new Blob([JSON.stringify(facts.data, null, 2)], { type: 'application/json' }),
      `memory-${scope}.json`,
    );
  return (
    <Card title={title}>
      <div className="-mt-2 mb-3 flex items-start justify-between gap-3">
        <p className="text-sm text-muted">{t(`memories.${scope}.note`)}</p>
        {facts.data && facts.data.length > 0 && (
          <IconButton icon="download" label={t('memories.export')} onClick={save} />
        )}
      </div>
      {mayWrite && <AddForm of={of} />}
      <LoadedRows
        query={facts}
        rows={2}
        label={title}
        empty={<p className="text-sm text-muted">{t('memories.none')}</p>}
      >
        {(fact) => <FactRow key={fact.id} fact={fact} mayWrite={mayWrite} />}
      </LoadedRows>
    </Card>
  );
}

function AddForm({ of }: { of: FactsOf }) {
  const { t } = useTranslation();
  const isAlone = useIsAlone();
  const add = useAddFact(of);
  const { draft, change, drop, field } = useFormDraft(`new fact ${of ?? ''}`, { text: '', shared: false });
  const hasChoice = of === undefined && !isAlone;
  const send = () =>
    add.mutate({ text: draft.text, shared: hasChoice ? draft.shared : undefined }, { onSuccess: drop });
  return (
    <Form
      onSend={send}
      sending={add}
      isWhole={draft.text.trim() !== ''}
      action={t('memories.add')}
      className="mb-4 space-y-3"
    >
      <TextArea
        label={t('memories.new')}
        hint={t(`memories.${of === undefined ? 'person' : 'workspace'}.example`)}
        rows={2}
        maxLength={MAX_FACT_CHARACTERS}
        {...field('text')}
      />
      {hasChoice && <SharedField value={draft.shared} onChange={(shared) => change({ shared })} />}
    </Form>
  );
}

function FactRow({ fact, mayWrite }: { fact: Fact; mayWrite: boolean }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const close = () => setOpen(undefined);
  return (
    <Row isStill>
      <div className="min-w-0 flex-1">
        <p data-user-content className="text-sm wrap-anywhere">
          {fact.text}
        </p>
        <FactLine fact={fact} />
      </div>
      {mayWrite && (
        <div className="flex">
          <IconButton icon="edit" label={t('memories.edit')} onClick={() => setOpen('edit')} />
          <IconButton icon="trash" label={t('memories.delete')} onClick={() => setOpen('delete')} />
        </div>
      )}
      {open === 'edit' && <EditFact fact={fact} onClose={close} />}
      {open === 'delete' && <DeleteFact fact={fact} onClose={close} />}
    </Row>
  );
}

/** The writer of a workspace's fact, its time, and whether others can read answers that use a personal one. */
function FactLine({ fact }: { fact: Fact }) {
  const { t, i18n } = useTranslation();
  const me = useMe().data;
  const isAlone = useIsAlone();
  const { workspaceId, createdBy, createdByName, shared, updatedAt } = fact;
  const isOthers = workspaceId !== null && me !== undefined && createdBy !== me.id;
  return (
    <p className="text-xs text-muted">
      {isOthers && (
        <>
          <span data-user-content>{createdByName ?? createdBy}</span>
          {' · '}
        </>
      )}
      {formatAgo(updatedAt, i18n.language)}
      {workspaceId === null && shared && !isAlone && ` · ${t('memories.shared')}`}
    </p>
  );
}

function EditFact({ fact, onClose }: { fact: Fact; onClose: () => void }) {
  const { t } = useTranslation();
  const [opened] = useState(fact); // A refetched fact must not make an outdated edit current.
  const change = useChangeFact(opened);
  return (
    <FactDialog
      title={t('memories.edit')}
      initial={fact}
      isPersonal={fact.workspaceId === null}
      sending={change}
      onSend={(input) => change.mutate(input, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

const MAX_TITLE = 60;

function DeleteFact({ fact, onClose }: { fact: Fact; onClose: () => void }) {
  const { t } = useTranslation();
  const remove = useDeleteFact(fact);
  const { text } = fact;
  return (
    <ConfirmDialog
      title={t('memories.deleteTitle', {
        text: text.length > MAX_TITLE ? `${text.slice(0, MAX_TITLE)}…` : text,
      })}
      note={t('memories.deleteNote')}
      action={t('memories.delete')}
      doing={remove}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
