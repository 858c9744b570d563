import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field, SelectField } from '../parts/field.tsx';
import type { Connection, KindedModel } from './model-connections.ts';
import { type ChosenModels, optionsOf, preselect } from './preselect.ts';
import { useSettings } from './queries.ts';

interface Given {
  /** The connection if its server stays the same; undefined for a new connection, or for another server. */
  connection: Connection | undefined;
  offered: KindedModel[];
  /** True if a model for semantic search may be preselected. */
  suggestsEmbedding?: boolean;
}

/** Returns the selected models of a provider, for answers and for semantic search; empty for none. */
export function useModelSelects({ connection, offered, suggestsEmbedding = false }: Given) {
  const { embedding, semanticSearch, llmProvider, llmModel } = useSettings().data ?? {};
  const isOff = semanticSearch === 'off';
  const embedsAlready = isOff || (embedding?.configured ?? true);
  const isDefault = connection !== undefined && connection.provider === llmProvider;
  const inUse = { model: (isDefault && llmModel) || '', embedding: connection?.embeddingModel ?? '' };
  const [typed, setTyped] = useState<Partial<ChosenModels>>({});
  const choose = (change: Partial<ChosenModels>) => setTyped((before) => ({ ...before, ...change }));
  const chosenOf = (models: KindedModel[]): ChosenModels => ({
    ...preselect(models, inUse, suggestsEmbedding && !embedsAlready),
    ...typed,
  });
  return {
    ...{ ...chosenOf(offered), embedsAlready, isOff, chosenOf },
    setModel: (model: string) => choose({ model }),
    setEmbedding: (embedding: string) => choose({ embedding }),
    /** Returns the fields of a request. A model that stays the default keeps its window, so it isn't sent. */
    fieldsOf({ model, embedding }: ChosenModels) {
      const isNew = model.trim() !== '' && model.trim() !== inUse.model;
      return { ...(isNew && { model: model.trim() }), embeddingModel: embedding === '' ? null : embedding };
    },
  };
}

/** Returns whether semantic search has a model that it didn't have before. */
export function isOther(model: string | null, before: string | null | undefined): boolean {
  return model !== null && model !== before;
}

interface Props {
  models: KindedModel[];
  selects: ReturnType<typeof useModelSelects>;
  /** True if the server has no default model, so one must be chosen. */
  needsModel?: boolean;
}

export function ModelSelects({ models, selects, needsModel = false }: Props) {
  const { t } = useTranslation();
  const chat = optionsOf(models, 'chat', selects.model);
  const embedding = optionsOf(models, 'embedding', selects.embedding);
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
