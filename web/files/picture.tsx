import { useEffect, useState } from 'react';
import { Problem } from '../parts/problem.tsx';
import type { PreviewProps } from './preview-props.ts';
import { readBytes } from './queries.ts';

export function Picture({ workspaceId, path }: PreviewProps) {
  const [bytes, setBytes] = useState<Blob>();
  const [error, setError] = useState<Error>();
  useEffect(() => {
    const leaving = new AbortController();
    readBytes(workspaceId, path, leaving.signal).then(
      setBytes,
      (problem: Error) => problem.name !== 'AbortError' && setError(problem),
    );
    return () => leaving.abort();
  }, [workspaceId, path]);
  const address = useBlobAddress(bytes);
  return (
    <div className="flex h-full items-center justify-center overflow-auto bg-sunken p-4">
      <Problem error={error} />
      {address === undefined ? (
        <div className="skeleton size-64" />
      ) : (
        <img src={address} alt={path} className="max-h-full max-w-full rounded-sm shadow-raised" />
      )}
    </div>
  );
}

/** Returns a URL for the bytes, which is valid in this page while they are shown. */
export function useBlobAddress(bytes: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (bytes === undefined) return;
    const made = URL.createObjectURL(bytes);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes]);
  return address;
}
