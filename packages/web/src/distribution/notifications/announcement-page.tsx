import { announcementsApi } from '@bi-manager/contract'
import { IconSpeakerphone } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { clockName, fullTime } from '../../lib/text/relative-time.ts'
import { RichText } from '../../ui/announcement/rich-text.tsx'
import { useEntityId } from '../../ui/entity-form/entity-page.tsx'
import { AdminPage, NO_LEAD_YET } from '../../ui/page/admin-page.tsx'
import { UnavailablePage } from '../../ui/page/unavailable-page.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { refreshNotifications } from './notifications-queries.ts'

/** '/aviso/3': an announcement in full, which counts as read once it is shown. */
export const AnnouncementPage = () => {
  const client = useQueryClient()
  const id = useEntityId('aviso') ?? 0
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
    return (
      <UnavailablePage
        error={error}
        isFetching={isFetching}
        retry={() => void refetch()}
        gone={{
          icon: IconSpeakerphone,
          heading: 'Este aviso não está mais no ar',
          text: 'O período dele terminou, ou um administrador o retirou.',
        }}
        failed="Não foi possível abrir o aviso"
      />
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
