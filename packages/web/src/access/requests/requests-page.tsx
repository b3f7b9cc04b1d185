import { type AccessRequest, AccessRequestState, accessRequestsApi } from '@bi-manager/contract'
import { NativeSelect } from '@mantine/core'
import '@mantine/core/styles/Combobox.layer.css'
import { IconMessageReply } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { refreshInBackground } from '../../lib/api/background-refresh.ts'
import { grantsKey, profilesKey, reasonsKey } from '../../lib/api/query-keys.ts'
import { useChooseFilters } from '../../lib/lists/use-change-search.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { useLiveRefresh } from '../../lib/live/live-refresh.ts'
import { fullTime } from '../../lib/text/relative-time.ts'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { RowAction } from '../../ui/data-table/row-action.tsx'
import { AdminPage, NO_LEAD_YET } from '../../ui/page/admin-page.tsx'
import classes from './access-requests.module.css'
import { AnswerDialog } from './answer-dialog.tsx'
import { RequestState, stateNames } from './request-state.tsx'
import { requestsKey } from './requests-queries.ts'

const orders = ['nomeUsuario', 'criadoEm'] as const

const columns: Column<AccessRequest, (typeof orders)[number]>[] = [
  {
    label: 'Pessoa',
    sort: 'nomeUsuario',
    isName: true,
    width: '16%',
    render: ({ nomeUsuario }) => nomeUsuario,
    detail: ({ emailUsuario }) => emailUsuario,
  },
  {
    label: 'Relatório',
    width: '17%',
    render: ({ nomeRelatorio }) => nomeRelatorio ?? 'Nenhum neste endereço',
    detail: ({ nomeGrupo }) => nomeGrupo,
  },
  { label: 'Motivo', render: ({ motivo }) => motivo },
  {
    label: 'Situação',
    width: '11rem',
    render: ({ situacao }) => <RequestState state={situacao} />,
    detail: ({ respondidoPor, nomePerfil }) => {
      const parts = [nomePerfil, respondidoPor && `por ${respondidoPor}`].filter(Boolean)
      return parts.join(', ')
    },
  },
  {
    label: 'Pedido em',
    sort: 'criadoEm',
    width: '8.25rem',
    render: ({ criadoEm }) => fullTime(criadoEm),
  },
]

/** '/pedidos-acesso': requests for access to reports, and their answers. */
export const RequestsPage = () => {
  const queryClient = useQueryClient()
  const [params] = useSearchParams()
  const choose: (changes: { situacao?: string }) => void = useChooseFilters()
  const situacao = AccessRequestState.safeParse(params.get('situacao')).data
  const list = useList({
    queryKey: requestsKey,
    endpoint: accessRequestsApi.list,
    fields: orders,
    defaultOrder: '-criadoEm',
    filter: { situacao },
  })
  const [answering, setAnswering] = useState<AccessRequest>()
  useLiveRefresh('notificacoes', () => void refreshInBackground(queryClient, requestsKey))
  const refresh = () => {
    for (const queryKey of [requestsKey, grantsKey, reasonsKey, profilesKey]) {
      void queryClient.invalidateQueries({ queryKey })
    }
  }
  return (
    <AdminPage
      title="Pedidos de acesso"
      lead={list.rows ? countText(list.total, list.isCapped, ['pedido', 'pedidos']) : NO_LEAD_YET}
    >
      <DataTable
        list={list}
        label="Pedidos de acesso"
        searchLabel="Buscar pessoa"
        columns={columns}
        rowKey={({ idPedido }) => idPedido}
        actions={(request) =>
          request.situacao === 'ABERTO' && (
            <RowAction
              isMain
              icon={IconMessageReply}
              label="Responder"
              of={`a ${request.nomeUsuario}`}
              onClick={() => setAnswering(request)}
            />
          )
        }
        actionsWidth="10rem"
        empty={{
          text: 'Ninguém pediu acesso a um relatório ainda. Os pedidos vêm da página de um relatório que a pessoa não pode abrir.',
        }}
        isFiltered={situacao !== undefined}
        tools={
          <NativeSelect
            aria-label="Filtrar por situação"
            className={classes.filter}
            data={[
              { value: '', label: 'Situação: todas' },
              ...AccessRequestState.options.map((value) => ({ value, label: stateNames[value] })),
            ]}
            value={situacao ?? ''}
            onChange={({ currentTarget }) => choose({ situacao: currentTarget.value })}
          />
        }
      />
      <AnswerDialog request={answering} onClose={() => setAnswering(undefined)} onAnswered={refresh} />
    </AdminPage>
  )
}
