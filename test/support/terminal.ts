import { readdirSync, readFileSync } from 'node:fs';
import type { ShownSession } from '../../lib/terminal/session-schema.ts';
import { readStream, type StreamRead } from './agent-client.ts';
import type { Service } from './service.ts';

export const SESSIONS = '/api/terminal/sessions';

/** Opens a terminal, and returns the actions of tests. */
export async function openTestTerminal(
  service: Service,
  workspaceId: string,
  { headers = {}, ...fields }: { headers?: Record<string, string>; cwd?: string } = {},
) {
  const body = { workspaceId, columns: 80, rows: 24, ...fields };
  const opened = await service.call<ShownSession>('POST', SESSIONS, body, headers);
  if (opened.status !== 201) throw new Error(`${opened.status} ${opened.bytes.toString()}`);
  const path = `${SESSIONS}/${opened.body.id}`;
  const send = (action: string, body: unknown) => service.call('POST', `${path}/${action}`, body, headers);
  return {
    path,
    session: opened.body,
    send,
    type: (text: string) => send('input', { text }),
    close: () => service.call('DELETE', path, undefined, headers),
    /** Reads output until a text appears in it, or until the end. */
    async readUntil(
      wanted: string,
      after = 0,
      onFrames = () => {},
    ): Promise<StreamRead & { output: string }> {
      const leave = ({ frames }: Pick<StreamRead, 'frames'>) => {
        if (frames.length > 0) onFrames();
        return outputOf(frames).includes(wanted);
      };
      const read = await readStream(service, `${path}/stream?after=${after}`, { headers, leave });
      return { ...read, output: outputOf(read.frames) };
    },
  };
}

function outputOf(frames: StreamRead['frames']): string {
  return frames
    .filter(({ part }) => part.type === 'data-terminal')
    .map(({ part }) => (part.data as { text: string }).text)
    .join('');
}

/** Returns how many processes of this host have these arguments. */
export function countProcesses(...args: string[]): number {
  const wanted = `${args.join('\0')}\0`;
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1') === wanted;
    } catch {
      return false;
    }
  }).length;
}
