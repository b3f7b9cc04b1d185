import { type ExternalReport, guidField } from '@bi-manager/contract'
import { Anchor } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '../../lib/api/api.ts'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import classes from './report-form.module.css'
import { isInGroup, namedReport, reportOptions } from './report-options.ts'
import { groupQuery, groupReportsQuery, reportsKey } from './report-records-queries.ts'

interface ReportFieldProps {
  /** The workspace chosen in 'Grupo Relatório', whose reports are offered. */
  idGrupoRelatorio: number | undefined
  name: string
  value: SelectOption<string> | null
  onChange: (report: SelectOption<string> | null) => void
  error: string | undefined
}

const guid = guidField('')

/**
 * The field 'Report': offers the workspace's current reports at the provider, or takes a typed id.
 */
export const ReportField = ({ idGrupoRelatorio, value, ...field }: ReportFieldProps) => {
  const queryClient = useQueryClient()
  const hasGroup = idGrupoRelatorio !== undefined
  const group = useQuery({ ...groupQuery(idGrupoRelatorio ?? 0), enabled: hasGroup })
  const live = useQuery({
    ...groupReportsQuery(group.data ?? { idPowerBi: 0, idGrupo: '' }),
    enabled: hasGroup && group.data !== undefined,
  })
  const failed = hasGroup ? (group.error ? group : live.error ? live : undefined) : undefined
  const reports = hasGroup ? live.data : undefined

  // A failure is shown below the field; the list then offers only the typed id.
  const search = async (text: string): Promise<SelectOption<string>[]> => {
    if (!hasGroup || failed) return []
    const reading = queryClient
      .ensureQueryData(groupQuery(idGrupoRelatorio))
      .then((found) => queryClient.ensureQueryData(groupReportsQuery(found)))
    return reportOptions(text, await reading.catch((): ExternalReport[] => []))
  }

  return (
    <div>
      <SearchSelect
        label="Report"
        placeholder="Pesquise pelo nome ou cole o id do relatório"
        description={
          hasGroup ? undefined : 'Escolha o grupo primeiro para ver os relatórios dele, ou cole o id (GUID).'
        }
        emptyText={hasGroup ? 'Nenhum resultado encontrado!' : 'Escolha o grupo primeiro.'}
        queryKey={[...reportsKey, 'do-grupo', idGrupoRelatorio ?? null, live.status, live.dataUpdatedAt]}
        search={search}
        typedOption={(text) => (guid.safeParse(text).success ? { value: text, label: text } : undefined)}
        value={value && namedReport(value, reports)}
        {...field}
      />
      {failed && (
        <p role="status" className={classes.warning}>
          Os relatórios deste grupo não puderam ser lidos: {messageOf(failed.error)} Você pode colar o id do
          relatório (GUID).{' '}
          <Anchor
            component="button"
            type="button"
            size="sm"
            underline="always"
            onClick={() => void failed.refetch()}
          >
            {failed.isFetching ? 'Tentando…' : 'Tentar novamente'}
          </Anchor>
        </p>
      )}
      {value && reports && !failed && !isInGroup(value, reports) && (
        <p role="status" className={classes.warning}>
          Este relatório não está entre os que a conexão enxerga no grupo escolhido. Você pode gravar assim
          mesmo.
        </p>
      )}
    </div>
  )
}
