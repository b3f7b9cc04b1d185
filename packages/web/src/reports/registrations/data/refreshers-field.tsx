import { dataFreshnessApi } from '@bi-manager/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/api/api.ts'
import { usersKey } from '../../../lib/api/query-keys.ts'
import { ErrorAlert } from '../../../ui/error-alert.tsx'
import { StoredChoice } from '../../../ui/search-select/stored-choice.tsx'
import { searchUsers } from '../../../ui/search-select/user-options.ts'
import { dataKey } from '../../freshness/use-data-freshness.ts'
import classes from './data-section.module.css'

/** The users who may refresh the report's data; each change is stored at once. */
export const RefreshersField = ({ idRelatorio }: { idRelatorio: number }) => {
  const queryKey = [...dataKey(idRelatorio), 'autorizados']
  const { data: people = [], error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(dataFreshnessApi.refreshers, { params: { id: idRelatorio } }, { signal }),
  })
  return (
    <div className={classes.refreshers}>
      <StoredChoice
        label="Quem mais pode atualizar"
        description="Além dos administradores. A pessoa precisa também poder ver o relatório."
        listLabel="Pessoas que podem atualizar"
        searchKey={usersKey}
        search={searchUsers}
        chosen={people.map(({ idUsuario, nomeUsuario }) => ({ id: idUsuario, name: nomeUsuario }))}
        chosenKey={queryKey}
        store={(idUsuario, may) =>
          call(may ? dataFreshnessApi.allow : dataFreshnessApi.disallow, {
            params: { id: idRelatorio, idUsuario },
          })
        }
      />
      <ErrorAlert error={error} mt="xs" />
    </div>
  )
}
