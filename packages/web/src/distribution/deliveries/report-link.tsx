import { reportPath, SUBSCRIPTION, type SubscribedReport } from '@bi-manager/contract'
import { Anchor } from '@mantine/core'
import { Link } from 'react-router'

interface ReportLinkProps {
  /** Null: the viewer may not see it any more. */
  report: (Omit<SubscribedReport, 'tipoRelatorio'> & { endereco?: string }) | null
  /** The subscription whose filters the viewer applies. */
  assinatura?: number | undefined
}

/** A link to a report, with the page and the filters of its `endereco` or of a subscription. */
export const ReportLink = ({ report, assinatura }: ReportLinkProps) =>
  report ? (
    <Anchor component={Link} to={pathOf(report, assinatura)} size="xs">
      {report.nomeRelatorio}
    </Anchor>
  ) : (
    'Um relatório que você não pode mais ver'
  )

const pathOf = (
  { endereco, ...report }: NonNullable<ReportLinkProps['report']>,
  assinatura: number | undefined,
): string => {
  const { nomeRelatorio: relatorio, idGrupo: groupId, reportId, idRelatorio } = report
  // The ids determine the address: the workspace's name is not known here.
  const path = reportPath({ workspace: 'relatorio', relatorio, groupId, reportId, idRelatorio })
  if (assinatura !== undefined) return `${path}&${SUBSCRIPTION}=${assinatura}`
  return endereco === undefined ? path : `${path.split('?')[0]}?${endereco}`
}
