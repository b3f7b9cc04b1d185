import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ViewedReport } from '../viewer/opening/use-report.ts'
import { savedViewsQuery } from './saved-views-query.ts'

/**
 * Applies the user's default view once per opening, unless the URL names a page or filters. The
 * views are fetched while the report loads, without delaying it.
 */
export const useDefaultView = ({ status, show, hadNoViewParams }: ViewedReport, isWanted = true): void => {
  const { idRelatorio = 0, phase, isUsed = false, paginated } = status
  const { data: views, isError } = useQuery({
    ...savedViewsQuery(idRelatorio),
    enabled: isWanted && idRelatorio > 0 && hadNoViewParams && !paginated,
  })
  /** The report id whose default view was applied or skipped in this opening. */
  const done = useRef(0)
  const isLoaded = phase === 'carregado' || phase === 'renderizado'
  useEffect(() => {
    if (phase === 'carregando') done.current = 0
    // A view that arrives late would overwrite what the user has changed.
    if (isError || isUsed) done.current = idRelatorio
    if (!isLoaded || !views || !hadNoViewParams || done.current === idRelatorio) return
    done.current = idRelatorio
    const view = views.find(({ padrao }) => padrao)
    // On failure the report stays as it was published and shows its own errors.
    if (view) show(view).catch((error: unknown) => console.info('A visão padrão não foi aplicada.', error))
  }, [phase, isLoaded, views, isError, isUsed, hadNoViewParams, idRelatorio, show])
}
