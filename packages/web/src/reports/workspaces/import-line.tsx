import { ALL_OPERADORAS, type ExternalReport, MAX_REPORT_NAME } from '@bi-manager/contract'
import { Checkbox, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { OperadoraInput } from '../../ui/fields/operadora-input.tsx'
import shared from '../../ui/shared.module.css'
import { hasLongName, type ImportLine, isOpen } from './import-draft.ts'
import classes from './import-reports.module.css'

interface ImportLineFieldsProps {
  report: ExternalReport
  line: ImportLine
  /** 'Operadora para todos'. */
  usual: string
  faults: Partial<Record<string, string>> | undefined
  onChange: (changed: Partial<ImportLine>) => void
}

/** A report at the provider: a checkbox, its fields when ticked, or why it cannot be imported. */
export const ImportLineFields = ({ report, line, usual, faults, onChange }: ImportLineFieldsProps) => {
  const isTicked = isOpen(report) && line.isTicked
  const length = report.nome.length.toLocaleString('pt-BR')
  return (
    <div className={classes.report}>
      <div className={`${shared.row} ${classes.line}`}>
        <Checkbox
          label={report.nome}
          description={report.jaCadastrado ? undefined : report.impedimento}
          checked={isTicked}
          disabled={!isOpen(report)}
          onChange={(event) => onChange({ isTicked: event.currentTarget.checked })}
        />
        {report.tipo === 'PAGINADO' && <span className={shared.tag}>paginado</span>}
        <Mark report={report} />
      </div>
      {isTicked && (
        <div className={classes.fields}>
          <TextInput
            label="Nome"
            aria-label={`Nome de ${report.nome}`}
            description={
              hasLongName(report)
                ? `O nome original tem ${length} caracteres, e o portal aceita ${MAX_REPORT_NAME}: confira o nome encurtado.`
                : undefined
            }
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={MAX_REPORT_NAME}
            value={line.nomeRelatorio}
            error={faults?.nomeRelatorio ?? faults?.reportId}
            onChange={(event) => onChange({ nomeRelatorio: event.currentTarget.value })}
          />
          <OperadoraInput
            label="Operadora"
            aria-label={`Operadora de ${report.nome}`}
            placeholder={usual || ALL_OPERADORAS}
            value={line.operadoraRelatorio}
            error={faults?.operadoraRelatorio}
            onChange={(operadoraRelatorio) => onChange({ operadoraRelatorio })}
          />
        </div>
      )}
    </div>
  )
}

const Mark = ({ report }: { report: ExternalReport }) => {
  if (report.jaCadastrado) return <span className={shared.tag}>já cadastrado</span>
  return isOpen(report) && hasLongName(report) ? <span className={shared.tag}>nome longo</span> : null
}
