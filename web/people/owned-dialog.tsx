import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { CheckField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { LoadedRows } from '../parts/loaded.tsx';
import { Problem } from '../parts/problem.tsx';
import { Row } from '../parts/rows.tsx';
import {
  type Holding,
  type Offboarding,
  type OwnedKind,
  useErasePerson,
  useExportPerson,
  useHandOver,
  useHoldings,
  useOffboarding,
} from './offboarding.ts';
import { NOBODY, PersonField, usePersonId } from './person-field.tsx';

const KINDS: OwnedKind[] = ['conversations', 'tasks', 'workspaces'];
const MAX_ID = 256;

interface Props {
  person: { id: string; name: string };
  /** Whether the credential of the person still works. As long as it does, nothing can be erased. */
  isActive: boolean;
  onClose: () => void;
}

/** Shows what a person owns, and offers to hand it over, export it, or erase it. */
export function OwnedDialog({ person, isActive, onClose }: Props) {
  const { t } = useTranslation();
  const [isErasing, setErasing] = useState(false);
  const latest = useOffboarding(person.id).data;
  const isChanging = latest?.finishedAt === null;
  const save = useExportPerson(person.id);
  const ownsSomething = (useHoldings(person.id, isChanging).data?.length ?? 0) > 0;
  if (isErasing) return <EraseDialog person={person} onClose={() => setErasing(false)} />;
  return (
    <Dialog title={t('people.owns', { name: person.name })} onClose={onClose}>
      <div className="space-y-4">
        {latest && <Progress latest={latest} />}
        <Holdings personId={person.id} isChanging={isChanging} />
        {ownsSomething && <HandOverForm personId={person.id} isChanging={isChanging} />}
        <Problem error={save.error} />
        <div className="flex flex-wrap justify-end gap-2 border-t border-line pt-4">
          {isActive && <p className="flex-1 basis-48 text-xs text-muted">{t('people.eraseAfter')}</p>}
          <Button icon="download" disabled={save.isPending} onClick={() => save.mutate()}>
            {t('people.export')}
          </Button>
          <Button look="danger" disabled={isActive || isChanging} onClick={() => setErasing(true)}>
            {t('people.erase')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** The latest handover or erasure. */
function Progress({ latest }: { latest: Offboarding }) {
  const { t } = useTranslation();
  const countsOf = useCounts();
  const { action, finishedAt, done, left } = latest;
  const state = finishedAt === null ? 'doing' : 'done';
  const isLeft = KINDS.some((kind) => left[kind] > 0);
  return (
    <Banner look={isLeft && finishedAt !== null ? 'warn' : 'calm'}>
      {t(`people.progress.${action}.${state}`, { counts: countsOf(done) })}
      {isLeft && ` ${t(`people.left.${action}`, { counts: countsOf(left) })}`}
    </Banner>
  );
}

/** Returns the numbers of conversations, tasks, and member lists as text. */
function useCounts(): (counts: Offboarding['done']) => string {
  const { t, i18n } = useTranslation();
  const list = new Intl.ListFormat(i18n.language);
  return (counts) => list.format(KINDS.map((kind) => t(`people.counts.${kind}`, { count: counts[kind] })));
}

function Holdings({ personId, isChanging }: { personId: string; isChanging: boolean }) {
  const { t } = useTranslation();
  const holdings = useHoldings(personId, isChanging);
  return (
    <LoadedRows
      query={holdings}
      rows={2}
      label={t('people.owned')}
      empty={<p className="text-sm text-muted">{t('people.ownsNothing')}</p>}
    >
      {(holding) => <HoldingRow key={holding.workspaceId ?? ''} holding={holding} />}
    </LoadedRows>
  );
}

function HoldingRow({ holding }: { holding: Holding }) {
  const { t } = useTranslation();
  const { workspaceName, conversations, tasks, isMember, isOnlyAdmin } = holding;
  const facts = [
    conversations > 0 && t('people.counts.conversations', { count: conversations }),
    tasks.length > 0 &&
      t('people.tasks', { count: tasks.length, names: tasks.map(({ name }) => name).join(', ') }),
    isMember && t(isOnlyAdmin ? 'people.onlyAdmin' : 'people.member'),
  ];
  return (
    <Row isStill>
      <div className="min-w-0 flex-1">
        <p className="text-sm font-medium break-words">{workspaceName ?? t('people.everyWorkspace')}</p>
        <p className="text-xs break-words text-muted">{facts.filter(Boolean).join(' · ')}</p>
      </div>
    </Row>
  );
}

function HandOverForm({ personId, isChanging }: { personId: string; isChanging: boolean }) {
  const { t } = useTranslation();
  const [receiver, setReceiver] = useState(NOBODY);
  const [kinds, setKinds] = useState(KINDS);
  const handOver = useHandOver(personId);
  const to = usePersonId(receiver);
  const toggle = (kind: OwnedKind) =>
    setKinds(KINDS.filter((each) => (each === kind) !== kinds.includes(each)));
  const send = () =>
    to !== undefined && handOver.mutate({ to, kinds }, { onSuccess: () => setReceiver(NOBODY) });
  return (
    <Form
      onSend={send}
      sending={handOver}
      isWhole={to !== undefined && kinds.length > 0 && !isChanging}
      action={t('people.handOver')}
    >
      <div>
        {KINDS.map((kind) => (
          <CheckField
            key={kind}
            label={t(`people.ownedKinds.${kind}`)}
            checked={kinds.includes(kind)}
            onChange={() => toggle(kind)}
          />
        ))}
      </div>
      <PersonField
        label={t('people.receiver')}
        hint={t('people.receiverHint')}
        value={receiver}
        onChange={setReceiver}
        maxLength={MAX_ID}
      />
    </Form>
  );
}

function EraseDialog({ person, onClose }: Pick<Props, 'person' | 'onClose'>) {
  const { t } = useTranslation();
  const erase = useErasePerson(person.id);
  return (
    <ConfirmDialog
      title={t('people.eraseTitle', { name: person.name })}
      note={t('people.eraseNote')}
      action={t('people.erase')}
      doing={erase}
      onConfirm={() => erase.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
