import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { bibtexEntry } from '../../lib/api-contract/bibtex.ts';
import { citeByKey, citedMarkdown, isStyleName } from '../../lib/api-contract/cited-markdown.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { Field } from '../parts/field.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { saveFile } from '../parts/save-file.ts';
import { type CitedAnswer, type CitedItem, readCitedItems, sourcesByNumber } from './cited-items.ts';

/** Styles of the CSL repository that are suggested. Any other name is accepted. */
const STYLES = [
  ['apa', 'APA'],
  ['chicago-author-date', 'Chicago, author-date'],
  ['modern-language-association', 'MLA'],
  ['harvard-cite-them-right', 'Harvard'],
  ['ieee', 'IEEE'],
  ['nlm-citation-sequence', 'Vancouver'],
  ['nature', 'Nature'],
  ['american-medical-association', 'AMA'],
  ['china-national-standard-gb-t-7714-2015-numeric', 'GB/T 7714'],
] as const;

/** Copies an answer that cites by key, with its bibliography and the name of a style. */
export function CopyCitedDialog(props: CitedAnswer & { onClose: () => void }) {
  const { t } = useTranslation();
  const { workspaceId, citations, onClose } = props;
  const { draft, field } = useFormDraft('citation style', { style: 'apa' });
  const files = [...new Set(citations.map((each) => `${each.workspaceId ?? workspaceId}/${each.path}`))];
  const query = useQuery({
    queryKey: ['cited-items', files],
    queryFn: () => readCitedItems(workspaceId, citations),
    staleTime: 0,
  });
  const style = draft.style.trim();
  return (
    <Dialog title={t('chat.cited.copy')} onClose={onClose}>
      <div className="space-y-4">
        <p className="text-sm text-muted">{t('chat.cited.note')}</p>
        <Field
          label={t('chat.cited.style')}
          hint={t('chat.cited.styleHint')}
          problem={isStyleName(style) ? undefined : t('chat.cited.styleProblem')}
          suggestions={STYLES}
          maxLength={100}
          autoComplete="off"
          {...field('style')}
        />
        <Loaded query={query} rows={2} rowClass="h-9">
          {(cited) => <Copies {...props} cited={cited} files={files.length} style={style} />}
        </Loaded>
      </div>
    </Dialog>
  );
}

interface CopiesProps extends CitedAnswer {
  cited: CitedItem[];
  /** The number of files that the answer cites. Some of them may not have an item any longer. */
  files: number;
  style: string;
}

/** Shows the answer with its keys, and copies it or saves its bibliography. */
function Copies({ workspaceId, text, citations, cited, files, style }: CopiesProps) {
  const { t } = useTranslation();
  const items = cited.map(({ item }) => item);
  const keyed = citeByKey(text, sourcesByNumber(workspaceId, citations, cited));
  const heading = t('chat.sources');
  const save = (content: string, type: string, name: string) => saveFile(new Blob([content], { type }), name);
  return (
    <div className="space-y-3">
      {cited.length < files && (
        <p className="text-sm text-warn">{t('chat.cited.missing', { count: files - cited.length })}</p>
      )}
      <pre
        data-user-content
        className="max-h-40 overflow-auto rounded-md bg-sunken p-2 text-xs whitespace-pre-wrap wrap-anywhere"
      >
        {keyed}
      </pre>
      <div className="flex flex-wrap gap-2">
        {isStyleName(style) && <CopyButton text={citedMarkdown({ text: keyed, items, style, heading })} />}
        <Button
          icon="download"
          onClick={() => save(items.map(bibtexEntry).join('\n'), 'application/x-bibtex', 'references.bib')}
        >
          {t('chat.cited.saveBibtex')}
        </Button>
        <Button
          icon="download"
          onClick={() => save(`${JSON.stringify(items, null, 2)}\n`, 'application/json', 'references.json')}
        >
          {t('chat.cited.saveCsl')}
        </Button>
      </div>
    </div>
  );
}
