import { pageTitles } from '@bi-manager/contract'
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
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type DashboardRoute, dashboards } from '../../lib/navigation/dashboards.ts'
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
  action: ReactNode
  /** Shown below the tiles. */
  children: ReactNode
}

export const HealthSection = ({ action, children }: HealthSectionProps) => (
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
    <ul className={classes.tiles}>
      {dashboards.map(({ rota, path, title }) => {
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
    {children}
  </section>
)
