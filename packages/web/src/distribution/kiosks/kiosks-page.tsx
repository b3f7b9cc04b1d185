import { headingsOf, type Kiosk, KioskOrder, kioskEntity, kiosksApi } from '@bi-manager/contract'
import { IconDeviceTv, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { refreshInBackground } from '../../lib/api/background-refresh.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { DeleteAction, EditAction } from '../../ui/data-table/entity-actions.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { RowAction } from '../../ui/data-table/row-action.tsx'
import { ConfirmDelete } from '../../ui/dialog/confirm-delete.tsx'
import { AdminPage, NO_LEAD_YET } from '../../ui/page/admin-page.tsx'
import { useNow } from '../../ui/use-now.ts'
import { expiryText, pagesText, screenStateOf, seenText } from './kiosk-texts.ts'
import { kiosksKey } from './kiosks-queries.ts'
import { ScreenBadge } from './screen-badge.tsx'

const headings = headingsOf(kioskEntity)
const columns: Column<Kiosk, (typeof KioskOrder)[number]>[] = [
  { label: headings.nome, sort: 'nome', isName: true, width: '26%', render: ({ nome }) => nome },
  {
    label: 'Tela',
    width: '18%',
    render: (kiosk) => <ScreenBadge state={screenStateOf(kiosk, serverNow())} />,
  },
  { label: headings.paginas, render: pagesText },
  { label: headings.vistaEm, width: '14%', render: (kiosk) => seenText(kiosk, serverNow()) },
  { label: headings.expiraEm, width: '16%', render: expiryText },
]

/** Milliseconds between two readings of the list: screens fall silent and come back by themselves. */
const everyMs = 30_000

/** '/teloes': the kiosks and their screens. */
export const KiosksPage = () => {
  const queryClient = useQueryClient()
  const list = useList({ queryKey: kiosksKey, endpoint: kiosksApi.list, fields: KioskOrder })
  const [deleting, setDeleting] = useState<Kiosk>()
  // A screen that no longer answers changes nothing but the time since.
  useNow(10_000)
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void refreshInBackground(queryClient, kiosksKey)
    }, everyMs)
    return () => clearInterval(timer)
  }, [queryClient])
  const register = <ActionButton isMain icon={IconPlus} label="Cadastrar telão" to="/cadastrar-telao" />
  return (
    <AdminPage
      title="Telões"
      lead={list.rows ? countText(list.total, list.isCapped, ['telão', 'telões']) : NO_LEAD_YET}
      actions={register}
    >
      <DataTable
        list={list}
        label="Telões"
        searchLabel="Buscar telão"
        columns={columns}
        rowKey={({ idTelao }) => idTelao}
        actions={(kiosk) => (
          <>
            {!kiosk.conectadaEm && (
              <RowAction
                icon={IconDeviceTv}
                label="Conectar tela"
                of={kiosk.nome}
                to={`/cadastrar-telao/${kiosk.idTelao}`}
              />
            )}
            <EditAction of={kiosk.nome} to={`/cadastrar-telao/${kiosk.idTelao}`} />
            <DeleteAction of={kiosk.nome} onClick={() => setDeleting(kiosk)} />
          </>
        )}
        empty={{
          text: 'Nenhum telão cadastrado ainda. Um telão mostra páginas de relatórios, uma depois da outra, em uma TV ou monitor, sem que ninguém entre na conta.',
          action: register,
        }}
      />
      <ConfirmDelete
        target={deleting}
        onClose={() => setDeleting(undefined)}
        question="Deseja mesmo excluir este telão?"
        done="Telão excluído!"
        consequence="A tela conectada volta à página do código em segundos."
        nameOf={({ nome }) => nome}
        remove={({ idTelao: id }) => call(kiosksApi.remove, { params: { id } })}
        onDeleted={() => {
          list.state.startOver()
          refreshAfter(queryClient, kioskEntity)
        }}
      />
    </AdminPage>
  )
}
