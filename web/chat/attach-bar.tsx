import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChooseFile } from '../files/choose-file.tsx';
import { Banner } from '../parts/banner.tsx';
import { IconButton } from '../parts/button.tsx';
import { formatBytes } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import type { Attaching } from './use-attachments.ts';

/** Attached files above the text, and refused ones. */
export function AttachedList({ attaching }: { attaching: Attaching }) {
  const { t, i18n } = useTranslation();
  const { attached, refused, remove } = attaching;
  if (attached.length === 0 && refused.length === 0) return null;
  return (
    <div className="space-y-2 pb-2">
      <ul aria-label={t('chat.attached')} className="flex flex-wrap gap-2">
        {attached.map(({ key, name, size, file }) => (
          <li
            key={key}
            className="flex max-w-full items-center gap-1.5 rounded-md border border-line bg-sunken pl-2.5 text-sm"
          >
            <Icon name={file ? 'clip' : 'file'} size={14} />
            <span className="truncate">{name}</span>
            {file && <span className="shrink-0 text-xs text-muted">{formatBytes(size, i18n.language)}</span>}
            <IconButton icon="close" label={t('chat.detach', { name })} onClick={() => remove(key)} />
          </li>
        ))}
      </ul>
      {refused.map(({ name, why }) => (
        <Banner key={name} look="warn">
          {t(`chat.notAttached.${why}`, { name })}
        </Banner>
      ))}
    </div>
  );
}

export function AttachButtons({ workspaceId, attaching }: { workspaceId: string; attaching: Attaching }) {
  const { t } = useTranslation();
  const picker = useRef<HTMLInputElement>(null);
  const [isChoosing, setChoosing] = useState(false);
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={t('chat.attach')}
        onChange={({ target }) => {
          attaching.add(target.files ?? []);
          target.value = '';
        }}
      />
      <IconButton icon="clip" label={t('chat.attach')} onClick={() => picker.current?.click()} />
      <IconButton icon="files" label={t('chat.attachFromWorkspace')} onClick={() => setChoosing(true)} />
      {isChoosing && (
        <ChooseFile
          workspaceId={workspaceId}
          title={t('chat.attachFromWorkspace')}
          onChoose={attaching.addFromWorkspace}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}
