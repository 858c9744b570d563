import type { FileUIPart } from 'ai';
import { useRef, useState } from 'react';
import { type Attachment, type Refusal, refusalOf, workspaceAddress } from './attachments.ts';

export interface Attaching {
  attached: Attachment[];
  refused: { name: string; why: Refusal }[];
  add(files: Iterable<File>): void;
  addFromWorkspace(path: string): void;
  remove(key: string): void;
  clear(): void;
}

/** Returns the files for the next question. They exist only in this tab, so a reload loses them. */
export function useAttachments(): Attaching {
  const [attached, setAttached] = useState<Attachment[]>([]);
  const [refused, setRefused] = useState<Attaching['refused']>([]);
  const next = useRef(0);
  const keyOf = () => `file ${++next.current}`;
  const add = (files: Iterable<File>) => {
    const taken = [...attached];
    const not: Attaching['refused'] = [];
    for (const file of files) {
      const why = refusalOf(taken, file);
      if (why !== undefined) not.push({ name: file.name, why });
      else {
        const { name, type: mediaType, size } = file;
        taken.push({ key: keyOf(), name, mediaType, size, file });
      }
    }
    setAttached(taken);
    setRefused(not);
  };
  const addFromWorkspace = (path: string) => {
    const url = workspaceAddress(path);
    const name = path.split('/').at(-1) ?? path;
    if (attached.some((each) => each.url === url)) return;
    const why = refusalOf(attached, { size: 1, type: '' });
    if (why !== undefined) setRefused([{ name, why }]);
    else setAttached([...attached, { key: keyOf(), name, mediaType: '', size: 0, url }]);
  };
  const remove = (key: string) => setAttached(attached.filter((each) => each.key !== key));
  const clear = () => {
    setAttached([]);
    setRefused([]);
  };
  return { attached, refused, add, addFromWorkspace, remove, clear };
}

/** Converts the files to the form that useChat sends. */
export function toFileParts(attached: Attachment[]): Promise<FileUIPart[]> {
  return Promise.all(
    attached.map(async ({ name, mediaType, file, url }) => ({
      type: 'file' as const,
      filename: name,
      mediaType: mediaType || 'application/octet-stream',
      url: file === undefined ? (url ?? '') : await readAsAddress(file),
    })),
  );
}

/** Returns a file as a data URL. */
export function readAsAddress(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
