import {
  type Announcement,
  AnnouncementOrder,
  announcementEntity,
  announcementsApi,
  headingsOf,
} from '@bi-manager/contract'
import { Badge } from '@mantine/core'
import { IconCalendar, IconCircleCheck, IconClockX, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { fullTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { DeleteAction, EditAction } from '../../ui/data-table/entity-actions.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { ConfirmDelete } from '../../ui/dialog/confirm-delete.tsx'
import { AdminPage, NO_LEAD_YET } from '../../ui/page/admin-page.tsx'
import shared from '../../ui/shared.module.css'
import { useNow } from '../../ui/use-now.ts'
import { type AnnouncementState, audienceTexts, formTexts, readText, stateOf } from './announcement-values.ts'
import { announcementsKey } from './announcements-queries.ts'

const headings = headingsOf(announcementEntity)

const states: Record<AnnouncementState, { text: string; icon: typeof IconCalendar; className?: string }> = {
  NO_AR: { text: 'No ar', icon: IconCircleCheck, className: shared.active },
  AGENDADO: { text: 'Agendado', icon: IconCalendar },
  TERMINADO: { text: 'Terminado', icon: IconClockX },
}

const StateBadge = ({ state }: { state: AnnouncementState }) => {
  const { text, icon: IconOf, className } = states[state]
  return (
    <Badge
      {...(className ? { className } : { variant: 'default' })}
      leftSection={<IconOf size={14} aria-hidden />}
    >
      {text}
    </Badge>
  )
}

const audienceOf = ({ publico, perfis }: Announcement): string =>
  publico === 'PERFIS'
    ? perfis.map(({ nomePerfil }) => nomePerfil).join(', ') || 'Nenhum perfil'
    : audienceTexts[publico]

const columns: Column<Announcement, (typeof AnnouncementOrder)[number]>[] = [
  {
    label: headings.titulo,
    sort: 'titulo',
    isName: true,
    render: ({ titulo }) => titulo,
    detail: ({ manutencao }) => (manutencao ? 'Manutenção' : null),
  },
  {
    label: 'Situação',
    width: '10rem',
    render: (row) => <StateBadge state={stateOf(row, serverNow())} />,
  },
  {
    label: headings.publico,
    width: '10rem',
    render: audienceOf,
    detail: ({ forma }) => formTexts[forma],
  },
  {
    label: headings.inicio,
    sort: 'inicio',
    width: '7.75rem',
    sharesCardLine: true,
    render: (row) => fullTime(row.inicio),
  },
  {
    label: headings.fim,
    sort: 'fim',
    width: '7.75rem',
    sharesCardLine: true,
    render: (row) => fullTime(row.fim),
  },
  { label: headings.lidos, width: '7.5rem', render: readText },
]

/** '/avisos': the announcements, with who has read them. */
export const AnnouncementsPage = () => {
  const queryClient = useQueryClient()
  const list = useList({
    queryKey: announcementsKey,
    endpoint: announcementsApi.list,
    fields: AnnouncementOrder,
    defaultOrder: '-inicio',
  })
  const [deleting, setDeleting] = useState<Announcement>()
  // Announcements begin and end by themselves.
  useNow()
  const register = <ActionButton isMain icon={IconPlus} label="Escrever aviso" to="/cadastrar-aviso" />
  return (
    <AdminPage
      title="Avisos"
      lead={list.rows ? countText(list.total, list.isCapped, ['aviso', 'avisos']) : NO_LEAD_YET}
      actions={register}
    >
      <DataTable
        list={list}
        label="Avisos"
        searchLabel="Buscar aviso"
        columns={columns}
        rowKey={({ idAviso }) => idAviso}
        actionsWidth="6rem"
        actions={({ idAviso, titulo }) => (
          <>
            <EditAction of={titulo} to={`/cadastrar-aviso/${idAviso}`} />
            <DeleteAction
              of={titulo}
              onClick={() => setDeleting(list.rows?.find((row) => row.idAviso === idAviso))}
            />
          </>
        )}
        empty={{
          text: 'Nenhum aviso escrito ainda. Um aviso aparece no alto das páginas ou no sino, durante o período que você escolher.',
          action: register,
        }}
      />
      <ConfirmDelete
        target={deleting}
        onClose={() => setDeleting(undefined)}
        question="Deseja mesmo excluir este aviso?"
        done="Aviso excluído!"
        consequence="Ele some das telas em segundos, e a contagem de quem leu se perde."
        nameOf={({ titulo }) => titulo}
        remove={({ idAviso: id }) => call(announcementsApi.remove, { params: { id } })}
        onDeleted={() => {
          list.state.startOver()
          refreshAfter(queryClient, announcementEntity)
        }}
      />
    </AdminPage>
  )
}
