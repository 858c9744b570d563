import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callApi } from '../api/client.ts';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/problem.tsx';
import { saveFile } from '../parts/save-file.ts';
import { isPicture, type ShownFile } from './attachments.ts';

/**
 * Attachments of a question. Stored ones must be fetched with the credential, because a URL can't contain it.
 */
export function AttachedFiles({ files }: { files: ShownFile[] }) {
  const { t } = useTranslation();
  if (files.length === 0) return null;
  return (
    <ul aria-label={t('chat.attached')} className="mb-2 flex flex-wrap justify-end gap-2">
      {files.map((file) => (
        <li key={`${file.url.slice(-80)} ${file.name}`} className="max-w-full">
          {isPicture(file.mediaType) && file.from !== 'workspace' ? (
            <Picture file={file} />
          ) : (
            <FileChip file={file} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Picture({ file }: { file: ShownFile }) {
  const { t } = useTranslation();
  const [address, setAddress] = useState(file.from === 'sent' ? file.url : undefined);
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    if (file.from === 'sent') return;
    const leaving = new AbortController();
    let made: string | undefined;
    fetchBytes(file, leaving.signal).then(
      (bytes) => {
        made = URL.createObjectURL(bytes);
        setAddress(made);
      },
      (error: Error) => error.name !== 'AbortError' && setGone(true),
    );
    return () => {
      leaving.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [file]);
  if (isGone) return <FileChip file={file} />;
  if (address === undefined) return <div className="skeleton size-32" />;
  return (
    <img
      src={address}
      alt={file.name || t('parts.picture')}
      className="max-h-60 max-w-full rounded-md border border-line"
    />
  );
}

function FileChip({ file }: { file: ShownFile }) {
  const { t } = useTranslation();
  const name = file.name || t('chat.file');
  const [error, setError] = useState<Error>();
  const look = 'inline-flex min-h-9 max-w-full items-center gap-2 rounded-md border border-line px-3 text-sm';
  const inside = (
    <>
      <Icon name="file" size={14} />
      <span className="truncate">{name}</span>
    </>
  );
  if (file.from !== 'kept') return <span className={look}>{inside}</span>;
  const save = () => {
    setError(undefined);
    fetchBytes(file).then((bytes) => saveFile(bytes, name), setError);
  };
  return (
    <>
      <button
        type="button"
        title={t('chat.saveFile', { name })}
        onClick={save}
        className={`${look} hover:bg-sunken`}
      >
        {inside}
      </button>
      <Problem error={error} />
    </>
  );
}

async function fetchBytes({ url }: ShownFile, signal?: AbortSignal): Promise<Blob> {
  return (await callApi(url, signal === undefined ? {} : { signal })).blob();
}
