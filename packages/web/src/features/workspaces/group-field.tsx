import { type ExternalGroup, guidField } from '@bi-manager/contract'
import { Anchor } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '../../lib/api/api.ts'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import { groupOptions } from './group-options.ts'
import classes from './workspace-form.module.css'
import { groupsQuery, searchRegisteredGroups, workspacesKey } from './workspaces-queries.ts'

interface GroupFieldProps {
  /** The chosen connection, whose groups are offered. */
  idPowerBI: number | undefined
  name: string
  value: SelectOption<string> | null
  onChange: (group: SelectOption<string> | null) => void
  error: string | undefined
}

const guid = guidField('')
const NOT_READ = 'A conexão não respondeu: só os grupos já cadastrados. Cole o id do grupo.'

/** The field 'Grupo': offers the connection's current and the registered groups, or a typed id. */
export const GroupField = ({ idPowerBI, value, ...field }: GroupFieldProps) => {
  const queryClient = useQueryClient()
  const live = useQuery({ ...groupsQuery(idPowerBI ?? 0), enabled: idPowerBI !== undefined })

  // A failure of the provider call is shown below the field; registered groups are still offered.
  const liveGroups = async (): Promise<ExternalGroup[]> => {
    if (idPowerBI === undefined || live.error) return []
    return queryClient.ensureQueryData(groupsQuery(idPowerBI)).catch(() => [])
  }

  const search = async (text: string, signal: AbortSignal) => {
    const [groups, registered] = await Promise.all([liveGroups(), searchRegisteredGroups(text, signal)])
    return groupOptions(text, groups, registered)
  }

  return (
    <div>
      <SearchSelect
        label="Grupo"
        placeholder="Pesquise pelo nome ou cole o id do grupo"
        description={
          idPowerBI === undefined
            ? 'Escolha o Power Bi para ver os grupos que ele enxerga, ou cole o id do grupo (GUID).'
            : undefined
        }
        queryKey={[...workspacesKey, 'grupos', idPowerBI ?? null, live.status]}
        search={search}
        notice={live.error ? NOT_READ : undefined}
        typedOption={(text) => (guid.safeParse(text).success ? { value: text, label: text } : undefined)}
        value={value && named(value, live.data)}
        {...field}
      />
      {live.error && (
        <p role="status" className={classes.warning}>
          Os grupos desta conexão não puderam ser lidos: {messageOf(live.error)} Você pode colar o id do grupo
          (GUID).{' '}
          <Anchor component="button" type="button" size="sm" onClick={() => void live.refetch()}>
            {live.isFetching ? 'Tentando…' : 'Tentar novamente'}
          </Anchor>
        </p>
      )}
      {value && live.data && !isSeen(value, live.data) && (
        <p role="status" className={classes.warning}>
          Esta conexão não enxerga o grupo escolhido. Você pode gravar assim mesmo.
        </p>
      )}
    </div>
  )
}

const isSeen = ({ value }: SelectOption<string>, groups: ExternalGroup[]): boolean =>
  groups.some(({ idGrupo }) => idGrupo.toLowerCase() === value.toLowerCase())

/** Labels an option with the group's name at the provider, once that is known. */
const named = (option: SelectOption<string>, groups: ExternalGroup[] = []): SelectOption<string> => {
  const group = groups.find(({ idGrupo }) => idGrupo.toLowerCase() === option.value.toLowerCase())
  return group ? { ...option, label: group.nomeGrupo } : option
}
