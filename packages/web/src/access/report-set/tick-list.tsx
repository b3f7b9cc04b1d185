import { Button, Checkbox } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import type { ReactNode } from 'react'
import { useLimitedList } from '../../lib/lists/use-first.ts'
import shared from '../../ui/shared.module.css'
import classes from './report-set.module.css'
import { isTicked, type ReportRef, type Ticks } from './ticks.ts'

export interface TickListProps {
  /** The list's name for screen readers. */
  label: string
  reports: readonly ReportRef[]
  ticks: Ticks
  onTick: (reports: readonly ReportRef[], isTicked: boolean) => void
  /** Shown next to each report, such as why it is visible. */
  hint?: ((report: ReportRef) => ReactNode) | undefined
  /** The workspace shown under each name, for lists that span several. */
  workspaceOf?: ((report: ReportRef) => string | undefined) | undefined
  /** Adds a first line that ticks all of them. */
  offersAll?: boolean
}

/** Number of boxes rendered at first; a workspace may have thousands. */
const ROWS = 100

/** Renders a checkbox for each report. */
export const TickList = (props: TickListProps) => {
  const { label, reports, ticks, onTick, hint, workspaceOf, offersAll = false } = props
  const { shown, hidden, showMore } = useLimitedList(reports, ROWS)
  const count = reports.filter(({ idRelatorio }) => isTicked(ticks, idRelatorio)).length
  return (
    <>
      {offersAll && reports.length > 1 && (
        <Checkbox
          className={classes.all}
          label={`Marcar todos (${reports.length.toLocaleString('pt-BR')})`}
          aria-label={`Marcar todos de ${label}`}
          checked={count === reports.length}
          indeterminate={count > 0 && count < reports.length}
          onChange={(event) => onTick(reports, event.currentTarget.checked)}
        />
      )}
      <ul className={shared.divided} aria-label={label}>
        {shown.map((report) => {
          const workspace = workspaceOf?.(report)
          return (
            <li key={report.idRelatorio} className={classes.row}>
              <Checkbox
                className={shared.breakable}
                label={
                  <>
                    {report.nomeRelatorio}
                    {workspace && <span className={shared.detail}>{workspace}</span>}
                  </>
                }
                checked={isTicked(ticks, report.idRelatorio)}
                onChange={(event) => onTick([report], event.currentTarget.checked)}
              />
              {ticks.marks.has(report.idRelatorio) && (
                <span className={`${shared.tag} ${classes.mark}`}>
                  {isTicked(ticks, report.idRelatorio) ? 'entra ao salvar' : 'sai ao salvar'}
                </span>
              )}
              {hint?.(report)}
            </li>
          )
        })}
      </ul>
      {hidden > 0 && (
        <Button variant="subtle" size="sm" onClick={showMore}>
          Mostrar mais {hidden.toLocaleString('pt-BR')}
        </Button>
      )}
    </>
  )
}
