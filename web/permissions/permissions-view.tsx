import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isCovered, isInTable } from '../../lib/api-contract/rule-table.ts';
import { useMay } from '../access/role.ts';
import { Banner } from '../parts/banner.tsx';
import { IconButton } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Details } from '../parts/details.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatAgo } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { useNames } from '../people/names.ts';
import { PageHead } from '../shell/page-head.tsx';
import { ActionBadge } from './action-badge.tsx';
import { NetworkHosts } from './network-hosts.tsx';
import { NewRule } from './new-rule.tsx';
import { useChangeRules, useRules } from './queries.ts';
import { type KeptRule, type Rule, textOf, withMoved, withoutRule } from './rule-list.ts';
import { RuleTable } from './rule-table.tsx';

export function PermissionsView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const permissions = useRules(workspaceId);
  const mayChange = useMay('member', workspaceId);
  return (
    <Page isWide>
      <PageHead title={t('permissions.title')} note={t('permissions.note')} />
      <Loaded query={permissions} rowClass="h-12">
        {({ data: { lockedBy, ...set } }) => (
          <>
            {lockedBy && <Banner look="warn">{t(`permissions.lockedBy.${lockedBy}`)}</Banner>}
            <Card title={t('permissions.table')}>
              <RuleTable workspaceId={workspaceId} set={set} mayChange={mayChange && lockedBy === null} />
              <p className="mt-2 text-sm text-muted">{t('permissions.tableNote')}</p>
              {set.sandboxed && <p className="mt-2 text-sm text-muted">{t('permissions.sandboxed')}</p>}
            </Card>
            <Card title={t('permissions.rules')}>
              <p className="mb-2 text-sm text-muted">{t('permissions.rulesNote')}</p>
              {set.rules.every(isInTable) && (
                <EmptyState icon="shield" title={t('permissions.none')} next={t('permissions.noneNext')} />
              )}
              <RuleList
                workspaceId={workspaceId}
                rules={set.rules}
                mayChange={mayChange && lockedBy === null}
              />
              {mayChange && lockedBy === null && <NewRule workspaceId={workspaceId} />}
            </Card>
            <Card title={t('permissions.network')}>
              <NetworkHosts workspaceId={workspaceId} set={set} mayChange={mayChange && lockedBy === null} />
            </Card>
            <Defaults rules={set.defaults} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Defaults({ rules }: { rules: Rule[] }) {
  const { t } = useTranslation();
  return (
    <Details name={t('permissions.defaults')}>
      <p className="mb-2 text-sm text-muted">{t('permissions.defaultsNote')}</p>
      <ul className="divide-y divide-line">
        {rules.map((rule) => (
          <li key={textOf(rule)} className="flex flex-wrap items-center gap-3 py-2">
            <RuleWords rule={rule} />
          </li>
        ))}
      </ul>
    </Details>
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
  const shown = rules.map((rule, at) => ({ rule, at })).filter(({ rule }) => !isInTable(rule));
  return (
    <>
      <ol aria-label={t('permissions.rules')} className="divide-y divide-line">
        {shown.map(({ rule, at }, place) => (
          // Two rules may be equal, so their positions distinguish them.
          <li key={`${textOf(rule)} ${at}`} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
            <RuleWords rule={rule} />
            {mayChange && (
              <span className="flex">
                <Mover
                  rule={rule}
                  at={at}
                  up={shown[place - 1]?.at}
                  down={shown[place + 1]?.at}
                  change={change}
                />
                <IconButton
                  icon="trash"
                  label={t('permissions.removeOf', { rule: textOf(rule) })}
                  onClick={() => setLeaving(at)}
                />
              </span>
            )}
            {isCovered(rules, at) && <p className="w-full text-xs text-warn">{t('permissions.noEffect')}</p>}
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
  /** The positions of the exceptions before and after the rule. The table's rules are between them. */
  up: number | undefined;
  down: number | undefined;
  change: ReturnType<typeof useChangeRules>;
}

/** Buttons that move a rule; later rules take precedence over earlier ones. */
function Mover({ rule, at, up, down, change }: MoverProps) {
  const { t } = useTranslation();
  const move = (to = at) => change.mutate((now) => withMoved(now, rule, at, to - at));
  return (
    <>
      <IconButton
        icon="up"
        label={t('permissions.up', { rule: textOf(rule) })}
        disabled={up === undefined || change.isPending}
        onClick={() => move(up)}
      />
      <IconButton
        icon="down"
        label={t('permissions.down', { rule: textOf(rule) })}
        disabled={down === undefined || change.isPending}
        onClick={() => move(down)}
      />
    </>
  );
}

function Made({ rule: { addedBy, addedByName, addedAt, answeredCall } }: { rule: KeptRule }) {
  const { t, i18n } = useTranslation();
  const names = useNames();
  const who = addedByName ?? names.get(addedBy) ?? addedBy;
  return (
    <p title={addedBy} className="w-full text-xs break-words text-muted">
      {t('permissions.addedBy', { who, ago: formatAgo(addedAt, i18n.language) })}
      {answeredCall !== null && ` · ${t('permissions.answered', { call: answeredCall })}`}
    </p>
  );
}
