import { reportPath } from '@bi-manager/contract'
import { Anchor, Skeleton } from '@mantine/core'
import { IconChevronLeft, IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ActionButton } from '../../ui/action-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import shared from '../../ui/shared.module.css'
import { DataSection } from './data-section.tsx'
import { publishedQuery } from './published-queries.ts'
import { ScheduleSection } from './schedule-section.tsx'
import { VersionsSection } from './versions-section.tsx'

/** One published report, with its versions. */
export const PublishedReportPage = ({ reportId }: { reportId: string }) => {
  const { data: reports, error, isFetching, refetch } = useQuery(publishedQuery)
  const report = reports?.find((one) => one.reportId.toLowerCase() === reportId.toLowerCase())
  const back = (
    <Anchor component={Link} to="/publicados" size="sm" className={shared.backLink}>
      <IconChevronLeft size={16} aria-hidden />
      Relatórios publicados
    </Anchor>
  )
  if (!report)
    return (
      <AdminPage title="Relatório publicado" above={back}>
        {reports ? (
          <p>Este relatório não está mais no serviço local.</p>
        ) : error ? (
          <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
        ) : (
          <div role="status" aria-label="Carregando o relatório">
            <Skeleton height={170} radius="lg" />
          </div>
        )}
      </AdminPage>
    )
  const { nome, workspace, idRelatorio } = report
  const address = reportPath({
    workspace: workspace.nome,
    relatorio: nome,
    groupId: workspace.idGrupo,
    reportId: report.reportId,
  })
  return (
    <AdminPage
      title={nome}
      above={back}
      lead={`No workspace ${workspace.nome}`}
      actions={
        idRelatorio !== null && <ActionButton icon={IconExternalLink} label="Abrir relatório" to={address} />
      }
    >
      <DataSection report={report} />
      <ScheduleSection report={report} />
      <VersionsSection report={report} />
    </AdminPage>
  )
}
