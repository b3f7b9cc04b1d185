import type { ExternalGroup } from '@bi-manager/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { workspacesKey } from '../../lib/api/query-keys.ts'
import {
  matchingObjects,
  ProviderField,
  type ProviderFieldProps,
} from '../../ui/search-select/provider-field.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import { groupsQuery, searchRegisteredGroups } from './workspaces-queries.ts'

const groupObject = ({ idGrupo, nomeGrupo }: ExternalGroup) => ({ value: idGrupo, label: nomeGrupo })

/**
 * Returns the connection's groups that match by name or id, with registered ones marked, followed
 * by the registered groups that the connection does not see.
 */
export const groupOptions = (
  text: string,
  live: ExternalGroup[],
  registered: SelectOption<string>[],
): SelectOption<string>[] => {
  const isRegistered = new Set(registered.map(({ value }) => value.toLowerCase()))
  const seen = matchingObjects(text, live.map(groupObject)).map((option) => ({
    ...option,
    mark: isRegistered.has(option.value.toLowerCase()) ? 'já cadastrado' : undefined,
  }))
  const known = new Set(live.map(({ idGrupo }) => idGrupo.toLowerCase()))
  const unseen = registered.filter(({ value }) => !known.has(value.toLowerCase()))
  return [...seen, ...unseen.map((option) => ({ ...option, description: option.value }))]
}

interface GroupFieldProps extends Pick<ProviderFieldProps, 'name' | 'value' | 'onChange' | 'error'> {
  /** The chosen connection, whose groups are offered. */
  idPowerBi: number | undefined
}

const NOT_READ = 'A conexão não respondeu: só os grupos já cadastrados. Cole o id do grupo.'

/** The field 'Grupo': offers the connection's current and the registered groups, or a typed id. */
export const GroupField = ({ idPowerBi, ...field }: GroupFieldProps) => {
  const queryClient = useQueryClient()
  const live = useQuery({ ...groupsQuery(idPowerBi ?? 0), enabled: idPowerBi !== undefined })

  // A failure of the provider call is shown below the field; registered groups are still offered.
  const liveGroups = async (): Promise<ExternalGroup[]> => {
    if (idPowerBi === undefined || live.error) return []
    return queryClient.ensureQueryData(groupsQuery(idPowerBi)).catch(() => [])
  }

  const search = async (text: string, signal: AbortSignal) => {
    const [groups, registered] = await Promise.all([liveGroups(), searchRegisteredGroups(text, signal)])
    return groupOptions(text, groups, registered)
  }

  return (
    <ProviderField
      label="Grupo"
      placeholder="Pesquise pelo nome ou cole o id do grupo"
      description={
        idPowerBi === undefined
          ? 'Escolha o Power Bi para ver os grupos que ele enxerga, ou cole o id do grupo (GUID).'
          : undefined
      }
      queryKey={[...workspacesKey, 'grupos', idPowerBi ?? null, live.status]}
      search={search}
      notice={live.error ? NOT_READ : undefined}
      objects={live.data?.map(groupObject)}
      failed={live.error ? live : undefined}
      texts={texts}
      {...field}
    />
  )
}

const texts = {
  loadFailed: 'Os grupos desta conexão não puderam ser lidos:',
  whatToDo: 'Você pode colar o id do grupo (GUID).',
  notListed: 'Esta conexão não enxerga o grupo escolhido.',
}
