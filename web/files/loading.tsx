import { Skeletons } from '../parts/empty-state.tsx';

export function Loading() {
  return (
    <div className="p-4">
      <Skeletons rows={10} className="h-4" />
    </div>
  );
}
