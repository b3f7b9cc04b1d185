import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { savedViewsQuery } from './saved-view-queries.ts'
import type { ViewedReport } from './use-report.ts'

/**
 * Opens the report with the person's default view, once, unless the address asked for a page or filters of its own. The views
 * are read while the report loads: its opening waits for nothing of this.
 */
export const useDefaultView = ({ status, show, wasPlain }: ViewedReport): void => {
  const { idRelatorio = 0, phase, isUsed = false } = status
  const { data: views, isError } = useQuery({
    ...savedViewsQuery(idRelatorio),
    enabled: idRelatorio > 0 && wasPlain,
  })
  /** The opening that has had its default view, or its chance of one. */
  const done = useRef(0)
  const isLoaded = phase === 'carregado' || phase === 'renderizado'
  useEffect(() => {
    if (phase === 'carregando') done.current = 0
    // What comes later than it was asked for would throw away what the reader has chosen meanwhile.
    if (isError || isUsed) done.current = idRelatorio
    if (!isLoaded || !views || !wasPlain || done.current === idRelatorio) return
    done.current = idRelatorio
    const view = views.find(({ padrao }) => padrao)
    // What fails is shown by the report itself, which stays as it was published.
    if (view) show(view).catch((error: unknown) => console.info('A visão padrão não foi aplicada.', error))
  }, [phase, isLoaded, views, isError, isUsed, wasPlain, idRelatorio, show])
}
