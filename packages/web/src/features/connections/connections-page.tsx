import {
  type Connection,
  ConnectionOrder,
  columnsOf,
  connectionEntity,
  connectionsApi,
  guidField,
} from '@bi-manager/contract'
import { Button } from '@mantine/core'
import { IconPencil, IconPlugConnected, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { callWithProof } from '../../lib/api/proof.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { exportQuery } from '../../lib/lists/list-state.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { ConfirmDelete } from '../../ui/confirm-delete.tsx'
import { CsvButton } from '../../ui/csv-button.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { RowAction } from '../../ui/data-table/row-action.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { ConnectionTestDialog } from './connection-test-dialog.tsx'
import classes from './connections.module.css'
import { connectionsKey } from './connections-queries.ts'

const headings = columnsOf(connectionEntity)
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
]

export const ConnectionsPage = () => {
  const queryClient = useQueryClient()
  const list = useList({ queryKey: connectionsKey, endpoint: connectionsApi.list, fields: ConnectionOrder })
  const [doomed, setDoomed] = useState<Connection>()
  const [tested, setTested] = useState<Connection>()
  const register = (
    <Button component={Link} to="/Registerpowerbi" leftSection={<IconPlus size={18} aria-hidden />}>
      Cadastrar Powerbi
    </Button>
  )
  return (
    <AdminPage
      title="Powerbis"
      lead={list.rows && countText(list.total, list.isCapped, ['Powerbi', 'Powerbis'])}
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
            <RowAction
              icon={IconPencil}
              label="Editar"
              of={connection.nome}
              to={`/Registerpowerbi/${connection.idPowerBI}`}
            />
            <RowAction
              icon={IconTrash}
              color="red"
              label="Excluir"
              of={connection.nome}
              onClick={() => setDoomed(connection)}
            />
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
        target={doomed}
        onClose={() => setDoomed(undefined)}
        question="Deseja mesmo excluir esse Powerbi?"
        done="Powerbi excluído!"
        nameOf={({ nome }) => nome}
        consequence="Só o cadastro sai do portal; no serviço de BI nada muda."
        remove={({ idPowerBI: id }) => callWithProof(connectionsApi.remove, { params: { id } })}
        onDeleted={() => {
          list.state.startOver()
          refreshAfter(queryClient, connectionEntity)
        }}
      />
      <ConnectionTestDialog connection={tested} onClose={() => setTested(undefined)} />
    </AdminPage>
  )
}

const isGuid = (text: string): boolean => guidField('').safeParse(text).success

const Client = ({ nomeCliente, applicationId }: Connection) => (
  <>
    {nomeCliente ?? <span className={classes.quiet}>Sem cliente</span>}
    {applicationId && <span className={`${classes.guid} ${classes.quiet}`}>{applicationId}</span>}
  </>
)
