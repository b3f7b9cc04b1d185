import './report-form-mantine.css'
import {
  fittingLine,
  labelsOf,
  MAX_REPORT_NAME,
  type Report,
  type ReportType,
  reportEntity,
  reportPath,
  reportRegistrationsApi,
} from '@bi-manager/contract'
import { Anchor, Switch, TagsInput, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { readEntity } from '../../lib/api/entities.ts'
import { groupReportsQuery, workspaceQuery } from '../../lib/api/entity-queries.ts'
import { reportsKey, workspacesKey } from '../../lib/api/query-keys.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { EntityForm } from '../../ui/entity-form/entity-form.tsx'
import { EntityPage, useEntityId } from '../../ui/entity-form/entity-page.tsx'
import { useEntityForm } from '../../ui/entity-form/use-entity-form.ts'
import { OperadoraInput } from '../../ui/fields/operadora-input.tsx'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import { AdvancedFields } from './advanced-fields.tsx'
import { DataSection } from './data/data-section.tsx'
import { FilterField } from './filter-field.tsx'
import { LogoSection, NewReportLogo } from './logo-section.tsx'
import { PanelFiltersField } from './panel-filters/panel-filters-field.tsx'
import { panelText, type TypedPanel } from './panel-filters/panel-values.ts'
import { ParametersFields } from './parameters-fields.tsx'
import { PerformanceSection } from './performance/performance-section.tsx'
import { searchWorkspaces } from './registrations-queries.ts'
import { ReportField } from './report-field.tsx'
import { draftOf, type ReportValues, valuesOf } from './report-values.ts'
import { RolesNotice } from './roles-notice.tsx'
import { useOwnVersion } from './use-own-version.ts'

const labels = labelsOf(reportEntity)

export const ReportFormPage = () => (
  <EntityPage
    id={useEntityId('report', 'idRelatorio')}
    queryKey={reportsKey}
    endpoint={reportRegistrationsApi.get}
    title="Editar relatório"
    notFound="Relatório não encontrado"
    listPath="/relatorio"
    fields={6}
  >
    {(report) => <ReportForm report={report} />}
  </EntityPage>
)

const ReportForm = ({ report }: { report: Report | undefined }) => {
  const queryClient = useQueryClient()
  const ownVersion = useOwnVersion()
  const form = useEntityForm({
    entity: report,
    valuesOf,
    required: ['reportId', 'nomeRelatorio', 'operadoraRelatorio', 'idGrupoRelatorio'],
    save: (values, base): Promise<Report> =>
      base
        ? call(
            reportRegistrationsApi.update,
            { params: { id: base.idRelatorio }, body: draftOf(values, typeOf(values, base)) },
            { ifMatch: ownVersion.of(base) },
          )
        : call(reportRegistrationsApi.create, { body: draftOf(values, typeOf(values, base)) }),
    reload: ({ idRelatorio }) => readEntity(reportRegistrationsApi.get, idRelatorio),
    onSaved: () => refreshAfter(queryClient, reportEntity),
  })
  const { base, values } = form
  const listedType = useReportType(values.idGrupoRelatorio?.value, values.reportId?.value)
  function typeOf(of: ReportValues, entity: Report | undefined): ReportType {
    const isSameReport = entity?.reportId === of.reportId?.value
    return listedType ?? (isSameReport ? entity?.tipoRelatorio : undefined) ?? 'INTERATIVO'
  }
  const isPaginated = typeOf(values, base) === 'PAGINADO'

  const chooseReport = (chosen: SelectOption<string> | null) => {
    form.set('reportId', chosen)
    // A report chosen by name prefills an empty name.
    if (chosen && chosen.label !== chosen.value && !values.nomeRelatorio.trim())
      form.set('nomeRelatorio', fittingLine(chosen.label, MAX_REPORT_NAME))
  }

  return (
    <EntityForm
      form={form}
      title={base ? 'Editar relatório' : 'Cadastrar relatório'}
      section="Relatórios"
      lead={
        base ? <ReportLinks report={base} /> : 'Um relatório do Power Bi, com o nome que aparece no menu.'
      }
      listPath="/relatorio"
      registerPath="/RegisterworkspaceRelatorios"
      display={{ filtrosPainel: (panel) => panelText(panel as TypedPanel) }}
      texts={{ created: 'Relatório cadastrado!', updated: 'Relatório editado!' }}
      afterSave={(saved, isNew) => isNew && <NewReportLogo report={saved} />}
      below={
        base && (
          <>
            <LogoSection key={base.idRelatorio} report={base} onChanged={ownVersion.note(base)} />
            {base.tipoRelatorio === 'INTERATIVO' && (
              <>
                <DataSection idRelatorio={base.idRelatorio} />
                <PerformanceSection idRelatorio={base.idRelatorio} />
              </>
            )}
          </>
        )
      }
    >
      <SearchSelect
        label={labels.idGrupoRelatorio}
        placeholder="Pesquise pelo nome"
        queryKey={[...workspacesKey, 'grupos']}
        search={searchWorkspaces}
        {...form.field('idGrupoRelatorio')}
      />
      <div>
        <ReportField
          idGrupoRelatorio={values.idGrupoRelatorio?.value}
          {...form.field('reportId')}
          onChange={chooseReport}
        />
        {isPaginated && (
          <Text role="status" fz="xs" c="dimmed" mt={4}>
            Relatório paginado: tem parâmetros em vez de filtro, páginas e visões salvas.
          </Text>
        )}
      </div>
      <TextInput
        label={labels.nomeRelatorio}
        placeholder="O nome que aparece no menu"
        maxLength={160}
        {...form.text('nomeRelatorio')}
      />
      <OperadoraInput label={labels.operadoraRelatorio} {...form.field('operadoraRelatorio')} />
      {isPaginated ? (
        <ParametersFields parameters={form.field('parametros')} panel={form.check('painelParametros')} />
      ) : (
        <FilterField {...form.text('filtro')} />
      )}
      <div>
        <TagsInput
          label="Papéis de segurança (RLS)"
          description="Só para modelos com segurança por linha: cada pessoa vê apenas as próprias linhas, nestes papéis. Enter acrescenta um papel."
          placeholder={values.papeisRls.length === 0 ? 'Nome do papel no modelo' : ''}
          maxTags={50}
          maxLength={100}
          {...form.field('papeisRls')}
        />
        {base && values.papeisRls.length === 0 && (
          <RolesNotice idRelatorio={base.idRelatorio} sendsIdentity={values.enviaIdentidade} />
        )}
      </div>
      {!isPaginated && <PanelFiltersField {...form.field('filtrosPainel')} errors={form.errors} />}
      <Switch
        label={labels.sensivel}
        description="Os e-mails de assinaturas e de alertas levam só um link, sem dados nem filtros. O relatório não aparece em telões nem para convidados."
        {...form.check('sensivel')}
      />
      <Switch
        label={labels.comentarios}
        description="Quem vê o relatório comenta nele e lê os comentários dos outros."
        {...form.check('comentarios')}
      />
      <AdvancedFields
        // A new form, or a report of another type, resets the section to its initial state.
        key={`${base?.idRelatorio ?? 'novo'} ${isPaginated}`}
        form={form}
        isPaginated={isPaginated}
      />
    </EntityForm>
  )
}

/** The report's name with links to the report and to who can view it. */
const ReportLinks = ({ report }: { report: Report }) => {
  const { idRelatorio, nomeRelatorio, nomeGrupo, reportId } = report
  const { data: group } = useQuery(workspaceQuery(report.idGrupoRelatorio))
  return (
    <>
      {nomeRelatorio}
      {group && (
        <>
          {' · '}
          <Anchor
            component={Link}
            underline="always"
            to={reportPath({
              workspace: nomeGrupo,
              relatorio: nomeRelatorio,
              groupId: group.idGrupo,
              reportId,
              idRelatorio,
            })}
          >
            Abrir relatório
          </Anchor>
        </>
      )}
      {' · '}
      <Anchor component={Link} underline="always" to={`/permissoes/porque?relatorio=${idRelatorio}`}>
        Quem pode ver
      </Anchor>
      {' · '}
      <Anchor component={Link} underline="always" to={`/convidar?relatorio=${idRelatorio}`}>
        Convidar por link
      </Anchor>
    </>
  )
}

/**
 * Returns the type of a report as the provider's list of its workspace describes it; undefined when
 * the list is not read or lacks the report.
 */
const useReportType = (
  idGrupoRelatorio: number | undefined,
  reportId: string | undefined,
): ReportType | undefined => {
  const { data: group } = useQuery(workspaceQuery(idGrupoRelatorio))
  const { data: listed } = useQuery({
    ...groupReportsQuery(group ?? { idPowerBi: 0, idGrupo: '' }),
    enabled: group !== undefined && reportId !== undefined,
  })
  // Provider ids are case-insensitive.
  const found = listed?.find((report) => report.reportId.toLowerCase() === reportId?.toLowerCase())
  return found && found.tipo !== 'PAINEL' ? found.tipo : undefined
}
