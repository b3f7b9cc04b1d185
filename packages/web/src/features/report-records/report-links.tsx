import type { Report } from '@bi-manager/contract'
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { reportPath } from '../../lib/navigation/report-path.ts'
import { groupQuery } from './report-records-queries.ts'

/** The report's name with links to the report and to who can view it. */
export const ReportLinks = ({ report }: { report: Report }) => {
  const { idRelatorio, nomeRelatorio, nomeGrupo, reportId } = report
  const { data: group } = useQuery(groupQuery(report.idGrupoRelatorio))
  return (
    <>
      {nomeRelatorio}
      {group && (
        <>
          {' · '}
          <Anchor
            component={Link}
            underline="always"
            to={reportPath({
              workspace: nomeGrupo,
              relatorio: nomeRelatorio,
              groupId: group.idGrupo,
              reportId,
              idRelatorio,
            })}
          >
            Abrir relatório
          </Anchor>
        </>
      )}
      {' · '}
      <Anchor component={Link} underline="always" to={`/permissoes/porque?relatorio=${idRelatorio}`}>
        Quem pode ver
      </Anchor>
    </>
  )
}
