import { type Subscription, type SubscriptionRun, subscriptionsApi } from '@bi-manager/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call, callInBackground, messageOf } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { subscriptionsKey } from './subscription-queries.ts'

/** Milliseconds between two questions about the run. */
const LOOK_MS = 2_000

/** Milliseconds after which the page says that the result appears later. */
const SLOW_MS = 60_000

/** Runs of a subscription among which a test is looked for. */
const RUNS = 10

/** Sends a subscription to oneself, and follows the run until it is over. */
export const useTestSend = ({ idAssinatura }: Pick<Subscription, 'idAssinatura'>) => {
  const client = useQueryClient()
  const [asked, setAsked] = useState<SubscriptionRun>()
  const params = { id: idAssinatura }
  const sending = useExclusiveMutation({
    mutationFn: () => call(subscriptionsApi.test, { params }),
    onMutate: () => setAsked(undefined),
    onSuccess: setAsked,
  })
  // Reading the time of the answer renders again after each one, also an unchanged one.
  const { data, error, dataUpdatedAt } = useQuery({
    queryKey: [...subscriptionsKey, 'teste', idAssinatura, asked?.idExecucao],
    queryFn: async ({ signal }) => {
      const query = { pagina: 1, tamanho: RUNS }
      const runs = await callInBackground(subscriptionsApi.runs, { params, query }, { signal })
      return runs.find(({ idExecucao }) => idExecucao === asked?.idExecucao) ?? null
    },
    enabled: asked !== undefined,
    refetchInterval: ({ state }) => (state.data === null || isOver(state.data) ? false : LOOK_MS),
    gcTime: 0,
  })
  const run = data ?? asked
  const isDone = asked !== undefined && isOver(run)
  // The list shows the newest run of each subscription.
  useEffect(() => {
    if (isDone) void client.invalidateQueries({ queryKey: [...subscriptionsKey, 'execucoes'] })
  }, [isDone, client])
  // Null: newer runs have pushed it out of the page that is read.
  const isSending = sending.isPending || (asked !== undefined && data !== null && !isOver(run) && !error)
  const isSlow = dataUpdatedAt > 0 && asked && serverNow() - Date.parse(asked.previstaEm) > SLOW_MS
  return {
    send: () => sending.mutate(),
    isSending,
    progress: isSending ? (isSlow ? SLOW : 'Gerando o relatório e enviando a você…') : undefined,
    outcome: outcomeOf({ run, isDone, error: sending.error ?? error }),
  }
}

const SLOW = 'Está demorando mais que o normal. Não é preciso esperar: o resultado aparece em “Ver envios”.'

const isOver = (run: SubscriptionRun | undefined): boolean =>
  run !== undefined && run.estado !== 'EM_ANDAMENTO'

interface TestOutcome {
  text: string
  hasFailed: boolean
}

const outcomeOf = ({
  run,
  isDone,
  error,
}: {
  run: SubscriptionRun | undefined
  isDone: boolean
  error: Error | null
}): TestOutcome | undefined => {
  if (error) return { text: messageOf(error), hasFailed: true }
  if (!isDone || !run) return undefined
  if (run.estado === 'CONCLUIDA') return { text: 'Enviado para o seu e-mail.', hasFailed: false }
  return { text: run.frase ?? 'O e-mail não foi enviado.', hasFailed: true }
}
