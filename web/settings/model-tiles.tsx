import { AiBanner } from './ai-banner.tsx';

interface Props {
  onLater?: () => void;
}

/** One tile per way to a model. */
export function ModelTiles(_props: Props) {
  return <AiBanner />;
}
