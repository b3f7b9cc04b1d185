import { accessRequestsApi, type OwnAccessRequest, reportPath } from '@bi-manager/contract'
import { Anchor } from '@mantine/core'
import { IconLockQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { ownRequestsKey } from '../../lib/api/query-keys.ts'
import { useLiveRefresh } from '../../lib/live/live-refresh.ts'
import { fullTime } from '../../lib/text/relative-time.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import classes from './access-requests.module.css'
import { RequestState } from './request-state.tsx'

/** '/meus-pedidos-acesso': one's own requests for access, and what became of them. */
export const OwnRequestsPage = () => {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ownRequestsKey,
    queryFn: ({ signal }) => call(accessRequestsApi.listOwn, {}, { signal }),
    staleTime: 0,
  })
  // The bell notifies of an answer.
  useLiveRefresh('notificacoes', () => void refetch())
  return (
    <AdminPage
      title="Meus pedidos de acesso"
      lead="Os relatórios que você pediu para ver, e o que os administradores responderam."
      narrow
    >
      {data?.length === 0 ? (
        <InlineMessage icon={IconLockQuestion}>
          Você não pediu acesso a nenhum relatório. Quando um link leva a um relatório que não é seu, a página
          dele tem o botão “Pedir acesso”.
        </InlineMessage>
      ) : data ? (
        <ul className={`${shared.panel} ${shared.divided}`} aria-label="Pedidos">
          {data.map((request) => (
            <OwnRequest key={request.idPedido} request={request} />
          ))}
        </ul>
      ) : error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines label="Carregando os pedidos" />
      )}
    </AdminPage>
  )
}

const OwnRequest = ({ request }: { request: OwnAccessRequest }) => {
  const { groupId, reportId, idRelatorio, nomeRelatorio, nomeGrupo, situacao, motivo } = request
  const { mensagem, criadoEm } = request
  const to = reportPath({
    workspace: nomeGrupo ?? '-',
    relatorio: nomeRelatorio ?? '-',
    groupId,
    reportId,
    idRelatorio: idRelatorio ?? undefined,
  })
  return (
    <li className={classes.request}>
      <div className={shared.spreadWide}>
        <Anchor component={Link} to={to} fw={600} className={shared.breakable}>
          {nomeRelatorio ?? 'Relatório do link'}
        </Anchor>
        <RequestState state={situacao} />
      </div>
      {nomeGrupo && <p className={`${shared.smallNote} ${shared.breakable}`}>Workspace {nomeGrupo}</p>}
      <p className={shared.smallNote}>Pedido em {fullTime(criadoEm)}</p>
      <p className={`${shared.breakable} ${classes.words}`}>{motivo}</p>
      {mensagem && (
        <p className={`${shared.breakable} ${classes.answer}`}>
          <strong>Resposta:</strong> {mensagem}
        </p>
      )}
    </li>
  )
}
