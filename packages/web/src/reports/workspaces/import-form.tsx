import { ALL_OPERADORAS, type ExternalReport } from '@bi-manager/contract'
import { Box, Checkbox } from '@mantine/core'
import { useState } from 'react'
import '@mantine/core/styles/Checkbox.layer.css'
import { matchesSearch } from '../../lib/text/search-text.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import { SearchField } from '../../ui/page-search/search-field.tsx'
import shared from '../../ui/shared.module.css'
import {
  faultsOf,
  type ImportLine,
  type ImportLines,
  importOf,
  isOpen,
  lineOf,
  tickedOf,
  withAllTicked,
} from './import-draft.ts'
import { CommonOperadora, ImportFooter } from './import-form-parts.tsx'
import { ImportLineFields } from './import-line.tsx'
import classes from './import-reports.module.css'

interface ImportFormProps {
  reports: ExternalReport[]
  error: unknown
  isSaving: boolean
  onImport: (relatorios: ReturnType<typeof importOf>) => void
  onCancel: () => void
}

/** The number of reports from which the list shows a search field. */
const SEARCH_FROM = 9

export const ImportForm = ({ reports, error, isSaving, onImport, onCancel }: ImportFormProps) => {
  const [lines, setLines] = useState<ImportLines>({})
  const [operadora, setOperadora] = useState(ALL_OPERADORAS)
  const [search, setSearch] = useState('')
  const [submitted, setSubmitted] = useState(false)
  /** Ids of the reports of the last request; the server's errors refer to them by index. */
  const [sent, setSent] = useState<string[]>([])
  const shown = reports.filter(({ nome }) => matchesSearch(nome, search))
  const open = shown.filter(isOpen)
  const ticked = tickedOf(reports, lines)
  const draft = importOf(ticked, lines, operadora)
  const faults = submitted ? faultsOf(draft, sent, error) : {}
  const isNoneTicked = submitted && ticked.length === 0
  const tickedShown = tickedOf(shown, lines).length

  const change = (report: ExternalReport, changed: Partial<ImportLine>) =>
    setLines((before) => ({ ...before, [report.reportId]: { ...lineOf(before, report), ...changed } }))

  const handleSubmit = () => {
    setSubmitted(true)
    const missing = draft.some((line) => !line.nomeRelatorio)
    if (ticked.length === 0 || missing) return
    setSent(draft.map(({ reportId }) => reportId))
    onImport(draft)
  }

  return (
    <Form onSubmit={handleSubmit} className={shared.stackLg}>
      <CommonOperadora value={operadora} onChange={setOperadora} />
      {reports.length >= SEARCH_FROM && (
        <SearchField label="Buscar relatório do grupo" value={search} onChange={setSearch} />
      )}
      <fieldset className={classes.reports}>
        <Box component="legend" mb="0.5rem" fw={600}>
          Relatórios do grupo
        </Box>
        {open.length > 0 && (
          <div className={classes.all}>
            <Checkbox
              label="Marcar todos"
              checked={tickedShown === open.length}
              indeterminate={tickedShown > 0 && tickedShown < open.length}
              onChange={(event) => setLines(withAllTicked(lines, shown, event.currentTarget.checked))}
            />
          </div>
        )}
        {shown.length === 0 && <p className={shared.note}>Desculpe! Sem resultados para essa pesquisa.</p>}
        {shown.map((report) => (
          <ImportLineFields
            key={report.reportId}
            report={report}
            line={lineOf(lines, report)}
            usual={operadora}
            faults={faults[report.reportId]}
            onChange={(changed) => change(report, changed)}
          />
        ))}
      </fieldset>
      <ErrorAlert error={submitted && error} />
      <ImportFooter
        ticked={ticked.length}
        isNoneTicked={isNoneTicked}
        isSaving={isSaving}
        back={{ label: 'Cancelar', onClick: onCancel }}
      />
    </Form>
  )
}
