import { Skeleton } from '@mantine/core'
import { IconChartHistogram } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { activityQuery } from '../../lib/api/queries.ts'
import { reportPath } from '../../lib/navigation/report-path.ts'
import { dayText, hourText, relativeTime } from '../../lib/text/relative-time.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import shared from '../../ui/shared.module.css'
import classes from './home-page.module.css'

const SHOWN = 4

/** The reports opened last; null when there are none. */
export const RecentReports = () => {
  const { data, error, isPending, isFetching, refetch } = useQuery(activityQuery)
  const reports = data?.relatoriosRecentes.slice(0, SHOWN)
  if (isPending)
    return (
      <div className={classes.tiles} role="status" aria-label="Carregando os relatórios recentes">
        <Skeleton height={66} radius="lg" />
      </div>
    )
  if (error && !reports)
    return (
      <section className={classes.card} aria-label="Relatórios recentes">
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      </section>
    )
  if (!reports || reports.length === 0) return null
  return (
    <section aria-labelledby="recentes">
      <h2 id="recentes" className={`${shared.heading} ${classes.recentHeading}`}>
        Relatórios recentes
      </h2>
      <ul className={classes.recents}>
        {reports.map(({ idRelatorio, nomeRelatorio, nomeGrupo, groupId, reportId, data: when }) => (
          <li key={idRelatorio}>
            <Link
              to={reportPath({
                workspace: nomeGrupo,
                relatorio: nomeRelatorio,
                groupId,
                reportId,
                idRelatorio,
              })}
              className={classes.tile}
            >
              <span className={shared.tileIcon}>
                <IconChartHistogram size={20} stroke={1.6} aria-hidden />
              </span>
              <span className={classes.recentText}>
                {nomeRelatorio}
                <span className={shared.detail}>
                  {nomeGrupo}, {relativeTime(when, Date.now())}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** ' Último acesso: ontem às 14:02.', after the greeting; null at the first sign-in. */
export const LastSignIn = () => {
  const { data } = useQuery(activityQuery)
  if (!data?.ultimoAcesso) return null
  return <> Último acesso: {lastSignIn(data.ultimoAcesso)}.</>
}

const lastSignIn = (instant: string): string => {
  const day = dayText(instant)
  return `${day === dayText(Date.now()) ? 'hoje' : day}, às ${hourText(instant)}`
}
