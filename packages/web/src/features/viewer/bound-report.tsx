import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { reportPath } from '../../lib/report-path.ts'
import { ReportViewer } from './report-viewer.tsx'

interface BoundReportProps {
  report: { groupId: string; reportId: string; idRelatorio: number; nomeRelatorio: string; nomeGrupo: string }
  label: string
  heading: ReactNode
  actions?: ReactNode
  /** The report is the page: it fills the window and keeps its own page and filters in the address. */
  isWholePage?: boolean
}

/** A report inside another page than the viewer's own. */
const BoundReport = ({ report, label, heading, actions, isWholePage = false }: BoundReportProps) => {
  const inAddress = useSearchParams()
  const inMemory = useState(() => new URLSearchParams())
  const { groupId, reportId, idRelatorio, nomeRelatorio, nomeGrupo } = report
  // The address of a page with other things on it would not show the report that was meant.
  const ownAddress = reportPath({
    workspace: nomeGrupo,
    relatorio: nomeRelatorio,
    groupId,
    reportId,
    idRelatorio,
  })
  const memory = isWholePage ? inAddress : inMemory
  const copied = () => {
    const link = new URL(isWholePage ? window.location.href : ownAddress, window.location.href)
    // Page and filters of a report in memory go into its own address.
    if (!isWholePage) for (const [name, value] of memory[0]) link.searchParams.set(name, value)
    return link.href
  }
  return (
    <ReportViewer
      report={{ groupId, reportId, idRelatorio }}
      memory={memory}
      label={label}
      heading={() => heading}
      actions={actions}
      fills={isWholePage}
      link={copied}
    />
  )
}

export default BoundReport
