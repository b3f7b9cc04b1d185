import { ApiProblem, receivedSubscriptionsApi } from '@bi-manager/contract'
import { useEffect, useEffectEvent, useRef } from 'react'
import { call } from '../../../lib/api/api.ts'
import { subscriptionIn } from '../../../lib/navigation/report-path.ts'
import { callFailureSentence, type ViewedReport } from '../../../reports/index.ts'

const notReceived =
  'Os filtros da assinatura não foram aplicados: ela não é enviada a você, ou foi excluída. Peça os filtros a quem lhe mandou o link.'

type Report = Pick<ViewedReport, 'show' | 'leaveSubscription' | 'addNotice'> & {
  status: Pick<ViewedReport['status'], 'idRelatorio' | 'phase' | 'paginated'>
}

/**
 * Applies the page, filters and selections of the subscription that the URL names, once per opening:
 * the link of an e-mail has no filters.
 */
export const useSubscribedView = (search: URLSearchParams, report: Report): void => {
  const { idRelatorio = 0, phase, paginated } = report.status
  const idAssinatura = subscriptionIn(search)
  const isLoaded = phase === 'carregado' || phase === 'renderizado'
  /** The subscription that was asked for in this opening. */
  const asked = useRef<number>(undefined)
  const apply = useEffectEvent(async (id: number) => {
    const isCurrent = () => asked.current === id
    try {
      const choice = await call(receivedSubscriptionsApi.choice, {
        params: { id: idRelatorio, idAssinatura: id },
      })
      if (isCurrent()) await show(choice, isCurrent)
    } catch (error) {
      if (isCurrent()) refuse(error)
    }
  })
  const show = useEffectEvent(async (choice: Parameters<Report['show']>[0], isCurrent: () => boolean) => {
    await report.show(choice)
    // What the reader changes from now on stays after a reload. Another opening asks again.
    if (isCurrent()) report.leaveSubscription()
  })
  const refuse = useEffectEvent((error: unknown) => {
    const isOfOthers = error instanceof ApiProblem && error.status === 404
    report.addNotice(isOfOthers ? notReceived : callFailureSentence(error))
    if (isOfOthers) report.leaveSubscription()
  })
  useEffect(() => {
    if (phase === 'carregando') asked.current = undefined
    if (!isLoaded || paginated || idAssinatura === undefined || asked.current === idAssinatura) return
    asked.current = idAssinatura
    void apply(idAssinatura)
  }, [phase, isLoaded, paginated, idAssinatura])
}
