import { type ApiKey, apiKeysApi, type NewApiKey } from '@bi-manager/contract'
import { Alert, Badge, Skeleton } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { fullTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { ConfirmDelete } from '../../ui/dialog/confirm-delete.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import shared from '../../ui/shared.module.css'
import classes from './api-keys.module.css'
import { apiKeysKey, ownKeysQuery } from './api-keys-queries.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { expiryOf, groupTitles, usedText } from './key-texts.ts'
import { NewKeyDialog } from './new-key-dialog.tsx'

/** '/chaves': the API keys of the person. */
export const OwnKeysPage = () => {
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery(ownKeysQuery)
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<NewApiKey>()
  const [revoking, setRevoking] = useState<ApiKey>()
  const refresh = () => client.invalidateQueries({ queryKey: apiKeysKey })
  const create = <ActionButton isMain icon={IconPlus} label="Criar chave" onClick={() => setCreating(true)} />
  return (
    <AdminPage
      title="Chaves de API"
      lead="Com uma chave, um programa chama o portal em seu nome, sem a sua senha. Ela alcança só o que você escolhe e nunca mais do que você pode; prontuários, nunca."
      actions={data?.podeCriar && data.chaves.length > 0 && create}
      narrow
    >
      {data && !data.podeCriar && (
        <Alert title="As chaves de API não estão liberadas para você">
          {data.chaves.length > 0
            ? 'Suas chaves não funcionam enquanto um administrador não as liberar.'
            : 'Se um programa precisa ler os seus relatórios, peça a um administrador que as libere.'}
        </Alert>
      )}
      {data ? (
        (data.podeCriar || data.chaves.length > 0) && (
          <section className={`${shared.panel} ${shared.stackMd}`} aria-label="Suas chaves">
            {data.chaves.length === 0 ? (
              <div className={classes.empty}>
                <span className={shared.tileIcon}>
                  <IconKey size={21} stroke={1.6} aria-hidden />
                </span>
                <p className={shared.note}>
                  Você ainda não tem chaves. Crie uma para cada programa: assim você revoga uma sem parar as
                  outras.
                </p>
                {create}
              </div>
            ) : (
              <ul className={`${shared.divided} ${classes.keys}`}>
                {data.chaves.map((key) => (
                  <KeyRow key={key.idChave} apiKey={key} onRevoke={() => setRevoking(key)} />
                ))}
              </ul>
            )}
          </section>
        )
      ) : error ? (
        <section className={shared.panel}>
          <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
        </section>
      ) : (
        <div role="status" aria-label="Carregando as suas chaves">
          <Skeleton height={190} radius="lg" />
        </div>
      )}
      <CreateKeyDialog
        isOpen={isCreating}
        onClose={() => setCreating(false)}
        onCreated={(key) => {
          setCreating(false)
          setCreated(key)
          void refresh()
        }}
      />
      <NewKeyDialog created={created} hasMcp={data?.mcp ?? false} onClose={() => setCreated(undefined)} />
      <ConfirmDelete
        target={revoking}
        onClose={() => setRevoking(undefined)}
        question="Revogar esta chave?"
        done="Chave revogada!"
        consequence="Os programas que a usam param de funcionar na hora. Não há como desfazer."
        confirm="Sim, revogar"
        failed="Não foi possível revogar"
        nameOf={({ nome }) => nome}
        remove={({ idChave: id }) => call(apiKeysApi.revokeOwn, { params: { id } })}
        onDeleted={() => void refresh()}
      />
    </AdminPage>
  )
}

interface KeyRowProps {
  apiKey: ApiKey
  onRevoke: () => void
}

const KeyRow = ({ apiKey, onRevoke }: KeyRowProps) => {
  const { nome, prefixo, grupos, redes, criadaEm, expiraEm } = apiKey
  const now = serverNow()
  const { text, isUrgent } = expiryOf(expiraEm, now)
  return (
    <li className={classes.row}>
      <span className={shared.tileIcon}>
        <IconKey size={21} stroke={1.6} aria-hidden />
      </span>
      <div className={shared.fills}>
        <div className={classes.name}>
          <span className={shared.breakable}>{nome}</span>
          <Badge
            variant="light"
            size="sm"
            className={isUrgent ? shared.attention : shared.active}
            title={fullTime(expiraEm)}
          >
            {text}
          </Badge>
        </div>
        <p className={`${shared.smallNote} ${classes.prefix}`}>{prefixo}…</p>
        <p className={shared.smallNote}>{groupTitles(grupos)}</p>
        {redes.length > 0 && <p className={shared.smallNote}>Só de {redes.join(', ')}</p>}
        <p className={shared.smallNote}>
          Criada em {fullTime(criadaEm)}. {usedText(apiKey, now)}.
        </p>
      </div>
      <Button variant="default" size="xs" aria-label={`Revogar ${nome}`} onClick={onRevoke}>
        Revogar
      </Button>
    </li>
  )
}
