import type { ExternalGroup } from '@bi-manager/contract'
import { Checkbox } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useId, useState } from 'react'
import '@mantine/core/styles/Checkbox.layer.css'
import { messageOf } from '../../lib/api/api.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Form } from '../../ui/form.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
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
import type { ReadGroup } from './import-groups.ts'
import { ImportLineFields } from './import-line.tsx'
import classes from './import-reports.module.css'
import { StepHeading } from './step-heading.tsx'
import type { useGroupsReports } from './use-groups-reports.ts'

type GroupAnswer = ReturnType<typeof useGroupsReports>[number]

/** The person's input, which outlives a failed import. */
export interface ImportInput {
  lines: ImportLines
  operadora: string
}

interface ImportGroupsFormProps {
  answers: GroupAnswer[]
  input: ImportInput
  onChange: (changed: Partial<ImportInput>) => void
  isSaving: boolean
  onImport: (groups: ReadGroup[]) => void
  onBack: () => void
}

/** The second step of an import: the reports of the chosen groups, or why one cannot be read. */
export const ImportGroupsForm = (props: ImportGroupsFormProps) => {
  const { answers, input, onChange, isSaving, onImport, onBack } = props
  const { lines, operadora } = input
  const [submitted, setSubmitted] = useState(false)
  const read = answers.flatMap(({ group, result }) => (result?.data ? [{ group, reports: result.data }] : []))
  const reports = read.flatMap(({ reports }) => reports)
  const ticked = tickedOf(reports, lines)
  const draft = importOf(ticked, lines, operadora)
  const faults = submitted ? faultsOf(draft, [], undefined) : {}
  const isNoneTicked = submitted && ticked.length === 0
  const isReading = answers.some(({ result }) => result?.isPending)

  const handleSubmit = () => {
    setSubmitted(true)
    const missing = draft.some((line) => !line.nomeRelatorio)
    if (ticked.length > 0 && !missing) onImport(read)
  }

  return (
    <Form onSubmit={handleSubmit} className={shared.stackLg}>
      <StepHeading>2. Escolha os relatórios</StepHeading>
      <CommonOperadora value={operadora} onChange={(text) => onChange({ operadora: text })} />
      {answers.map((answer) => (
        <GroupSection
          key={answer.group.idGrupo}
          answer={answer}
          lines={lines}
          usual={operadora}
          faults={faults}
          onChange={(changed) => onChange({ lines: changed })}
        />
      ))}
      <ImportFooter
        ticked={ticked.length}
        isNoneTicked={isNoneTicked}
        progress={isReading && 'Lendo os relatórios dos grupos…'}
        isSaving={isSaving}
        back={{ label: 'Voltar', onClick: onBack }}
      />
    </Form>
  )
}

interface GroupSectionProps {
  answer: GroupAnswer
  lines: ImportLines
  usual: string
  faults: ReturnType<typeof faultsOf>
  onChange: (lines: ImportLines) => void
}

const GroupSection = ({ answer: { group, result }, lines, usual, faults, onChange }: GroupSectionProps) => {
  const headingId = useId()
  const reports = result?.data ?? []
  const open = reports.filter(isOpen)
  const tickedCount = tickedOf(reports, lines).length
  return (
    <section aria-labelledby={headingId}>
      <div className={`${shared.row} ${classes.line} ${classes.group}`}>
        <h4 id={headingId} className={shared.subheading}>
          {group.nomeGrupo}
        </h4>
        {group.idGrupoRelatorio !== null && <span className={shared.tag}>já cadastrado</span>}
      </div>
      {result?.error && !result.data ? (
        <Unread
          group={group}
          reason={messageOf(result.error)}
          isFetching={result.isFetching}
          onRetry={() => void result.refetch()}
        />
      ) : !result?.data ? (
        <SkeletonLines label={`Carregando os relatórios de ${group.nomeGrupo}`} />
      ) : reports.length === 0 ? (
        <p className={shared.note}>A conexão não enxerga nenhum relatório neste grupo.</p>
      ) : (
        <>
          {open.length > 1 && (
            <div className={classes.all}>
              <Checkbox
                label="Marcar todos"
                aria-label={`Marcar todos de ${group.nomeGrupo}`}
                checked={tickedCount === open.length}
                indeterminate={tickedCount > 0 && tickedCount < open.length}
                onChange={(event) => onChange(withAllTicked(lines, reports, event.currentTarget.checked))}
              />
            </div>
          )}
          {reports.map((report) => (
            <ImportLineFields
              key={report.reportId}
              report={report}
              line={lineOf(lines, report)}
              usual={usual}
              faults={faults[report.reportId]}
              onChange={(changed: Partial<ImportLine>) =>
                onChange({ ...lines, [report.reportId]: { ...lineOf(lines, report), ...changed } })
              }
            />
          ))}
        </>
      )}
    </section>
  )
}

interface UnreadProps {
  group: ExternalGroup
  reason: string
  isFetching: boolean
  onRetry: () => void
}

const Unread = ({ group, reason, isFetching, onRetry }: UnreadProps) => (
  <div className={classes.unread}>
    <IconAlertTriangle size={20} stroke={1.7} aria-hidden className={classes.unreadIcon} />
    <p role="alert">{reason}</p>
    <ActionButton
      label="Tentar novamente"
      aria-label={`Tentar novamente: ${group.nomeGrupo}`}
      size="xs"
      loading={isFetching}
      onClick={onRetry}
    />
  </div>
)
