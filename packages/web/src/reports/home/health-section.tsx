import { type BoundPage, pageTitles } from '@bi-manager/contract'
import { Box } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import {
  IconCalendarOff,
  IconDeviceMobileHeart,
  IconMicroscope,
  IconPackageExport,
  IconTicket,
  IconUsersGroup,
} from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type DashboardRoute, dashboards } from '../../lib/navigation/dashboards.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import shared from '../../ui/shared.module.css'
import classes from './home-page.module.css'

const icons: Record<DashboardRoute, Icon> = {
  analise: IconPackageExport,
  corporacoes: IconMicroscope,
  painel: IconCalendarOff,
  'senhas-liberadas': IconTicket,
  telemedicina: IconDeviceMobileHeart,
  perfil: IconUsersGroup,
}

interface HealthSectionProps {
  pages: Pick<UseQueryResult<BoundPage[]>, 'data' | 'error' | 'isFetching' | 'refetch'>
  /** Whether the user may bind a report, also to pages without one. */
  canBind: boolean
  /** Next to the heading. */
  action: ReactNode
  /** Shown below the tiles. */
  children: ReactNode
}

/** 'BI Saúde': the pages with a report that the user may see; null without any. */
export const HealthSection = ({ pages, canBind, action, children }: HealthSectionProps) => {
  const { data, error, isFetching, refetch } = pages
  if (!data) {
    return error ? <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} /> : null
  }
  const bound = new Set(data.filter(({ relatorio }) => relatorio !== null).map(({ rota }) => rota))
  if (bound.size === 0 && !canBind) return null
  const shown = dashboards.filter(({ rota }) => bound.has(rota))
  const unbound = canBind ? dashboards.filter(({ rota }) => !bound.has(rota)) : []
  return (
    <section aria-labelledby="bi-saude">
      <Box className={shared.spreadWide} mih="2.25rem" mb="md">
        <div>
          <h2 id="bi-saude" className={shared.heading}>
            {pageTitles['bi-saude']}
          </h2>
          <p className={shared.smallNote}>Informações do BI</p>
        </div>
        {action}
      </Box>
      {shown.length > 0 && <Tiles pages={shown} />}
      {unbound.length > 0 && (
        <details className={classes.unbound}>
          <summary className={shared.smallNote}>Páginas sem relatório ({unbound.length})</summary>
          <Tiles pages={unbound} />
        </details>
      )}
      {children}
    </section>
  )
}

const Tiles = ({ pages }: { pages: typeof dashboards }) => (
  <ul className={classes.tiles}>
    {pages.map(({ rota, path, title }) => {
      const IconOf = icons[rota]
      return (
        <li key={path}>
          <Link to={path} className={classes.tile}>
            <span className={shared.tileIcon}>
              <IconOf size={22} stroke={1.6} aria-hidden />
            </span>
            {title}
          </Link>
        </li>
      )
    })}
  </ul>
)
