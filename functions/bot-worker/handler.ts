import { botMessageSchema } from '../../lib/bots/schema.ts';
import { handOver } from '../../lib/bots/wecom/passive-reply.ts';
import { handleBotMessage } from '../../lib/bots/work/handle-bot-message.ts';
import { readConfig } from '../../lib/config.ts';
import { serveQueue } from '../../lib/queue/worker.ts';
import { withBotSecrets, withProviderKeys } from '../../lib/settings/stored-keys.ts';
import { currentRoots } from '../../lib/settings/with-settings.ts';
import { openAgent } from '../../lib/wiring/agent.ts';
import { openChatPlatforms } from '../../lib/wiring/chat-platform.ts';
import { openObjects } from '../../lib/wiring/objects.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { openTranscriber } from '../../lib/wiring/transcriber.ts';

/** Milliseconds: the function's 15 minutes, minus the time before the work starts. */
const TIME_MS = 14.5 * 60_000;

const config = readConfig();
const secrets = await openSecrets(config);
const openPorts = await openAgent(config);
const stores = {
  botQueue: await openQueue(config, 'bot'),
  publicUrl: config.publicUrl,
};

export const handler = serveQueue({
  message: botMessageSchema,
  queues: { bot: stores.botQueue },
  objects: await openObjects(config),
  async handle(messages) {
    const [ports, current] = await Promise.all([openPorts(), openKeys()]);
    const workspaceRoots = await currentRoots(ports.records, config);
    const platforms = await openChatPlatforms(current, {
      ...ports,
      handOver: (messageId, offer) => handOver(ports, messageId, offer),
    });
    const bots = { ...ports, ...stores, workspaceRoots, platforms, transcriber: openTranscriber(current) };
    for (const message of messages) await handleBotMessage(bots, message, TIME_MS);
  },
});

async function openKeys() {
  return withBotSecrets(await withProviderKeys(config, secrets), secrets);
}
