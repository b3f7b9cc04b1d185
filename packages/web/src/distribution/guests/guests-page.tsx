import { type Guest, GuestOrder, guestEntity, guestsApi, headingsOf } from '@bi-manager/contract'
import { IconBan, IconMailForward, IconUserPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { relativeTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { EditAction } from '../../ui/data-table/entity-actions.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { RowAction } from '../../ui/data-table/row-action.tsx'
import { textOfDay } from '../../ui/day-field/day-text.ts'
import { ConfirmDelete } from '../../ui/dialog/confirm-delete.tsx'
import { AdminPage, NO_LEAD_YET } from '../../ui/page/admin-page.tsx'
import shared from '../../ui/shared.module.css'
import { GuestRules } from './guest-rules.tsx'
import { guestsKey } from './guests-queries.ts'
import { InviteAgainDialog } from './invite-again-dialog.tsx'

const headings = headingsOf(guestEntity)
const stateNames = { ATIVO: 'Ativo', IMPEDIDO: 'Impedido', VENCIDO: 'Vencido', REVOGADO: 'Revogado' }

const columns: Column<Guest, (typeof GuestOrder)[number]>[] = [
  {
    label: 'Convidado',
    sort: 'emailConvidado',
    isName: true,
    render: ({ emailConvidado }) => emailConvidado,
    detail: ({ motivo }) => <span className={shared.detail}>{motivo}</span>,
  },
  { label: 'Relatório', sort: 'nomeRelatorio', width: '17%', render: ({ nomeRelatorio }) => nomeRelatorio },
  {
    label: headings.ultimoDia,
    sort: 'ultimoDia',
    width: '8.75rem',
    render: ({ ultimoDia }) => textOfDay(ultimoDia),
  },
  {
    label: headings.ultimaVisita,
    sort: 'ultimaVisita',
    width: '8.75rem',
    render: ({ ultimaVisita, emVisita }) =>
      emVisita ? 'em visita agora' : ultimaVisita ? relativeTime(ultimaVisita, serverNow()) : 'nunca',
  },
  {
    label: headings.situacao,
    width: '16%',
    render: ({ situacao }) => stateNames[situacao],
    detail: ({ situacao, impedimento }) =>
      situacao === 'IMPEDIDO' && <span className={`${shared.mark} ${shared.attention}`}>{impedimento}</span>,
  },
]

/** '/convidados': the rules for guests, and all guests. */
export const GuestsPage = () => {
  const client = useQueryClient()
  const list = useList({ queryKey: guestsKey, endpoint: guestsApi.list, fields: GuestOrder })
  const [revoking, setRevoking] = useState<Guest>()
  const [inviting, setInviting] = useState<Guest>()
  const [isRevokingAll, setRevokingAll] = useState(false)
  const invite = <ActionButton isMain icon={IconUserPlus} label="Convidar" to="/convidar" />
  const refresh = () => {
    list.state.startOver()
    void client.invalidateQueries({ queryKey: guestsKey })
  }
  return (
    <AdminPage
      title="Convidados"
      lead={list.rows ? countText(list.total, list.isCapped, ['convite', 'convites']) : NO_LEAD_YET}
      actions={
        <>
          {(list.rows?.length ?? 0) > 0 && (
            <ActionButton
              icon={IconBan}
              color="red"
              variant="light"
              label="Revogar todos"
              onClick={() => setRevokingAll(true)}
            />
          )}
          {invite}
        </>
      }
    >
      <GuestRules />
      <DataTable
        list={list}
        label="Convidados"
        searchLabel="Buscar convidado ou relatório"
        columns={columns}
        rowKey={({ idConvidado }) => idConvidado}
        actions={(guest) =>
          guest.situacao !== 'REVOGADO' && (
            <>
              <EditAction of={guest.emailConvidado} to={`/convidar/${guest.idConvidado}`} />
              <RowAction
                icon={IconMailForward}
                label="Enviar o convite de novo"
                of={guest.emailConvidado}
                onClick={() => setInviting(guest)}
              />
              <RowAction
                icon={IconBan}
                color="red"
                label="Revogar"
                of={guest.emailConvidado}
                onClick={() => setRevoking(guest)}
              />
            </>
          )
        }
        empty={{
          text: 'Nenhum convidado ainda. Um convidado vê um relatório sem ter conta, por links que chegam ao e-mail dele.',
          action: invite,
        }}
      />
      <InviteAgainDialog guest={inviting} onClose={() => setInviting(undefined)} />
      <ConfirmDelete
        target={revoking}
        onClose={() => setRevoking(undefined)}
        question="Revogar este convidado?"
        done="Convidado revogado!"
        consequence="A visita aberta termina na hora, e os links enviados deixam de valer. Não há como desfazer: faça outro convite se precisar."
        confirm="Sim, revogar"
        failed="Não foi possível revogar"
        nameOf={({ emailConvidado, nomeRelatorio }) => `${emailConvidado}, em ${nomeRelatorio}`}
        remove={({ idConvidado: id }) => call(guestsApi.revoke, { params: { id } })}
        onDeleted={refresh}
      />
      <ConfirmDelete
        target={isRevokingAll || undefined}
        onClose={() => setRevokingAll(false)}
        question="Revogar todos os convidados?"
        done="Convidados revogados!"
        consequence="As visitas abertas terminam na hora, e nenhum convite vale mais. Não há como desfazer."
        confirm="Sim, revogar todos"
        failed="Não foi possível revogar"
        nameOf={() => 'Todos os convites de todos os relatórios'}
        remove={() => call(guestsApi.revokeAll)}
        onDeleted={refresh}
      />
    </AdminPage>
  )
}
