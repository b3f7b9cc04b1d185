import { reportPath } from '@bi-manager/contract'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { UseReportTools } from './report-tools.ts'
import { ReportViewer } from './report-viewer.tsx'

interface BoundReportProps {
  report: { groupId: string; reportId: string; idRelatorio: number; nomeRelatorio: string; nomeGrupo: string }
  label: string
  heading: ReactNode
  actions?: ReactNode
  /** True when the report fills the window and keeps its page and filters in the URL. */
  isWholePage?: boolean
  useTools: UseReportTools
}

/** A report on a page other than the viewer's. */
export const BoundReport = (props: BoundReportProps) => {
  const { report, label, heading, actions, isWholePage = false, useTools } = props
  const inAddress = useSearchParams()
  const inMemory = useState(() => new URLSearchParams())
  const { groupId, reportId, idRelatorio, nomeRelatorio, nomeGrupo } = report
  // Used by 'Copiar link': the URL of a page with other content does not identify the report.
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
    // Page and filters are kept in memory here, so they are added to the report's own URL.
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
      useTools={useTools}
    />
  )
}
