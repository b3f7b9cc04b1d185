import { ApiProblem, publishingApi } from '@bi-manager/contract'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { call } from '../../../lib/api/api.ts'
import { useExclusiveMutation } from '../../../lib/api/use-exclusive-mutation.ts'
import { fullTime } from '../../../lib/text/relative-time.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { ListFailure } from '../../../ui/data-table/list-failure.tsx'
import { ErrorAlert } from '../../../ui/error-alert.tsx'
import shared from '../../../ui/shared.module.css'
import classes from './kept-drafts.module.css'

/** Whether an error says that no more can be sent. */
export const isLimitOfDrafts = (error: unknown): boolean =>
  error instanceof ApiProblem && error.codigo === 'rascunhos_demais'

/** What the person has sent and not published, to make room for another file. */
export const KeptDrafts = () => {
  const heading = useId()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['publicacoes', 'rascunhos'],
    queryFn: ({ signal }) => call(publishingApi.drafts, {}, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
  const discarding = useExclusiveMutation({
    mutationFn: (rascunho: string) => call(publishingApi.discard, { params: { rascunho } }),
    // Also after a failure: another window may have discarded it.
    onSettled: () => refetch(),
  })
  if (!data)
    return error ? <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} /> : null
  return (
    <div className={shared.stackXs}>
      <h3 id={heading} className={shared.subheading}>
        O que você enviou e não publicou
      </h3>
      <p className={shared.note} role="status">
        {data.length === 0
          ? 'Nada seu está à espera: envie de novo daqui a pouco.'
          : 'Do mais antigo ao mais novo. O que está aberto em outra janela também aparece aqui.'}
      </p>
      {data.length > 0 && (
        <ul aria-labelledby={heading} className={`${shared.outlined} ${shared.divided} ${classes.kept}`}>
          {data.map(({ rascunho, nome, em, pasta }) => (
            <li key={rascunho} className={shared.spreadWide}>
              <span className={shared.breakable}>
                {pasta && 'Pasta '}
                {nome}
                <span className={shared.detail}>{fullTime(em)}</span>
              </span>
              <ActionButton
                icon={IconTrash}
                size="xs"
                label="Descartar"
                aria-label={`Descartar ${nome}, de ${fullTime(em)}`}
                loading={discarding.isPending && discarding.variables === rascunho}
                disabled={discarding.isPending}
                onClick={() => discarding.mutate(rascunho)}
              />
            </li>
          ))}
        </ul>
      )}
      <ErrorAlert error={discarding.error} />
    </div>
  )
}
