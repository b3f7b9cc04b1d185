import { ApiProblem, announcementsApi } from '@bi-manager/contract'
import { IconAlertTriangle, IconSpeakerphone } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call, messageOf } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { HOME } from '../../lib/navigation/destination.ts'
import { clockName, fullTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { RichText } from '../../ui/announcement/rich-text.tsx'
import { Button } from '../../ui/button.tsx'
import { AdminPage, NO_LEAD_YET } from '../../ui/page/admin-page.tsx'
import { PageMessage } from '../../ui/page/page-message.tsx'
import { useRecordId } from '../../ui/record-form/record-page.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { refreshNotifications } from './notifications-queries.ts'

/** '/aviso/3': an announcement in full, which counts as read once it is shown. */
export const AnnouncementPage = () => {
  const client = useQueryClient()
  const id = useRecordId('aviso') ?? 0
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['aviso', id],
    queryFn: ({ signal }) => call(announcementsApi.read, { params: { id } }, { signal }),
    enabled: id > 0,
    retry: false,
  })
  const { mutate: markRead } = useExclusiveMutation({
    mutationFn: (read: number) => call(announcementsApi.markRead, { params: { id: read } }),
    onSuccess: () => refreshNotifications(client),
  })
  const shown = data?.idAviso
  useEffect(() => {
    if (shown !== undefined) markRead(shown)
  }, [shown, markRead])

  if (id === 0 || error) {
    const isGone = id === 0 || (error instanceof ApiProblem && error.status === 404)
    return (
      <PageMessage
        icon={isGone ? IconSpeakerphone : IconAlertTriangle}
        heading={isGone ? 'Este aviso não está mais no ar' : 'Não foi possível abrir o aviso'}
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
        {isGone ? 'O período dele terminou, ou um administrador o retirou.' : messageOf(error)}
      </PageMessage>
    )
  }
  return (
    <AdminPage
      narrow
      title={data?.titulo ?? 'Aviso'}
      lead={
        data
          ? `${data.manutencao ? 'Aviso de manutenção' : 'Aviso'} no ar até ${fullTime(data.fim)} (${clockName})`
          : NO_LEAD_YET
      }
    >
      <div className={shared.card}>
        {data ? <RichText text={data.texto} /> : <SkeletonLines label="Carregando o aviso" />}
      </div>
    </AdminPage>
  )
}
