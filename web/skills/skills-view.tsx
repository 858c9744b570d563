import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { foldForSearch } from '../../lib/api-contract/fold-text.ts';
import { useIsAdminOfAll, useMay } from '../access/role.ts';
import { Badge } from '../parts/badge.tsx';
import { Button, LinkButton } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Row, Rows, WHOLE_ROW } from '../parts/rows.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { isBuiltIn } from './built-in-text.ts';
import { ImportSkill } from './import-skill.tsx';
import { type Skill, useSkills } from './queries.ts';

export function SkillsView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const { q = '' } = useSearch({ from: '/w/$workspaceId/skills' });
  const navigate = useNavigate({ from: '/w/$workspaceId/skills' });
  const skills = useSkills(workspaceId);
  return (
    <Page>
      <PageHead
        title={t('shell.skills')}
        note={t('skills.note')}
        actions={<Actions workspaceId={workspaceId} />}
      />
      <SearchBox
        label={t('skills.search')}
        value={q}
        onChange={(words) => void navigate({ search: { q: words || undefined }, replace: true })}
      />
      <Loaded
        query={skills}
        rowClass="h-16"
        isEmpty={(all) => !all.some((skill) => hasWords(skill, q))}
        empty={<EmptyState icon="skill" title={t('skills.none')} next={t('skills.noneNext')} />}
      >
        {(all) =>
          (['here', 'everywhere', 'builtIn'] as const).map((place) => (
            <SkillGroup
              key={place}
              title={t(`skills.${place}`)}
              workspaceId={workspaceId}
              skills={all.filter((skill) => placeOf(skill) === place && hasWords(skill, q))}
            />
          ))
        }
      </Loaded>
    </Page>
  );
}

function hasWords({ name, description }: Skill, words: string): boolean {
  const text = foldForSearch(`${name} ${description}`);
  return foldForSearch(words)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function placeOf(skill: Skill): 'here' | 'everywhere' | 'builtIn' {
  if (isBuiltIn(skill)) return 'builtIn';
  return skill.workspaceId === null ? 'everywhere' : 'here';
}

function Actions({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const mayWrite = useMay('member', workspaceId);
  const mayEverywhere = useIsAdminOfAll();
  const [isImporting, setImporting] = useState(false);
  if (!mayWrite) return null;
  return (
    <>
      <Button icon="upload" onClick={() => setImporting(true)}>
        {t('skills.import')}
      </Button>
      <LinkButton icon="plus" to="/w/$workspaceId/skills/new" params={{ workspaceId }}>
        {t('skills.new')}
      </LinkButton>
      {isImporting && (
        <ImportSkill
          workspaceId={workspaceId}
          mayEverywhere={mayEverywhere}
          onClose={() => setImporting(false)}
        />
      )}
    </>
  );
}

interface GroupProps {
  title: string;
  workspaceId: string;
  skills: Skill[];
}

function SkillGroup({ title, workspaceId, skills }: GroupProps) {
  const { t } = useTranslation();
  if (skills.length === 0) return null;
  return (
    <section className="mt-6">
      <h2 className="mb-2 text-sm font-semibold text-muted">{title}</h2>
      <Rows label={title}>
        {skills.map(({ id: skillId, name, description, isEnabled }) => (
          <Row key={skillId}>
            <div className="min-w-0 flex-1">
              <Link
                to="/w/$workspaceId/skills/$skillId"
                params={{ workspaceId, skillId }}
                data-user-content
                className={WHOLE_ROW}
              >
                {name}
              </Link>
              <p data-user-content className="line-clamp-2 text-sm break-words text-muted">
                {description}
              </p>
            </div>
            {!isEnabled && (
              <Badge icon="pause" look="calm">
                {t('skills.off')}
              </Badge>
            )}
          </Row>
        ))}
      </Rows>
    </section>
  );
}
