import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field, SelectField } from '../parts/field.tsx';
import type { KindedModel } from './model-connections.ts';
import { useSettings } from './queries.ts';

/** The models that are chosen of a provider: for answers, and for semantic search. Empty for none. */
export function useModelSelects(embeddingBefore: string | null) {
  const [model, setModel] = useState('');
  const [embedding, setEmbedding] = useState(embeddingBefore ?? '');
  const embeds = useSettings().data?.embedding.configured ?? true;
  return {
    ...{ model, setModel, embedding, setEmbedding },
    /** Preselects the first model for semantic search where there is none yet: it changes no index. Returns what is chosen then. */
    suggest(models: KindedModel[]): string {
      const first = models.find(({ kind }) => kind === 'embedding');
      if (embeds || embedding !== '' || !first) return embedding;
      setEmbedding(first.id);
      return first.id;
    },
    chosen: {
      ...(model.trim() !== '' && { model: model.trim() }),
      embeddingModel: embedding === '' ? null : embedding,
    },
  };
}

interface Props {
  models: KindedModel[];
  selects: ReturnType<typeof useModelSelects>;
  /** The server has no default model: one must be chosen. */
  needsModel?: boolean;
}

export function ModelSelects({ models, selects, needsModel = false }: Props) {
  const { t } = useTranslation();
  const of = (kind: KindedModel['kind']) =>
    models.filter((each) => each.kind === kind).map(({ id, name }): [string, string] => [id, name]);
  const [chat, embedding] = [of('chat'), of('embedding')];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {chat.length === 0 && needsModel ? (
        <Field
          label={t('settings.models.answers')}
          maxLength={200}
          value={selects.model}
          onChange={selects.setModel}
        />
      ) : (
        <SelectField
          label={t('settings.models.answers')}
          value={selects.model}
          onChange={selects.setModel}
          options={[['', t(needsModel ? 'settings.models.choose' : 'settings.models.keepDefault')], ...chat]}
        />
      )}
      {embedding.length > 0 && (
        <SelectField
          label={t('settings.embedding')}
          hint={t('settings.models.embeddingHint')}
          value={selects.embedding}
          onChange={selects.setEmbedding}
          options={[['', t('settings.models.noEmbedding')], ...embedding]}
        />
      )}
    </div>
  );
}
