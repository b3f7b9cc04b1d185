import { ApiKeyOrder, apiKeysApi, type OwnedApiKey } from '@bi-manager/contract'
import { IconBan, IconKey } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { dayText, relativeTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { RowAction } from '../../ui/data-table/row-action.tsx'
import { ConfirmDelete } from '../../ui/dialog/confirm-delete.tsx'
import { AdminPage, NO_LEAD_YET } from '../../ui/page/admin-page.tsx'
import shared from '../../ui/shared.module.css'
import classes from './api-keys.module.css'
import { apiKeysKey } from './api-keys-queries.ts'
import { KeyRules } from './key-rules.tsx'
import { groupTitles } from './key-texts.ts'

const columns: Column<OwnedApiKey, (typeof ApiKeyOrder)[number]>[] = [
  {
    label: 'Chave',
    sort: 'nome',
    isName: true,
    width: '23%',
    render: ({ nome }) => nome,
    detail: ({ prefixo }) => <span className={`${shared.detail} ${classes.prefix}`}>{prefixo}…</span>,
  },
  { label: 'Pessoa', sort: 'nomeUsuario', width: '16%', render: ({ nomeUsuario }) => nomeUsuario },
  { label: 'Permissões', render: ({ grupos }) => groupTitles(grupos) },
  {
    label: 'Último uso',
    sort: 'usadaEm',
    width: '14%',
    render: ({ usadaEm }) => (usadaEm ? relativeTime(usadaEm, serverNow()) : 'nunca'),
    detail: ({ usadaDe }) => usadaDe,
  },
  {
    label: 'Vence em',
    sort: 'expiraEm',
    width: '15%',
    render: ({ expiraEm }) => dayText(expiraEm),
    detail: ({ impedimento }) =>
      impedimento && <span className={`${shared.mark} ${shared.attention}`}>{impedimento}</span>,
  },
]

/** '/chaves-de-api': the rules for API keys, and the keys of all people. */
export const ApiKeysPage = () => {
  const client = useQueryClient()
  const list = useList({ queryKey: apiKeysKey, endpoint: apiKeysApi.list, fields: ApiKeyOrder })
  const [revoking, setRevoking] = useState<OwnedApiKey>()
  return (
    <AdminPage
      title="Chaves de API"
      lead={list.rows ? countText(list.total, list.isCapped, ['chave', 'chaves']) : NO_LEAD_YET}
      actions={<ActionButton icon={IconKey} label="Minhas chaves" to="/chaves" />}
    >
      <KeyRules />
      <DataTable
        list={list}
        label="Chaves de API"
        searchLabel="Buscar chave ou pessoa"
        columns={columns}
        rowKey={({ idChave }) => idChave}
        actions={(key) => (
          <RowAction
            icon={IconBan}
            color="red"
            label="Revogar"
            of={key.nome}
            onClick={() => setRevoking(key)}
          />
        )}
        empty={{
          text: 'Nenhuma chave criada ainda. Com uma chave, um programa chama o portal em nome da pessoa que a criou.',
        }}
      />
      <ConfirmDelete
        target={revoking}
        onClose={() => setRevoking(undefined)}
        question="Revogar esta chave?"
        done="Chave revogada!"
        consequence="Os programas que a usam param de funcionar na hora, e a pessoa é avisada no sino. Não há como desfazer."
        confirm="Sim, revogar"
        failed="Não foi possível revogar"
        nameOf={({ nome, nomeUsuario }) => `${nome}, de ${nomeUsuario}`}
        remove={({ idChave: id }) => call(apiKeysApi.revoke, { params: { id } })}
        onDeleted={() => {
          list.state.startOver()
          void client.invalidateQueries({ queryKey: apiKeysKey })
        }}
      />
    </AdminPage>
  )
}
