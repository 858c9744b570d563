import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { IconButton } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatAgo } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { ActionBadge } from './action-badge.tsx';
import { NewRule } from './new-rule.tsx';
import { useChangeRules, useRules } from './queries.ts';
import { type KeptRule, type Rule, textOf, withMoved, withoutRule } from './rule-list.ts';

export function PermissionsView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const permissions = useRules(workspaceId);
  const may = useMay('member', workspaceId);
  return (
    <Page isWide>
      <PageHead title={t('permissions.title')} note={t('permissions.note')} />
      <Loaded query={permissions} rowClass="h-12">
        {({ data: { defaults, rules } }) => (
          <>
            <Card title={t('permissions.defaults')}>
              <p className="mb-2 text-sm text-muted">{t('permissions.defaultsNote')}</p>
              <ol className="divide-y divide-line">
                {defaults.map((rule) => (
                  <li key={textOf(rule)} className="flex flex-wrap items-center gap-3 py-2">
                    <RuleWords rule={rule} />
                  </li>
                ))}
              </ol>
            </Card>
            <Card title={t('permissions.rules')}>
              {rules.length === 0 && (
                <EmptyState icon="shield" title={t('permissions.none')} next={t('permissions.noneNext')} />
              )}
              <RuleList workspaceId={workspaceId} rules={rules} mayChange={may} />
              {may && <NewRule workspaceId={workspaceId} />}
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function RuleWords({ rule: { tool, pattern, action } }: { rule: Rule }) {
  return (
    <>
      <span className="w-24">
        <ActionBadge action={action} />
      </span>
      <span className="w-32 text-sm font-medium break-all">{tool}</span>
      <code className="min-w-0 flex-1 basis-40 font-mono text-sm break-all">{pattern}</code>
    </>
  );
}

interface ListProps {
  workspaceId: string;
  rules: KeptRule[];
  mayChange: boolean;
}

function RuleList({ workspaceId, rules, mayChange }: ListProps) {
  const { t } = useTranslation();
  const change = useChangeRules(workspaceId);
  const [leaving, setLeaving] = useState<number>();
  const left = leaving === undefined ? undefined : rules[leaving];
  return (
    <>
      <ol aria-label={t('permissions.rules')} className="divide-y divide-line">
        {rules.map((rule, at) => (
          // Two rules may say the same: only their places tell them apart.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <li key={`${textOf(rule)} ${at}`} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
            <RuleWords rule={rule} />
            {mayChange && (
              <span className="flex">
                <Mover rule={rule} at={at} last={rules.length - 1} change={change} />
                <IconButton
                  icon="trash"
                  label={t('permissions.removeOf', { rule: textOf(rule) })}
                  onClick={() => setLeaving(at)}
                />
              </span>
            )}
            <Made rule={rule} />
          </li>
        ))}
      </ol>
      {change.error && leaving === undefined && <Problem error={change.error} />}
      {left && leaving !== undefined && (
        <ConfirmDialog
          title={t('permissions.removeTitle')}
          note={t('permissions.removeNote', { rule: textOf(left) })}
          action={t('parts.remove')}
          doing={change}
          onConfirm={() =>
            change.mutate((now) => withoutRule(now, left, leaving), {
              onSuccess: () => setLeaving(undefined),
            })
          }
          onClose={() => setLeaving(undefined)}
        />
      )}
    </>
  );
}

interface MoverProps {
  rule: KeptRule;
  at: number;
  last: number;
  change: ReturnType<typeof useChangeRules>;
}

/** Later rules win over earlier ones. */
function Mover({ rule, at, last, change }: MoverProps) {
  const { t } = useTranslation();
  const move = (by: number) => change.mutate((now) => withMoved(now, rule, at, by));
  return (
    <>
      <IconButton
        icon="up"
        label={t('permissions.up', { rule: textOf(rule) })}
        disabled={at === 0 || change.isPending}
        onClick={() => move(-1)}
      />
      <IconButton
        icon="down"
        label={t('permissions.down', { rule: textOf(rule) })}
        disabled={at === last || change.isPending}
        onClick={() => move(1)}
      />
    </>
  );
}

function Made({ rule: { addedBy, addedAt, answeredCall } }: { rule: KeptRule }) {
  const { t, i18n } = useTranslation();
  return (
    <p className="w-full text-xs break-words text-muted">
      {t('permissions.addedBy', { who: addedBy, ago: formatAgo(addedAt, i18n.language) })}
      {answeredCall !== null && ` · ${t('permissions.answered', { call: answeredCall })}`}
    </p>
  );
}
