import { commentsApi } from '@bi-manager/contract'
import { IconMessageOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { conversationPath } from '../../lib/navigation/report-path.ts'
import { useEntityId } from '../../ui/entity-form/entity-page.tsx'
import { UnavailablePage } from '../../ui/page/unavailable-page.tsx'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'

/** '/comentario/3', the link of notifications and e-mails: leads to the thread in its report. */
export const CommentPage = () => {
  const id = useEntityId('comentario') ?? 0
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['lugar-do-comentario', id],
    queryFn: ({ signal }) => call(commentsApi.place, { params: { id } }, { signal }),
    enabled: id > 0,
    retry: false,
    // The next visit asks again: the user may have lost access, or the comment may be deleted.
    gcTime: 0,
  })
  if (data) return <Navigate to={conversationPath(data)} replace />
  if (id > 0 && !error) return <SkeletonLines label="Abrindo o comentário" />
  return (
    <UnavailablePage
      error={error}
      isFetching={isFetching}
      retry={() => void refetch()}
      gone={{
        icon: IconMessageOff,
        heading: 'Este comentário não está disponível',
        text: 'Ele foi excluído, ou você não vê mais o relatório.',
      }}
      failed="Não foi possível abrir o comentário"
    />
  )
}
