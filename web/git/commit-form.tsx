import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { useDraft } from '../parts/draft.ts';
import { TextArea } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Problem } from '../parts/problem.tsx';
import { useHealth } from '../settings/queries.ts';
import { useCommit, useDraftMessage } from './queries.ts';

interface Props {
  workspaceId: string;
  /** The number of staged files. */
  staged: number;
}

interface DraftProps {
  draft: ReturnType<typeof useDraftMessage>;
  onDrafted: (message: string) => void;
}

/** Fills the text box with a draft by the model, if one is connected. Only a person commits. */
function DraftMessage({ draft, onDrafted }: DraftProps) {
  const { t } = useTranslation();
  const health = useHealth();
  if (!health.data?.aiAvailable) return null;
  return (
    <Button
      icon="edit"
      disabled={draft.isPending}
      onClick={() => draft.mutate(undefined, { onSuccess: ({ message }) => onDrafted(message) })}
    >
      {t(draft.isPending ? 'git.drafting' : 'git.draft')}
    </Button>
  );
}

/** The message, and a button that commits the staged changes. The message survives a reload. */
export function CommitForm({ workspaceId, staged }: Props) {
  const { t } = useTranslation();
  const [message, setMessage] = useDraft(`commit ${workspaceId}`);
  const commit = useCommit(workspaceId);
  const draft = useDraftMessage(workspaceId);
  const isWhole = message.trim() !== '';
  const hasNews = commit.data !== undefined && staged === 0;
  if (staged === 0)
    return (
      <div role="status" className={hasNews ? 'mt-5' : undefined}>
        {hasNews && <Banner>{t('git.committed', { hash: commit.data.commit.slice(0, 8) })}</Banner>}
      </div>
    );
  return (
    <section className="mt-5 rounded-lg border border-line bg-surface p-5">
      <Form
        sending={commit}
        isWhole={isWhole}
        onSend={() => commit.mutate(message, { onSuccess: () => setMessage('') })}
      >
        <TextArea
          label={t('git.message')}
          hint={t('git.messageHint')}
          rows={3}
          maxLength={20_000}
          value={message}
          onChange={setMessage}
        />
        <Problem error={draft.error ?? commit.error} />
        <div className="flex flex-wrap gap-2">
          <Button look="main" type="submit" disabled={!isWhole || commit.isPending}>
            {t('git.commit', { count: staged })}
          </Button>
          <DraftMessage draft={draft} onDrafted={setMessage} />
        </div>
      </Form>
    </section>
  );
}
