import type { ErrorCode } from '../../error-codes.ts';
import chinese from '../../error-messages/zh-CN.json' with { type: 'json' };
import type { Records } from '../../ports/records.ts';
import { turnsOf } from '../inbox/read-message.ts';
import { chats, type PersonMessage } from '../schema.ts';

/**
 * Returns the text of a refusal in the person's language. In Chinese, it's the sentence for the code, followed by the
 * service's own English sentence with the details.
 */
export function refusalText({ code, message }: { code: ErrorCode; message: string }, asked: string): string {
  return writesChinese(asked) ? `${chinese[code]}\n${message}` : message;
}

/**
 * Returns the person's last text, or the run's question if that text is a command or a button, which have no
 * language.
 */
export async function lastWords({ records }: { records: Records }, message: PersonMessage): Promise<string> {
  const own = turnsOf({ runId: '', message, reading: null }).at(-1)?.text ?? '';
  if (writesChinese(own)) return own;
  const { activeRun } = (await chats.get(records, message)) ?? {};
  return activeRun == null ? own : (turnsOf(activeRun).at(-1)?.text ?? own);
}

function writesChinese(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}
