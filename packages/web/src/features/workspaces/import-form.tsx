import { type ExternalReport, OPERADORAS } from '@bi-manager/contract'
import { Alert, Autocomplete, Button, Checkbox, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type SubmitEvent, useState } from 'react'
import '@mantine/core/styles/Checkbox.layer.css'
import { messageOf } from '../../lib/api/api.ts'
import { matchesSearch } from '../../lib/text/search-text.ts'
import '../../ui/search-select/search-select-mantine.css'
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
  const [operadora, setOperadora] = useState('')
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

  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    setSubmitted(true)
    const missing = draft.some((line) => !line.nomeRelatorio || !line.operadoraRelatorio)
    if (ticked.length === 0 || missing) return
    setSent(draft.map(({ reportId }) => reportId))
    onImport(draft)
  }

  return (
    <form noValidate onSubmit={handleSubmit} className={classes.form}>
      <Autocomplete
        label="Operadora para todos"
        description="Vale para os relatórios marcados que não têm outra."
        placeholder="Escolha ou digite"
        data={[...OPERADORAS]}
        maxDropdownHeight={300}
        maxLength={80}
        value={operadora}
        onChange={setOperadora}
        data-autofocus
      />
      {reports.length >= SEARCH_FROM && (
        <TextInput
          type="search"
          aria-label="Buscar relatório do grupo"
          placeholder="Buscar relatório do grupo"
          leftSection={<IconSearch size={17} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <fieldset className={classes.reports}>
        <legend className={classes.legend}>Relatórios do grupo</legend>
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
        {shown.length === 0 && <p className={classes.dimmed}>Desculpe! Sem resultados para essa pesquisa.</p>}
        {shown.map((report) => (
          <Line
            key={report.reportId}
            report={report}
            line={lineOf(lines, report)}
            usual={operadora}
            faults={faults[report.reportId]}
            onChange={(changed) => change(report, changed)}
          />
        ))}
      </fieldset>
      {submitted && !!error && (
        <Alert color="red" role="alert">
          {messageOf(error)}
        </Alert>
      )}
      <div className={classes.footer}>
        <span role="status" className={isNoneTicked ? classes.missing : classes.dimmed}>
          {isNoneTicked ? 'Marque ao menos um relatório.' : tickedText(ticked.length)}
        </span>
        <div className={shared.buttons}>
          <Button variant="default" onClick={onCancel} disabled={isSaving}>
            Cancelar
          </Button>
          <Button type="submit" loading={isSaving}>
            Importar
          </Button>
        </div>
      </div>
    </form>
  )
}

interface LineProps {
  report: ExternalReport
  line: ImportLine
  usual: string
  faults: Partial<Record<string, string>> | undefined
  onChange: (changed: Partial<ImportLine>) => void
}

const Line = ({ report, line, usual, faults, onChange }: LineProps) => {
  const isTicked = isOpen(report) && line.isTicked
  return (
    <div className={classes.report}>
      <div className={classes.line}>
        <Checkbox
          label={report.nome}
          checked={isTicked}
          disabled={!isOpen(report)}
          onChange={(event) => onChange({ isTicked: event.currentTarget.checked })}
        />
        {!isOpen(report) && <span className={classes.mark}>já cadastrado</span>}
      </div>
      {isTicked && (
        <div className={classes.fields}>
          <TextInput
            label="Nome"
            aria-label={`Nome de ${report.nome}`}
            maxLength={160}
            value={line.nomeRelatorio}
            error={faults?.nomeRelatorio ?? faults?.reportId}
            onChange={(event) => onChange({ nomeRelatorio: event.currentTarget.value })}
          />
          <Autocomplete
            label="Operadora"
            aria-label={`Operadora de ${report.nome}`}
            placeholder={usual || 'Escolha ou digite'}
            data={[...OPERADORAS]}
            maxDropdownHeight={300}
            maxLength={80}
            value={line.operadoraRelatorio}
            error={faults?.operadoraRelatorio}
            onChange={(operadoraRelatorio) => onChange({ operadoraRelatorio })}
          />
        </div>
      )}
    </div>
  )
}

const tickedText = (count: number): string =>
  count === 0
    ? 'Nenhum relatório marcado'
    : count === 1
      ? '1 relatório marcado'
      : `${count} relatórios marcados`
