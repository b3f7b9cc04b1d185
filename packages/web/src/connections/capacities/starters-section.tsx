import { capacitiesApi } from '@bi-manager/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { profilesKey, usersKey } from '../../lib/api/query-keys.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { StoredChoice } from '../../ui/search-select/stored-choice.tsx'
import { searchUsers } from '../../ui/search-select/user-options.ts'
import shared from '../../ui/shared.module.css'
import classes from './capacities.module.css'
import { searchProfiles, startersQuery } from './capacities-queries.ts'

/**
 * The people and profiles whose opening of a report starts the capacity; each change is stored at
 * once.
 */
export const StartersSection = ({ idCapacidade: id }: { idCapacidade: number }) => {
  const query = startersQuery(id)
  const { data: { pessoas, perfis } = { pessoas: [], perfis: [] }, error } = useQuery(query)
  return (
    <section className={shared.panel} aria-labelledby="autorizados">
      <h2 id="autorizados" className={shared.subheading}>
        Quem inicia ao abrir um relatório
      </h2>
      <p className={shared.underHeading}>
        Quando estas pessoas ou um administrador abrem um relatório, a capacidade pausada inicia, e o
        relatório abre em seguida. As outras pessoas veem quando a agenda a inicia.
      </p>
      <div className={`${shared.columns} ${classes.starters}`}>
        <StoredChoice
          label="Pessoas"
          listLabel="Pessoas autorizadas"
          searchKey={usersKey}
          search={searchUsers}
          chosen={pessoas.map(({ idUsuario, nomeUsuario }) => ({ id: idUsuario, name: nomeUsuario }))}
          chosenKey={query.queryKey}
          store={(idUsuario, may) =>
            call(may ? capacitiesApi.allowPerson : capacitiesApi.disallowPerson, {
              params: { id, idUsuario },
            })
          }
        />
        <StoredChoice
          label="Perfis"
          listLabel="Perfis autorizados"
          searchKey={profilesKey}
          search={searchProfiles}
          chosen={perfis.map(({ idPerfil, nomePerfil }) => ({ id: idPerfil, name: nomePerfil }))}
          chosenKey={query.queryKey}
          store={(idPerfil, may) =>
            call(may ? capacitiesApi.allowProfile : capacitiesApi.disallowProfile, {
              params: { id, idPerfil },
            })
          }
        />
      </div>
      <ErrorAlert error={error} mt="xs" />
    </section>
  )
}
