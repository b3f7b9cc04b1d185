import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { ActionButton } from '../../../ui/action-button.tsx'
import { ErrorAlert } from '../../../ui/error-alert.tsx'
import shared from '../../../ui/shared.module.css'
import { SkeletonLines } from '../../../ui/skeleton-lines.tsx'

export interface PanelCode<P> {
  /** Identifies the code in the cache of queries. */
  name: string
  load: () => Promise<{ default: ComponentType<P> }>
  /** While the code is fetched, and when that failed. */
  texts: { loading: string; failed: string }
}

interface LoadedPanelProps<P> extends PanelCode<P> {
  /** Properties of the panel. */
  panel: P
  /** Of what is shown in place of the panel. */
  className?: string | undefined
}

/**
 * A panel whose code is fetched when it opens. A failed download, as while offline, is shown in its
 * place: the open report stays.
 */
export const LoadedPanel = <P extends object>(props: LoadedPanelProps<P>) => {
  const { name, load, texts, panel, className = shared.stackXs } = props
  const { data, error, refetch } = useQuery({
    queryKey: ['codigo', name],
    queryFn: load,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
    retry: false,
  })
  if (data) return <data.default {...panel} />
  return (
    <div className={className}>
      {error ? (
        <>
          <ErrorAlert error={texts.failed} />
          <div>
            <ActionButton label="Tentar novamente" onClick={() => void refetch()} />
          </div>
        </>
      ) : (
        <SkeletonLines label={texts.loading} />
      )}
    </div>
  )
}
