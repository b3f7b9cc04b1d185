import { ApiProblem, grantsApi, type User, usersApi } from '@bi-manager/contract'
import { IconUserSearch } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { call, callSet, messageOf } from '../../lib/api/api.ts'
import { entityQuery } from '../../lib/api/entities.ts'
import { grantsKey, usersKey } from '../../lib/api/query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { entityIdOf } from '../../ui/entity-form/entity-page.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import { searchUsers } from '../../ui/search-select/user-options.ts'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { ReportSet } from '../report-set/report-set.tsx'
import type { ReportRef } from '../report-set/ticks.ts'
import { refreshEnds } from './grant-end.tsx'
import { grantHints } from './grant-hints.tsx'
import { grantTexts } from './grant-texts.ts'
import classes from './grants.module.css'
import { loadChoices } from './grants-queries.ts'
import { AdminNote } from './user-grants-page.tsx'
import { UserLinks } from './user-links.tsx'

/** A user's grants in all workspaces on one page. */
export const GrantsSearchPage = () => {
  const [params, setParams] = useSearchParams()
  const idUsuario = entityIdOf(params.get('idUsuario'))
  const [chosen, setChosen] = useState<SelectOption | null>(null)
  const user = useQuery(entityQuery(usersKey, usersApi.get, idUsuario))
  const known = user.data && { value: user.data.idUsuario, label: user.data.nomeUsuario }
  const value =
    idUsuario === undefined
      ? null
      : (known ?? (chosen?.value === idUsuario ? chosen : { value: idUsuario, label: `nº ${idUsuario}` }))

  return (
    <AdminPage title="Permissões por usuário" lead="Escolha a pessoa e marque o que ela pode ver." narrow>
      <div className={shared.panel}>
        <SearchSelect
          label="Usuário"
          placeholder="Pesquisar usuário..."
          emptyText="Sem resultados para essa pesquisa"
          queryKey={usersKey}
          search={searchUsers}
          value={value}
          error={user.error ? faultText(user.error) : undefined}
          onChange={(option) => {
            setChosen(option)
            setParams(option ? { idUsuario: String(option.value) } : {}, { preventScrollReset: true })
          }}
        />
      </div>
      {idUsuario === undefined ? (
        <InlineMessage icon={IconUserSearch}>
          Pesquise e escolha um usuário para ver os relatórios dele.
        </InlineMessage>
      ) : user.data ? (
        <>
          {user.data.tipoUsuario === 'ADMIN' && <AdminNote />}
          <AllReports key={idUsuario} user={user.data} />
        </>
      ) : user.error ? (
        <Button variant="default" loading={user.isFetching} onClick={() => void user.refetch()}>
          Tentar novamente
        </Button>
      ) : (
        loading
      )}
    </AdminPage>
  )
}

const AllReports = ({ user }: { user: User }) => {
  const [opening] = useState(() => ++openings)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...grantsKey, user.idUsuario, 'todas', opening],
    queryFn: ({ signal }) =>
      call(grantsApi.listOfUser, { params: { idUsuario: user.idUsuario } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (data) return <Checklist user={user} grants={data} />
  if (error) return <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  return loading
}

let openings = 0

const Checklist = ({ user, grants }: { user: User; grants: ReportRef[] }) => {
  const { idUsuario, nomeUsuario, emailUsuario } = user
  const client = useQueryClient()
  return (
    <section
      className={`${shared.panelWithBar} ${shared.stackMd} ${classes.section}`}
      aria-labelledby="relatorios"
    >
      <div className={shared.spreadWide}>
        <div>
          <h2 id="relatorios" className={shared.heading}>
            Relatórios de {nomeUsuario}
          </h2>
          <p className={`${shared.underHeading} ${shared.breakable}`}>{emailUsuario}</p>
        </div>
        <UserLinks idUsuario={idUsuario} />
      </div>
      <ReportSet
        reports={grants}
        reread={() => callSet(grantsApi.listOfUser, { params: { idUsuario } })}
        save={(idRelatorios, ifMatch) =>
          call(grantsApi.replace, { params: { idUsuario }, body: { idRelatorios } }, { ifMatch })
        }
        onSaved={() => refreshEnds(client, idUsuario)}
        texts={grantTexts(nomeUsuario)}
        hintsOf={(ticks) => grantHints(idUsuario, ticks)}
        loadGroup={{
          queryKey: [...grantsKey, idUsuario, 'grupo'],
          load: (grupo, signal) => loadChoices(idUsuario, grupo, signal),
        }}
      />
    </section>
  )
}

const faultText = (error: unknown): string =>
  error instanceof ApiProblem && error.status === 404 ? 'Usuário não encontrado.' : messageOf(error)

const loading = (
  <div className={shared.panelWithBar}>
    <SkeletonLines label="Carregando as permissões" />
  </div>
)
