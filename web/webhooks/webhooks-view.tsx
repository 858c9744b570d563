import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../parts/badge.tsx';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Details } from '../parts/details.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatAgo } from '../parts/format.ts';
import { LoadedRows } from '../parts/loaded.tsx';
import { Problem } from '../parts/problem.tsx';
import { Row } from '../parts/rows.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import {
  EVENTS,
  useCreateWebhook,
  useDeleteWebhook,
  useRotateWebhook,
  useTestWebhook,
  useUpdateWebhook,
  useWebhooks,
  type Webhook,
} from './queries.ts';
import { WebhookForm } from './webhook-form.tsx';

/** The webhooks of the service, for administrators. */
export function WebhooksView() {
  const { t } = useTranslation();
  const webhooks = useWebhooks();
  const [isMaking, setMaking] = useState(false);
  return (
    <>
      <PageHead
        title={t('webhooks.title')}
        note={t('webhooks.note')}
        actions={
          webhooks.isSuccess && (
            <Button look="main" icon="plus" onClick={() => setMaking(true)}>
              {t('webhooks.new')}
            </Button>
          )
        }
      />
      <LoadedRows
        query={webhooks}
        rowClass="h-20"
        label={t('webhooks.title')}
        empty={<EmptyState icon="send" title={t('webhooks.none')} next={t('webhooks.noneNext')} />}
      >
        {(webhook) => <WebhookRow key={webhook.id} webhook={webhook} />}
      </LoadedRows>
      {isMaking && <NewWebhookDialog onClose={() => setMaking(false)} />}
    </>
  );
}

function NewWebhookDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const create = useCreateWebhook();
  if (create.data) return <WebhookSecret {...create.data} onClose={onClose} />;
  return (
    <WebhookForm
      title={t('webhooks.new')}
      action={t('webhooks.make')}
      initial={{ name: '', url: '', events: [...EVENTS] }}
      sending={create}
      onSend={(fields) => create.mutate(fields)}
      onClose={onClose}
    />
  );
}

function WebhookSecret({ name, secret, onClose }: { name: string; secret: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <SecretDialog
      title={t('webhooks.secretOf', { name })}
      note={t('webhooks.once')}
      label={t('webhooks.secret')}
      done={t('webhooks.kept')}
      secret={secret}
      onClose={onClose}
    />
  );
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation();
  const { id, isEnabled, disabledReason } = webhook;
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'delete'>();
  const [isLogOpen, setLogOpen] = useState(false);
  const update = useUpdateWebhook(id);
  const test = useTestWebhook(id);
  const close = () => setDialog(undefined);
  return (
    <Row isStill>
      <WebhookFacts webhook={webhook} />
      <div className="flex flex-wrap gap-2">
        {isEnabled && (
          <Button
            disabled={test.isPending}
            onClick={() => test.mutate(undefined, { onSuccess: () => setLogOpen(true) })}
          >
            {t('webhooks.test')}
          </Button>
        )}
        <Button disabled={update.isPending} onClick={() => update.mutate({ isEnabled: !isEnabled })}>
          {t(isEnabled ? 'webhooks.disable' : 'webhooks.enable')}
        </Button>
        <Button onClick={() => setDialog('edit')}>{t('webhooks.edit')}</Button>
        <Button onClick={() => setDialog('rotate')}>{t('webhooks.rotate')}</Button>
        <Button look="danger" onClick={() => setDialog('delete')}>
          {t('webhooks.delete')}
        </Button>
      </div>
      <div className="basis-full">
        {disabledReason !== null && disabledReason !== 'by_administrator' && (
          <Banner look="warn">{t(`webhooks.reasons.${disabledReason}`)}</Banner>
        )}
        <Problem error={update.error ?? test.error} />
        <Details name={t('webhooks.log')} opened={{ isOpen: isLogOpen, onChange: setLogOpen }}>
          <DeliveryLog webhookId={id} />
        </Details>
      </div>
      {dialog === 'edit' && <EditWebhookDialog webhook={webhook} onClose={close} />}
      {dialog === 'rotate' && <RotateWebhookDialog webhook={webhook} onClose={close} />}
      {dialog === 'delete' && <DeleteWebhookDialog webhook={webhook} onClose={close} />}
    </Row>
  );
}

const LOOKS = { enabled: 'good', failing: 'warn', disabled: 'calm' } as const;

function WebhookFacts({ webhook: { name, url, isEnabled, failingSince } }: { webhook: Webhook }) {
  const { t, i18n } = useTranslation();
  const state = !isEnabled ? 'disabled' : failingSince === null ? 'enabled' : 'failing';
  return (
    <div className="min-w-0 flex-1 basis-64">
      <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
        <span data-user-content className="min-w-0 wrap-anywhere">
          {name}
        </span>
        <Badge look={LOOKS[state]}>{t(`webhooks.states.${state}`)}</Badge>
      </p>
      <p data-user-content className="text-xs wrap-anywhere text-muted">
        {url}
      </p>
      {failingSince !== null && isEnabled && (
        <p className="text-xs text-muted">
          {t('webhooks.since', { ago: formatAgo(failingSince, i18n.language) })}
        </p>
      )}
    </div>
  );
}

interface DialogProps {
  webhook: Webhook;
  onClose: () => void;
}

function EditWebhookDialog({ webhook: { id, name, url, events }, onClose }: DialogProps) {
  const { t } = useTranslation();
  const update = useUpdateWebhook(id);
  return (
    <WebhookForm
      title={t('webhooks.editTitle', { name })}
      action={t('parts.save')}
      initial={{ name, url, events }}
      sending={update}
      onSend={(fields) => update.mutate(fields, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

function RotateWebhookDialog({ webhook: { id, name }, onClose }: DialogProps) {
  const { t } = useTranslation();
  const rotate = useRotateWebhook(id);
  if (rotate.data) return <WebhookSecret {...rotate.data} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={t('webhooks.rotateTitle', { name })}
      note={t('webhooks.rotateNote')}
      action={t('webhooks.rotate')}
      doing={rotate}
      onConfirm={() => rotate.mutate(undefined)}
      onClose={onClose}
    />
  );
}

function DeleteWebhookDialog({ webhook: { id, name }, onClose }: DialogProps) {
  const { t } = useTranslation();
  const remove = useDeleteWebhook(id);
  return (
    <ConfirmDialog
      title={t('webhooks.deleteTitle', { name })}
      note={t('webhooks.deleteNote')}
      action={t('webhooks.delete')}
      doing={remove}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
