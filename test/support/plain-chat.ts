import { AbstractChat, type UIMessage } from 'ai';

type State = ConstructorParameters<typeof AbstractChat<UIMessage>>[0]['state'];

/** The state that useChat keeps in React. */
export function plainState(messages: UIMessage[]): State {
  return {
    status: 'ready',
    error: undefined,
    messages,
    pushMessage(message) {
      this.messages = [...this.messages, message];
    },
    popMessage() {
      this.messages = this.messages.slice(0, -1);
    },
    replaceMessage(index, message) {
      this.messages = this.messages.with(index, message);
    },
    snapshot: (thing) => structuredClone(thing),
  };
}

/** The AI SDK's own chat, without React. */
export class PlainChat extends AbstractChat<UIMessage> {}
