/** Characters of one request. */
const MOST_AT_ONCE = 65_536;

/** Sends typed text in order. Text that is typed during a request is sent as one piece afterward. */
export function inputQueue(send: (text: string) => Promise<unknown>, onFailed: (error: Error) => void) {
  let waiting = '';
  let isSending = false;
  const sendAll = async () => {
    isSending = true;
    try {
      while (waiting !== '') {
        const piece = waiting.slice(0, MOST_AT_ONCE);
        waiting = waiting.slice(piece.length);
        await send(piece);
      }
    } catch (error) {
      waiting = '';
      onFailed(error as Error);
    }
    isSending = false;
  };
  return (text: string) => {
    waiting += text;
    if (!isSending) void sendAll();
  };
}
