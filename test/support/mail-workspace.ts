import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { extractKey, extractsPrefix } from '../../lib/formats/extract-key.ts';
import { cleanQuietTables } from '../../lib/indexing/commit/cleaning.ts';
import { touchIndex } from '../../lib/indexing/enqueue.ts';
import { sha256 } from '../../lib/paths/hash.ts';
import { KEEP_VERSIONS_MS } from '../../lib/ports/vectors.ts';
import type { Pipeline } from './pipeline.ts';

const MINUTE_MS = 60_000;
/** Minutes for which the text of a replaced version is kept. */
export const KEPT_MINUTES = KEEP_VERSIONS_MS / MINUTE_MS;

/** Returns a mail, whose text is stored separately. */
export function mail(word: string): string {
  return `From: a@example.org\r\nSubject: ${word}\r\nContent-Type: text/plain\r\n\r\nA ${word} was here.\r\n`;
}

export function hashOfMail(word: string): Promise<string> {
  return sha256(Buffer.from(mail(word)));
}

/** Creates a workspace of mails with one word each. */
export async function makeMailWorkspace({ ports, now, drain, makeWorkspace }: Pipeline) {
  const workspace = await makeWorkspace();
  async function touch(path: string) {
    now.offsetMs += 100;
    await touchIndex(ports.touchQueue, workspace.id, [path]);
  }
  return Object.assign(workspace, {
    touch,
    async save(path: string, word: string) {
      await workspace.write(path, mail(word));
      await touch(path);
      await drain();
    },
    async remove(path: string) {
      await rm(join(workspace.rootPath, path));
      await touch(path);
      await drain();
    },
    /** Returns the stored text of a mail's version. */
    async stored(word: string) {
      const text = await ports.objects.getBytes(extractKey(workspace.id, await hashOfMail(word)));
      return text === undefined ? undefined : Buffer.from(text).toString();
    },
    keys: async () => (await Array.fromAsync(ports.objects.keys(extractsPrefix(workspace.id)))).flat(),
    /** Advances the time, and then runs a scheduler tick. */
    async pass(minutes: number) {
      now.offsetMs += minutes * MINUTE_MS;
      await cleanQuietTables(ports);
      await drain();
    },
  });
}

export type MailWorkspace = Awaited<ReturnType<typeof makeMailWorkspace>>;
