import type { Icon } from '@tabler/icons-react'
import {
  IconCalendarOff,
  IconDeviceMobileHeart,
  IconMicroscope,
  IconPackageExport,
  IconTicket,
  IconUsersGroup,
} from '@tabler/icons-react'
import { Link } from 'react-router'
import { dashboards } from '../../lib/dashboards.ts'
import classes from './home-page.module.css'

const icons: Record<(typeof dashboards)[number]['path'], Icon> = {
  '/analise': IconPackageExport,
  '/corporacoes': IconMicroscope,
  '/painel': IconCalendarOff,
  '/senhas-liberadas': IconTicket,
  '/telemedicina': IconDeviceMobileHeart,
  '/perfil': IconUsersGroup,
}

export const HealthSection = () => (
  <section aria-labelledby="bi-saude">
    <h2 id="bi-saude" className={classes.sectionHeading}>
      BI Saúde
    </h2>
    <ul className={classes.tiles}>
      {dashboards.map(({ path, title }) => {
        const IconOf = icons[path]
        return (
          <li key={path}>
            <Link to={path} className={classes.tile}>
              <span className={classes.tileIcon}>
                <IconOf size={22} stroke={1.6} aria-hidden />
              </span>
              {title}
            </Link>
          </li>
        )
      })}
    </ul>
  </section>
)
