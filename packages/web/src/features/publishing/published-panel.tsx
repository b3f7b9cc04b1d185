import type { Report } from '@bi-manager/contract'
import { IconCircleCheck, IconExternalLink } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { reportPath } from '../../lib/navigation/report-path.ts'
import { counted } from '../../lib/text/counted.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import shared from '../../ui/shared.module.css'

export interface PublishedReport {
  report: Report
  workspace: { nome: string; idGrupo: string }
}

interface PublishedPanelProps {
  /** None when only data was published. */
  reports: PublishedReport[]
  /** How many people were granted the reports. */
  people: number
}

/** What was published, and where to go on. */
export const PublishedPanel = ({ reports, people }: PublishedPanelProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className={`${shared.panel} ${shared.stackSm}`} aria-labelledby="publicado">
      <h2 id="publicado" ref={heading} tabIndex={-1} className={`${shared.row} ${shared.subheading}`}>
        <IconCircleCheck size={22} aria-hidden className={shared.accent} />
        {titleOf(reports.length)}
      </h2>
      {reports.map((published) => (
        <PublishedReportRow key={published.report.idRelatorio} {...published} people={people} />
      ))}
    </section>
  )
}

const titleOf = (reports: number): string => {
  if (reports === 0) return 'Dados publicados!'
  return reports === 1 ? 'Relatório publicado!' : `${reports} relatórios publicados!`
}

const PublishedReportRow = ({ report, workspace, people }: PublishedReport & { people: number }) => {
  const { nomeRelatorio, idRelatorio, reportId } = report
  const address = reportPath({
    workspace: workspace.nome,
    relatorio: nomeRelatorio,
    groupId: workspace.idGrupo,
    reportId,
  })
  return (
    <>
      <p className={shared.breakable}>
        “{nomeRelatorio}” está no workspace {workspace.nome}, e{' '}
        {people === 0
          ? 'só administradores o veem por enquanto'
          : `${counted(people, 'pessoa pode', 'pessoas podem')} abri-lo`}
        .
      </p>
      <div className={shared.buttons}>
        <ActionButton isMain icon={IconExternalLink} label="Abrir relatório" to={address} />
        <ActionButton label="Editar cadastro" to={`/RegisterworkspaceRelatorios/${idRelatorio}`} />
      </div>
    </>
  )
}
