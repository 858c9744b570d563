import type { UIMessage } from 'ai';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../parts/button.tsx';

export interface VersionsProps {
  message: UIMessage;
  /** The IDs of the alternatives to this message, including itself; undefined if there are none. */
  versions: readonly string[] | undefined;
  isBusy: boolean;
  isReadOnly: boolean;
  onChoose: (messageId: string) => void;
}

/** Switches between the edits of a question, or the answers to it. */
export function Versions({ message, versions = [], isBusy, isReadOnly, onChoose }: VersionsProps) {
  const { t } = useTranslation();
  const at = versions.indexOf(message.id);
  if (at === -1 || isReadOnly) return null;
  const step = (by: 1 | -1) => {
    const id = versions[at + by];
    return {
      disabled: isBusy || id === undefined,
      onClick: () => id !== undefined && onChoose(id),
      label: t(by === 1 ? 'chat.versions.next' : 'chat.versions.previous'),
    };
  };
  return (
    <span className="inline-flex items-center text-sm text-muted">
      <IconButton icon="back" {...step(-1)} />
      <span className="tabular-nums">{t('chat.versions.place', { at: at + 1, count: versions.length })}</span>
      <IconButton icon="right" {...step(1)} />
    </span>
  );
}
