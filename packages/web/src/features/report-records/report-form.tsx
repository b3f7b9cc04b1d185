import {
  labelsOf,
  OPERADORAS,
  type Report,
  type ReportDraft,
  reportEntity,
  reportRecordsApi,
} from '@bi-manager/contract'
import { Autocomplete, TagsInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { RecordForm } from '../../ui/record-form/record-form.tsx'
import { RecordPage, useRecordId } from '../../ui/record-form/record-page.tsx'
import { useRecordForm } from '../../ui/record-form/use-record-form.ts'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import { FilterField } from './filter-field.tsx'
import { LogoSection } from './logo-section.tsx'
import { NewReportLogo } from './new-report-logo.tsx'
import { PerformanceSection } from './performance-section.tsx'
import { ReportField } from './report-field.tsx'
import './report-form-mantine.css'
import { ReportLinks } from './report-links.tsx'
import { nameOffered } from './report-options.ts'
import { getReport, groupsKey, reportsKey, searchGroups } from './report-records-queries.ts'
import { RolesNotice } from './roles-notice.tsx'
import { useOwnVersion } from './use-own-version.ts'

const labels = labelsOf(reportEntity)

interface ReportValues {
  reportId: SelectOption<string> | null
  nomeRelatorio: string
  operadoraRelatorio: string
  filtro: string
  idGrupoRelatorio: SelectOption | null
  papeisRls: string[]
}

export const ReportFormPage = () => (
  <RecordPage
    id={useRecordId('report')}
    queryKey={reportsKey}
    load={getReport}
    title="Editar relatório"
    notFound="Relatório não encontrado"
    listPath="/relatorio"
    fields={6}
  >
    {(report) => <ReportForm report={report} />}
  </RecordPage>
)

const ReportForm = ({ report }: { report: Report | undefined }) => {
  const queryClient = useQueryClient()
  const ownVersion = useOwnVersion()
  const form = useRecordForm({
    record: report,
    valuesOf,
    required: ['reportId', 'nomeRelatorio', 'operadoraRelatorio', 'idGrupoRelatorio'],
    requiredMs: 4_000,
    save: (values, base) =>
      base
        ? call(
            reportRecordsApi.update,
            { params: { id: base.idRelatorio }, body: draftOf(values) },
            { ifMatch: ownVersion.of(base) },
          )
        : call(reportRecordsApi.create, { body: draftOf(values) }),
    reload: ({ idRelatorio }) => getReport(idRelatorio),
    onSaved: () => refreshAfter(queryClient, reportEntity),
  })
  const { base, values } = form

  const chooseReport = (chosen: SelectOption<string> | null) => {
    form.set('reportId', chosen)
    const name = nameOffered(chosen)
    if (name && !values.nomeRelatorio.trim()) form.set('nomeRelatorio', name)
  }

  return (
    <RecordForm
      form={form}
      title={base ? 'Editar relatório' : 'Cadastrar relatório'}
      section="Relatórios"
      lead={
        base ? <ReportLinks report={base} /> : 'Um relatório do Power Bi, com o nome que aparece no menu.'
      }
      listPath="/relatorio"
      registerPath="/RegisterworkspaceRelatorios"
      texts={{ created: 'Relatório cadastrado!', updated: 'Relatório editado!' }}
      afterSave={(saved, isNew) => isNew && <NewReportLogo report={saved} />}
      below={
        base && (
          <>
            <LogoSection key={base.idRelatorio} report={base} onChanged={ownVersion.note(base)} />
            <PerformanceSection idRelatorio={base.idRelatorio} />
          </>
        )
      }
    >
      <ReportField
        idGrupoRelatorio={values.idGrupoRelatorio?.value}
        {...form.field('reportId')}
        onChange={chooseReport}
      />
      <TextInput
        label={labels.nomeRelatorio}
        placeholder="O nome que aparece no menu"
        maxLength={160}
        {...form.text('nomeRelatorio')}
      />
      <Autocomplete
        label={labels.operadoraRelatorio}
        placeholder="Escolha ou digite"
        data={[...OPERADORAS]}
        maxDropdownHeight={300}
        maxLength={80}
        {...form.field('operadoraRelatorio')}
      />
      <FilterField {...form.text('filtro')} />
      <SearchSelect
        label={labels.idGrupoRelatorio}
        placeholder="Pesquise pelo nome"
        queryKey={[...groupsKey, 'grupos']}
        search={searchGroups}
        {...form.field('idGrupoRelatorio')}
      />
      <div>
        <TagsInput
          label="Papéis de segurança (RLS)"
          description="Só para modelos com segurança por linha: cada pessoa vê apenas as próprias linhas, nestes papéis. Enter acrescenta um papel."
          placeholder={values.papeisRls.length === 0 ? 'Nome do papel no modelo' : ''}
          maxTags={50}
          maxLength={100}
          {...form.field('papeisRls')}
        />
        {base && values.papeisRls.length === 0 && <RolesNotice idRelatorio={base.idRelatorio} />}
      </div>
    </RecordForm>
  )
}

const valuesOf = (report: Report | undefined): ReportValues => ({
  reportId: report ? { value: report.reportId, label: report.reportId } : null,
  nomeRelatorio: report?.nomeRelatorio ?? '',
  operadoraRelatorio: report?.operadoraRelatorio ?? '',
  filtro: report?.filtro ?? '',
  idGrupoRelatorio: report ? { value: report.idGrupoRelatorio, label: report.nomeGrupo } : null,
  papeisRls: report?.papeisRls ?? [],
})

/** Returns the request body; the form is sent only when all required fields are filled. */
const draftOf = ({ reportId, idGrupoRelatorio, ...values }: ReportValues): ReportDraft => ({
  ...values,
  reportId: reportId?.value ?? '',
  idGrupoRelatorio: idGrupoRelatorio?.value ?? 0,
})
