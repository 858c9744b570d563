import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAdminOfAll } from '../access/role.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { formatAgo } from '../parts/format.ts';
import { Row, Rows } from '../parts/rows.tsx';
import { hintOf, labelOf } from '../people/find-person.ts';
import { OwnedDialog } from '../people/owned-dialog.tsx';
import { type Person, usePeople } from '../people/queries.ts';

/** The people who signed in with single sign-on. They have no token, so nothing is revoked here. */
export function UsersCard() {
  const { t } = useTranslation();
  const isAdmin = useIsAdminOfAll();
  const users = usePeople(undefined, isAdmin)?.people.filter(({ kind }) => kind === 'user') ?? [];
  if (users.length === 0) return null;
  return (
    <Card title={t('tokens.users')}>
      <p className="mb-3 text-sm text-muted">{t('tokens.usersNote')}</p>
      <Rows label={t('tokens.users')}>
        {users.map((person) => (
          <UserRow key={person.id} person={person} />
        ))}
      </Rows>
    </Card>
  );
}

function UserRow({ person }: { person: Person }) {
  const { t, i18n } = useTranslation();
  const [isShown, setShown] = useState(false);
  const name = labelOf(person);
  return (
    <Row isStill>
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
          <span data-user-content className="min-w-0 break-words">
            {name}
          </span>
          <Badge>{t(`members.roles.${person.role}`)}</Badge>
        </p>
        <p className="text-xs break-words text-muted">
          <span data-user-content>{hintOf(person)}</span>
          {person.seenAt !== null &&
            ` · ${t('tokens.used', { ago: formatAgo(person.seenAt, i18n.language) })}`}
        </p>
      </div>
      <Button onClick={() => setShown(true)}>{t('tokens.owned')}</Button>
      {isShown && (
        <OwnedDialog person={{ id: person.id, name }} isActive={false} onClose={() => setShown(false)} />
      )}
    </Row>
  );
}
