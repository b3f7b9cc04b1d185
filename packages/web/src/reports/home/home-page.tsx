import type { Favorite } from '@bi-manager/contract'
import { reportPath } from '@bi-manager/contract'
import { Alert, Box, Stack } from '@mantine/core'
import { type Icon, IconChartHistogram, IconLinkOff, IconStarFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { activityQuery } from '../../lib/api/queries.ts'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { useAdminSections } from '../../lib/navigation/admin-links.ts'
import type { UnknownAddressState } from '../../lib/navigation/destination.ts'
import { useSession } from '../../lib/session/session.ts'
import { dayText, hourText, relativeTime } from '../../lib/text/relative-time.ts'
import { FailureScope } from '../../ui/data-table/failure-scope.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { TwoLines } from '../../ui/data-table/two-lines.tsx'
import shared from '../../ui/shared.module.css'
import { FavoriteList } from '../favorites/favorite-list.tsx'
import { favoritesQuery } from '../favorites/favorites.ts'
import { menusQuery } from '../menu/menu.ts'
import classes from './home-page.module.css'
import { CardSkeletons, ReportsSection } from './reports-section.tsx'

/**
 * Returns 'Bom dia' from 5 to 12 h in Brasília, 'Boa tarde' until 18 h, else 'Boa noite', with the
 * first name.
 */
export const greeting = (name: string, now: number): string => {
  const hour = Number.parseInt(hourText(now), 10)
  const words = hour >= 5 && hour < 12 ? 'Bom dia' : hour >= 12 && hour < 18 ? 'Boa tarde' : 'Boa noite'
  const first = name.trim().split(/\s+/)[0]
  return first ? `${words}, ${first}` : words
}

interface HomePageProps {
  /** Shown at the top for an ADMIN. */
  adminNotice: ReactNode
  /** The section 'BI Saúde'. */
  health: ReactNode
}

export const HomePage = ({ adminNotice, health }: HomePageProps) => {
  const session = useSession()
  const hasArrived = useHasArrived()
  return (
    <FailureScope>
      <div className={classes.page}>
        <Stack component="header" gap={4}>
          <h1 className={shared.pageHeading}>{greeting(session?.nome ?? '', serverNow())}</h1>
          <p className={shared.dimmed}>
            Escolha um relatório para começar.
            <LastSignIn />
          </p>
        </Stack>
        <UnknownAddressNotice />
        {session?.tipo === 'ADMIN' && adminNotice}
        {hasArrived ? (
          <>
            <FavoriteReports />
            <RecentReports />
            <ReportsSection />
            <AdminCard />
            {health}
          </>
        ) : (
          <CardSkeletons />
        )}
      </div>
    </FailureScope>
  )
}

/**
 * Whether all parts can be shown: one that came later would push the others down. Once shown, they
 * stay: a part that failed asks again when it appears, and would be pending again.
 */
const useHasArrived = (): boolean => {
  const pending = [
    useQuery(activityQuery).isPending,
    useQuery(favoritesQuery).isPending,
    useQuery(menusQuery).isPending,
  ]
  const [hasArrived, setHasArrived] = useState(false)
  if (!hasArrived && !pending.includes(true)) setHasArrived(true)
  return hasArrived
}

const UnknownAddressNotice = () => {
  const { state } = useLocation() as { state: Partial<UnknownAddressState> | null }
  if (!state?.inexistente) return null
  return (
    <Alert color="yellow" role="status" icon={<IconLinkOff aria-hidden />}>
      O endereço <bdi>{state.inexistente}</bdi> não existe no portal. Esta é a página inicial.
    </Alert>
  )
}

const AdminCard = () => {
  const sections = useAdminSections()
  if (sections.length === 0) return null
  return (
    <section aria-labelledby="administracao" className={`${shared.surface} ${classes.card}`}>
      <h2 id="administracao" className={shared.heading}>
        Administração
      </h2>
      <ul className={classes.adminSections}>
        {sections.map(({ title, phoneTitle, links }) => (
          <li key={title}>
            <h3 className={shared.subheading}>{phoneTitle}</h3>
            <Box component="ul" className={shared.chips} mt={8}>
              {links.map(({ label, to, name }) => (
                <li key={to}>
                  <Link
                    to={to}
                    className={`${shared.menuLink} ${classes.adminLink}`}
                    aria-label={name ?? `${label} ${phoneTitle}`}
                  >
                    {label}
                  </Link>
                </li>
              ))}
            </Box>
          </li>
        ))}
      </ul>
    </section>
  )
}

const SHOWN = 4

/** The reports opened last; null when there are none. */
const RecentReports = () => {
  const { data, error, isFetching, refetch } = useQuery(activityQuery)
  const reports = data?.relatoriosRecentes.slice(0, SHOWN)
  if (error && !reports)
    return (
      <section className={`${shared.surface} ${classes.card}`} aria-label="Relatórios recentes">
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      </section>
    )
  if (!reports || reports.length === 0) return null
  return (
    <section aria-labelledby="recentes">
      <Box component="h2" id="recentes" className={shared.heading} mb="0.875rem">
        Relatórios recentes
      </Box>
      <ul className={classes.recents}>
        {reports.map((report) => (
          <li key={report.idRelatorio}>
            <ReportTile
              report={report}
              icon={IconChartHistogram}
              detail={`${report.nomeGrupo}, ${relativeTime(report.data, serverNow())}`}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** ' Último acesso: ontem às 14:02.', after the greeting; null at the first sign-in. */
const LastSignIn = () => {
  const { data } = useQuery(activityQuery)
  if (!data?.ultimoAcesso) return null
  return <> Último acesso: {lastSignIn(data.ultimoAcesso)}.</>
}

const lastSignIn = (instant: string): string => {
  const day = dayText(instant)
  return `${day === dayText(serverNow()) ? 'hoje' : day}, às ${hourText(instant)}`
}

/** 'Favoritos' on the home page; null without favourites. */
const FavoriteReports = () => {
  const { data: favorites, error, isFetching, refetch } = useQuery(favoritesQuery)
  if (error && !favorites)
    return (
      <section className={`${shared.surface} ${classes.card}`} aria-label="Favoritos">
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      </section>
    )
  if (!favorites || favorites.length === 0) return null
  return (
    <section aria-labelledby="favoritos">
      <Box component="h2" id="favoritos" className={shared.heading} mb="0.875rem">
        Favoritos
      </Box>
      <FavoriteList
        favorites={favorites}
        labelledBy="favoritos"
        className={`${classes.recents} ${classes.favorites}`}
        renderLink={(favorite) => (
          <ReportTile report={favorite} icon={IconStarFilled} detail={favorite.nomeGrupo} draggable={false} />
        )}
      />
    </section>
  )
}

interface ReportTileProps {
  report: Favorite
  icon: Icon
  detail: string
  /** False where the list's items are dragged instead. */
  draggable?: false
}

const ReportTile = ({ report, icon: IconOf, detail, draggable }: ReportTileProps) => {
  const { groupId, reportId, idRelatorio, nomeRelatorio, nomeGrupo } = report
  return (
    <Link
      to={reportPath({ workspace: nomeGrupo, relatorio: nomeRelatorio, groupId, reportId, idRelatorio })}
      draggable={draggable}
      className={classes.tile}
    >
      <span className={shared.tileIcon}>
        <IconOf size={20} stroke={1.6} aria-hidden />
      </span>
      <Box component="span" miw={0} lh={1.35}>
        <TwoLines>{nomeRelatorio}</TwoLines>
        <span className={shared.detail}>{detail}</span>
      </Box>
    </Link>
  )
}
