import {
  type Connection,
  ConnectionOrder,
  connectionEntity,
  connectionsApi,
  guidField,
  headingsOf,
} from '@bi-manager/contract'
import { Group } from '@mantine/core'
import { IconPlugConnected, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { connectionsKey } from '../../lib/api/query-keys.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { exportQuery } from '../../lib/lists/list-state.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { counted } from '../../lib/text/counted.ts'
import { daysUntil } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { CsvButton } from '../../ui/csv-button.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { DeleteAction, EditAction } from '../../ui/data-table/entity-actions.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { RowAction } from '../../ui/data-table/row-action.tsx'
import { textOfDay } from '../../ui/day-field/day-text.ts'
import { ConfirmDelete } from '../../ui/dialog/confirm-delete.tsx'
import { AdminPage, NO_LEAD_YET } from '../../ui/page/admin-page.tsx'
import shared from '../../ui/shared.module.css'
import { ConnectionTestDialog } from './connection-test-dialog.tsx'
import classes from './connections.module.css'

const headings = headingsOf(connectionEntity)
const columns: Column<Connection, (typeof ConnectionOrder)[number]>[] = [
  { label: headings.nome, sort: 'nome', isName: true, width: '26%', render: ({ nome }) => nome },
  {
    label: headings.username,
    sort: 'username',
    render: ({ username }) => <span className={isGuid(username) ? classes.guid : undefined}>{username}</span>,
  },
  {
    label: 'Client ID',
    phoneLabel: 'Cliente',
    sort: 'nomeCliente',
    render: (connection) => <Client {...connection} />,
  },
  {
    label: headings.segredoExpiraEm,
    width: '11rem',
    render: (connection) => <SecretExpiry {...connection} />,
  },
]

export const ConnectionsPage = () => {
  const queryClient = useQueryClient()
  const list = useList({ queryKey: connectionsKey, endpoint: connectionsApi.list, fields: ConnectionOrder })
  const [toDelete, setToDelete] = useState<Connection>()
  const [tested, setTested] = useState<Connection>()
  const register = <ActionButton isMain icon={IconPlus} label="Cadastrar Powerbi" to="/Registerpowerbi" />
  return (
    <AdminPage
      title="Powerbis"
      lead={list.rows ? countText(list.total, list.isCapped, ['Powerbi', 'Powerbis']) : NO_LEAD_YET}
      actions={register}
    >
      <DataTable
        list={list}
        label="Powerbis"
        searchLabel="Buscar Powerbi"
        columns={columns}
        rowKey={({ idPowerBI }) => idPowerBI}
        actions={(connection) => (
          <>
            <RowAction
              icon={IconPlugConnected}
              label="Testar conexão"
              of={connection.nome}
              onClick={() => setTested(connection)}
            />
            <EditAction of={connection.nome} to={`/Registerpowerbi/${connection.idPowerBI}`} />
            <DeleteAction of={connection.nome} onClick={() => setToDelete(connection)} />
          </>
        )}
        empty={{
          text: 'Nenhum Powerbi cadastrado ainda. Cadastre o primeiro: é por ele que o portal alcança os relatórios.',
          action: register,
        }}
        tools={
          <CsvButton
            fileName="powerbis.csv"
            download={() => call(connectionsApi.exportCsv, { query: exportQuery(list.state) })}
          />
        }
      />
      <ConfirmDelete
        target={toDelete}
        onClose={() => setToDelete(undefined)}
        question="Deseja mesmo excluir esse Powerbi?"
        done="Powerbi excluído!"
        nameOf={({ nome }) => nome}
        blocked={{ by: connectionEntity, idOf: ({ idPowerBI }) => idPowerBI }}
        consequence="Só o cadastro sai do portal; no serviço de BI nada muda."
        remove={({ idPowerBI: id }) => call(connectionsApi.remove, { params: { id } })}
        onDeleted={() => {
          list.state.startOver()
          refreshAfter(queryClient, connectionEntity)
        }}
      />
      <ConnectionTestDialog
        connection={tested}
        onClose={() => {
          setTested(undefined)
          // The test may have read when the secret expires.
          list.refetch()
        }}
      />
    </AdminPage>
  )
}

const isGuid = (text: string): boolean => guidField('').safeParse(text).success

/** A service principal's secret always expires; other credentials may not. */
const SecretExpiry = ({ segredoExpiraEm, leituraSegredo, provedor, tipoCredencial }: Connection) => {
  const needsDate = provedor === 'microsoft' && tipoCredencial === 'service_principal'
  if (!segredoExpiraEm) return <span className={shared.dimmed}>{needsDate ? 'Sem data' : '—'}</span>
  const days = daysUntil(segredoExpiraEm, serverNow())
  return (
    <>
      <Group component="span" gap="0.25rem 0.5rem">
        {textOfDay(segredoExpiraEm)}
        {days <= 30 && (
          <span className={`${shared.mark} ${shared.attention}`}>
            {days < 0 ? 'vencido' : days === 0 ? 'hoje' : `em ${counted(days, 'dia', 'dias')}`}
          </span>
        )}
      </Group>
      {leituraSegredo === 'lida' && <span className={shared.detail}>lido do Microsoft Entra</span>}
    </>
  )
}

const Client = ({ nomeCliente, applicationId }: Connection) => (
  <>
    {nomeCliente ?? <span className={shared.dimmed}>Sem cliente</span>}
    {applicationId && <span className={`${classes.guid} ${shared.dimmed}`}>{applicationId}</span>}
  </>
)
