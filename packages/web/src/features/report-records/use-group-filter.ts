import { useQuery } from '@tanstack/react-query'
import { workspaceQuery } from '../../lib/api/record-queries.ts'
import { useRecordFilter } from '../../ui/search-select/use-record-filter.ts'

/** State of the list's workspace filter, kept in the URL. */
export const useGroupFilter = () => {
  const { id, unnamed, optionOf, choose } = useRecordFilter('idGrupoRelatorio')
  const { data, error } = useQuery(workspaceQuery(unnamed))
  return { id, value: optionOf(data?.nomeGrupo, error ? `Workspace ${id}` : 'Carregando…'), choose }
}
