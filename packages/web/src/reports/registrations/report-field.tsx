import type { ExternalReport } from '@bi-manager/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { groupReportsQuery, workspaceQuery } from '../../lib/api/entity-queries.ts'
import { reportsKey } from '../../lib/api/query-keys.ts'
import {
  matchingObjects,
  ProviderField,
  type ProviderFieldProps,
} from '../../ui/search-select/provider-field.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'

interface ReportFieldProps extends Pick<ProviderFieldProps, 'name' | 'value' | 'onChange' | 'error'> {
  /** The workspace chosen in 'Grupo Relatório', whose reports are offered. */
  idGrupoRelatorio: number | undefined
}

/**
 * The field 'Report': offers the workspace's current reports at the provider, or takes a typed id.
 */
export const ReportField = ({ idGrupoRelatorio, ...field }: ReportFieldProps) => {
  const queryClient = useQueryClient()
  const hasGroup = idGrupoRelatorio !== undefined
  const group = useQuery(workspaceQuery(idGrupoRelatorio))
  const live = useQuery({
    ...groupReportsQuery(group.data ?? { idPowerBi: 0, idGrupo: '' }),
    enabled: hasGroup && group.data !== undefined,
  })
  const failed = hasGroup ? [group, live].find(({ error }) => error) : undefined

  // A failure is shown below the field; the list then offers only the typed id.
  const search = async (text: string): Promise<SelectOption<string>[]> => {
    if (!hasGroup || failed) return []
    const reports = await queryClient
      .ensureQueryData(workspaceQuery(idGrupoRelatorio))
      .then((found) => queryClient.ensureQueryData(groupReportsQuery(found)))
      .catch((): ExternalReport[] => [])
    return matchingObjects(text, objectsOf(reports))
  }

  return (
    <ProviderField
      label="Report"
      placeholder="Pesquise pelo nome ou cole o id do relatório"
      description={
        hasGroup ? undefined : 'Escolha o grupo primeiro para ver os relatórios dele, ou cole o id (GUID).'
      }
      emptyText={hasGroup ? 'Nenhum resultado encontrado!' : 'Escolha o grupo primeiro.'}
      queryKey={[...reportsKey, 'do-grupo', idGrupoRelatorio ?? null, live.status, live.dataUpdatedAt]}
      search={search}
      objects={hasGroup ? live.data && objectsOf(live.data) : undefined}
      failed={failed}
      texts={texts}
      {...field}
    />
  )
}

const objectsOf = (listed: ExternalReport[]) =>
  listed
    .filter(({ tipo }) => tipo !== 'PAINEL')
    .map(({ nome, reportId, jaCadastrado, impedimento, tipo }) => ({
      value: reportId,
      label: nome,
      mark: jaCadastrado
        ? 'já cadastrado'
        : impedimento
          ? 'não incorporável'
          : tipo === 'PAGINADO'
            ? 'paginado'
            : undefined,
    }))

const texts = {
  loadFailed: 'Os relatórios deste grupo não puderam ser lidos:',
  whatToDo: 'Você pode colar o id do relatório (GUID).',
  notListed: 'Este relatório não está entre os que a conexão enxerga no grupo escolhido.',
}
