import { useTranslation } from 'react-i18next';
import { Badge } from '../parts/badge.tsx';
import { formatBytes } from '../parts/format.ts';
import { bytesOf, type NodePicture, pictureOf, type Status } from './picture.ts';

/** The API's text for a node without roles. */
const NO_ROLES = '<none>';

/** A card for each node, with a square for each of its GPUs. */
export function Nodes({ status }: { status: Status }) {
  const { t } = useTranslation();
  const { nodes, waiting } = pictureOf(status);
  return (
    <section className="mt-5">
      <h2 className="mb-2 text-base font-semibold">{t('cluster.nodes')}</h2>
      {nodes.length === 0 && <p className="text-sm text-muted">{t('cluster.noNodes')}</p>}
      <ul className="grid gap-3 sm:grid-cols-2">
        {nodes.map((picture) => (
          <NodeCard key={picture.node.name} picture={picture} />
        ))}
      </ul>
      {waiting.length > 0 && (
        <p className="mt-3 text-sm break-words text-muted">
          {t('cluster.waiting')}: {waiting.map(({ name }) => name).join(', ')}
        </p>
      )}
    </section>
  );
}

function NodeCard({ picture: { node, pods, total, used, squares } }: { picture: NodePicture }) {
  const { t, i18n } = useTranslation();
  const bytes = bytesOf(node.memory);
  const memory = bytes === undefined ? node.memory : formatBytes(bytes, i18n.language);
  return (
    <li className="min-w-0 rounded-lg border border-line bg-surface p-4 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 font-medium break-all">{node.name}</span>
        <Badge look={node.ready ? 'good' : 'danger'} icon={node.ready ? 'check' : 'warn'}>
          {t(node.ready ? 'cluster.ready' : 'cluster.notReady')}
        </Badge>
      </p>
      <p className="mt-1 text-xs break-words text-muted">
        {t('cluster.cpu')} {node.cpu} · {t('cluster.memory')} {memory}
        {node.roles !== NO_ROLES && ` · ${node.roles}`}
      </p>
      {total > 0 && (
        <>
          <p className="mt-3 mb-1.5 text-xs">{t('cluster.gpusUsed', { used, total })}</p>
          <div aria-hidden="true" className="flex flex-wrap gap-1">
            {squares.map((pod, place) => {
              const key = `gpu ${place}`;
              return (
                <span
                  key={key}
                  title={pod ?? t('cluster.free')}
                  className={`size-5 rounded-sm border ${pod ? 'border-accent bg-accent' : 'border-line bg-sunken'}`}
                />
              );
            })}
          </div>
        </>
      )}
      {pods.length > 0 && <PodNames pods={pods} />}
    </li>
  );
}

function PodNames({ pods }: Pick<NodePicture, 'pods'>) {
  const { t } = useTranslation();
  return (
    <ul className="mt-3 space-y-0.5 text-xs">
      {pods.map(({ namespace, name, gpu }) => (
        <li key={`${namespace}/${name}`} className="flex gap-2">
          <span className="min-w-0 flex-1 truncate">{name}</span>
          {Number(gpu) > 0 && <span className="text-muted">{t('cluster.gpus', { count: Number(gpu) })}</span>}
        </li>
      ))}
    </ul>
  );
}
