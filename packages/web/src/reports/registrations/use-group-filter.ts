import { useQuery } from '@tanstack/react-query'
import { workspaceQuery } from '../../lib/api/entity-queries.ts'
import { useEntityFilter } from '../../ui/search-select/use-entity-filter.ts'

/** State of the list's workspace filter, kept in the URL. */
export const useGroupFilter = () => {
  const { id, unnamed, optionOf, choose } = useEntityFilter('idGrupoRelatorio')
  const { data, error } = useQuery(workspaceQuery(unnamed))
  return { id, value: optionOf(data?.nomeGrupo, error ? `Workspace ${id}` : 'Carregando…'), choose }
}
