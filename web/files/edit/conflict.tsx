import { useTranslation } from 'react-i18next';
import { Banner } from '../../parts/banner.tsx';
import { Button } from '../../parts/button.tsx';
import { Lines } from '../lines.tsx';

interface Props {
  mine: string;
  theirs: string;
  doing: boolean;
  onMine: () => void;
  onTheirs: () => void;
  onBack: () => void;
}

/** Shown if another person saved the file in the meantime: both texts, and the choice between them. */
export function Conflict({ mine, theirs, doing, onMine, onTheirs, onBack }: Props) {
  const { t } = useTranslation();
  return (
    <div role="alert" className="flex h-full flex-col">
      <div className="px-4 py-2">
        <Banner look="warn" action={<Button onClick={onBack}>{t('files.edit.keepEditing')}</Button>}>
          {t('files.edit.conflict')}
        </Banner>
      </div>
      <div className="grid min-h-0 flex-1 grid-rows-2 xl:grid-cols-2 xl:grid-rows-1">
        <Version
          title={t('files.edit.mine')}
          text={mine}
          action={t('files.edit.takeMine')}
          disabled={doing}
          onTake={onMine}
        />
        <Version
          title={t('files.edit.theirs')}
          text={theirs}
          action={t('files.edit.takeTheirs')}
          disabled={doing}
          onTake={onTheirs}
        />
      </div>
    </div>
  );
}

interface VersionProps {
  title: string;
  text: string;
  action: string;
  disabled: boolean;
  onTake: () => void;
}

function Version({ title, text, action, disabled, onTake }: VersionProps) {
  return (
    <section aria-label={title} className="flex min-h-0 flex-col border-t border-line xl:border-l">
      <div className="flex items-center gap-2 px-4 py-2">
        <h3 className="flex-1 text-sm font-semibold">{title}</h3>
        <Button disabled={disabled} onClick={onTake}>
          {action}
        </Button>
      </div>
      <div className="min-h-0 flex-1">
        <Lines text={text} />
      </div>
    </section>
  );
}
