import { openEmbedder } from '../../lib/adapters/embedder.ts';
import { openLanguageModel } from '../../lib/adapters/language-model.ts';
import { openObjects } from '../../lib/adapters/objects.ts';
import { useProxies } from '../../lib/adapters/proxy.ts';
import { openRecords } from '../../lib/adapters/records.ts';
import { openVectors } from '../../lib/adapters/vectors.ts';
import { readConfig } from '../../lib/config.ts';
import { serve } from '../../lib/http/serve.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import type { ProviderId } from '../../lib/ports/language-model.ts';
import { chatRoutes } from './routes.ts';

const config = readConfig();
await useProxies(config);

export const handler = serve(
  chatRoutes,
  {
    records: openRecords(config),
    objects: openObjects(config),
    vectors: openVectors(config),
    embedder: openEmbedder(config),
    openModel: (choice?: { provider: ProviderId; model: string }) => openLanguageModel(config, choice),
    clock: systemClock,
  },
  { ...config, streaming: true },
);
