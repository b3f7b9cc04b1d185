import { ApiProblem, commentsApi } from '@bi-manager/contract'
import { IconAlertTriangle, IconMessageOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import { call, messageOf } from '../../../lib/api/api.ts'
import { HOME } from '../../../lib/navigation/destination.ts'
import { conversationPath } from '../../../lib/navigation/report-path.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Button } from '../../../ui/button.tsx'
import { PageMessage } from '../../../ui/page/page-message.tsx'
import { useRecordId } from '../../../ui/record-form/record-page.tsx'
import { SkeletonLines } from '../../../ui/skeleton-lines.tsx'

/** '/comentario/3', the link of notifications and e-mails: leads to the thread in its report. */
export const CommentPage = () => {
  const id = useRecordId('comentario') ?? 0
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['lugar-do-comentario', id],
    queryFn: ({ signal }) => call(commentsApi.place, { params: { id } }, { signal }),
    enabled: id > 0,
    retry: false,
    // The access may end, and the comment go.
    gcTime: 0,
  })
  if (data) return <Navigate to={conversationPath(data)} replace />
  if (id > 0 && !error) return <SkeletonLines label="Abrindo o comentário" />
  const isGone = id === 0 || (error instanceof ApiProblem && error.status === 404)
  return (
    <PageMessage
      icon={isGone ? IconMessageOff : IconAlertTriangle}
      heading={isGone ? 'Este comentário não está disponível' : 'Não foi possível abrir o comentário'}
      actions={
        isGone ? (
          <ActionButton isMain label="Ir para o início" to={HOME} />
        ) : (
          <Button loading={isFetching} onClick={() => void refetch()}>
            Tentar novamente
          </Button>
        )
      }
    >
      {isGone ? 'Ele foi excluído, ou você não vê mais o relatório.' : messageOf(error)}
    </PageMessage>
  )
}
