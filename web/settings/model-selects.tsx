import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field, SelectField } from '../parts/field.tsx';
import type { KindedModel } from './model-connections.ts';
import { useSettings } from './queries.ts';

/** The models that are chosen of a provider: for answers, and for semantic search. Empty for none. */
export function useModelSelects(embeddingBefore: string | null, offered: KindedModel[] = []) {
  const { embedding: configured, semanticSearch } = useSettings().data ?? {};
  const isOff = semanticSearch === 'off';
  const embeds = isOff || (configured?.configured ?? true);
  const [model, setModel] = useState(() => onlyChat(offered));
  const [embedding, setEmbedding] = useState(
    () => embeddingBefore ?? (embeds ? '' : firstEmbedding(offered)),
  );
  return {
    ...{ model, setModel, embedding, setEmbedding, embedsAlready: embeds, isOff },
    /** Preselects what needs no thought. Semantic search only where there is none yet: it changes no index. */
    suggest(models: KindedModel[]) {
      const suggested = {
        model: model || onlyChat(models),
        embedding: embedding || (embeds ? '' : firstEmbedding(models)),
      };
      setModel(suggested.model);
      setEmbedding(suggested.embedding);
      return chosenOf(suggested.model, suggested.embedding);
    },
    chosen: chosenOf(model, embedding),
  };
}

function chosenOf(model: string, embedding: string) {
  return {
    ...(model.trim() !== '' && { model: model.trim() }),
    embeddingModel: embedding === '' ? null : embedding,
  };
}

function onlyChat(models: KindedModel[]): string {
  const [first, second] = models.filter(({ kind }) => kind === 'chat');
  return first && !second ? first.id : '';
}

function firstEmbedding(models: KindedModel[]): string {
  return models.find(({ kind }) => kind === 'embedding')?.id ?? '';
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
          label={t('models.answers')}
          maxLength={200}
          value={selects.model}
          onChange={selects.setModel}
        />
      ) : (
        <SelectField
          label={t('models.answers')}
          value={selects.model}
          onChange={selects.setModel}
          options={[['', t(needsModel ? 'models.choose' : 'models.keepDefault')], ...chat]}
        />
      )}
      {embedding.length > 0 && !selects.isOff && (
        <SelectField
          label={t('models.embedding')}
          hint={t(selects.embedsAlready ? 'models.embeddingHint' : 'models.embeddingNew')}
          value={selects.embedding}
          onChange={selects.setEmbedding}
          options={[['', t('models.noEmbedding')], ...embedding]}
        />
      )}
    </div>
  );
}
