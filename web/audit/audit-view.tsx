import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Problem } from '../parts/problem.tsx';
import { useNames } from '../people/names.ts';
import { PersonField, usePersonId } from '../people/person-field.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { Entries } from './entries.tsx';
import type { AuditFilter } from './filter.ts';
import { useAudit, useSaveAudit } from './queries.ts';

export function AuditView() {
  const { t } = useTranslation();
  const filter = useSearch({ from: '/settings/audit' });
  const audit = useAudit(filter);
  const { save, pages } = useSaveAudit(filter);
  return (
    <>
      <PageHead
        title={t('audit.title')}
        note={t('audit.note')}
        actions={
          audit.isSuccess && (
            <Button icon="download" disabled={save.isPending} onClick={() => save.mutate()}>
              {save.isPending ? t('audit.saving', { count: pages }) : t('audit.save')}
            </Button>
          )
        }
      />
      <FilterForm key={JSON.stringify(filter)} filter={filter} />
      <Problem error={save.error} />
      <Loaded
        query={audit}
        rows={6}
        empty={
          !audit.hasNextPage && (
            <EmptyState icon="shield" title={t('audit.none')} next={t('audit.noneNext')} />
          )
        }
      >
        {(entries) => <Entries entries={entries} />}
      </Loaded>
      <MoreButton list={audit} />
    </>
  );
}

function FilterForm({ filter }: { filter: AuditFilter }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/settings/audit' });
  const names = useNames();
  const [typed, setTyped] = useState(filter);
  const [person, setPerson] = useState({ typed: filter.actor ?? '', id: filter.actor ?? '' });
  const actor = usePersonId(person);
  const find = () => {
    if (actor === undefined && person.typed.trim() !== '') return;
    const wanted = Object.entries({ ...typed, actor }).filter(([, value]) => value);
    void navigate({ search: Object.fromEntries(wanted) });
  };
  const shown = { ...person, typed: names.get(person.id) ?? person.typed };
  const field = (name: keyof AuditFilter, type: string) => (
    <Field
      key={name}
      label={t(`audit.${name}`)}
      type={type}
      maxLength={256}
      value={typed[name] ?? ''}
      onChange={(value) => setTyped({ ...typed, [name]: value })}
      {...(name === 'action' && { suggestions: KINDS.map((kind) => [kind] as const) })}
    />
  );
  return (
    <search>
      <Form onSend={find} className="mb-5 grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-5">
        {field('from', 'date')}
        {field('to', 'date')}
        <PersonField label={t('audit.actor')} value={shown} onChange={setPerson} maxLength={256} />
        {field('action', 'text')}
        <div className="flex flex-wrap gap-2">
          <Button look="main" type="submit" icon="search" className="min-h-10">
            {t('audit.find')}
          </Button>
          {Object.values(filter).some((value) => value !== undefined) && (
            <Button className="min-h-10 whitespace-nowrap" onClick={() => void navigate({ search: {} })}>
              {t('audit.clear')}
            </Button>
          )}
        </div>
      </Form>
    </search>
  );
}

/** The API's action kinds; a prefix matches all kinds that start with it. */
const KINDS = [
  'approvals',
  'bots',
  'budgets',
  'conversations',
  'datasets',
  'feedback',
  'files',
  'mcp-servers',
  'members',
  'models',
  'notes',
  'permissions',
  'runs',
  'settings',
  'skills',
  'system',
  'tasks',
  'tokens',
  'webhooks',
  'workspaces',
];
