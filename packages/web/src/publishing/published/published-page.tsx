import type { PublishedReport } from '@bi-manager/contract'
import { Anchor, Skeleton } from '@mantine/core'
import { IconFileUpload, IconSearchOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { counted } from '../../lib/text/counted.ts'
import { matchesSearch } from '../../lib/text/search-text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { SearchField } from '../../ui/page-search/search-field.tsx'
import shared from '../../ui/shared.module.css'
import classes from './published.module.css'
import { publishedQuery } from './published-queries.ts'
import { PublishedReportPage } from './published-report-page.tsx'
import { versionFacts } from './version-texts.ts'

/** '/publicados': the reports of the local service, or one of them with its versions. */
export const PublishedPage = () => {
  const { reportId } = useParams()
  return reportId ? <PublishedReportPage key={reportId} reportId={reportId} /> : <PublishedReports />
}

const PublishedReports = () => {
  const { data: reports, error, isFetching, refetch } = useQuery(publishedQuery)
  const [search, setSearch] = useState('')
  const shown = reports?.filter(({ nome, workspace }) => matchesSearch(`${nome} ${workspace.nome}`, search))
  return (
    <AdminPage
      title="Relatórios publicados"
      lead={
        reports
          ? counted(reports.length, 'relatório no serviço local', 'relatórios no serviço local')
          : 'Versões e dados dos relatórios do serviço local.'
      }
      actions={<ActionButton isMain icon={IconFileUpload} label="Publicar relatório" to="/publicar" />}
    >
      <section className={`${shared.panel} ${shared.stackSm}`} aria-label="Relatórios publicados">
        {shown ? (
          <>
            <SearchField
              label="Buscar relatório ou workspace"
              value={search}
              onChange={setSearch}
              isClearable
              className={classes.search ?? ''}
            />
            {shown.length > 0 ? (
              <ul className={shared.divided}>
                {shown.map((report) => (
                  <ReportRow key={report.reportId} report={report} />
                ))}
              </ul>
            ) : (
              <InlineMessage icon={IconSearchOff}>
                {reports?.length
                  ? 'Nenhum relatório com este nome.'
                  : 'Nenhum relatório foi publicado ainda.'}
              </InlineMessage>
            )}
          </>
        ) : error ? (
          <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
        ) : (
          <div role="status" aria-label="Carregando os relatórios publicados">
            <Skeleton height={170} radius="lg" />
          </div>
        )}
      </section>
    </AdminPage>
  )
}

const ReportRow = ({ report: { reportId, nome, workspace, ultima } }: { report: PublishedReport }) => (
  <li className={classes.row}>
    <div className={shared.breakable}>
      <Anchor component={Link} to={`/publicados/${reportId}`} className={classes.name}>
        {nome}
      </Anchor>
      <span className={shared.detail}>{workspace.nome}</span>
    </div>
    <div className={shared.breakable}>
      {ultima ? (
        <>
          {ultima.mudancas.join('; ')}
          <span className={shared.detail}>
            Versão {ultima.numero}, {versionFacts(ultima)}
          </span>
        </>
      ) : (
        <span className={shared.note}>A primeira versão é guardada na próxima publicação.</span>
      )}
    </div>
  </li>
)
