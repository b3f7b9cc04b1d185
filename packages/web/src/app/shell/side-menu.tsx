import { Link } from 'react-router'
import { ReportMenu } from '../../features/menus/report-menu.tsx'
import { ClinicalMenu } from './clinical-menu.tsx'
import classes from './side-menu.module.css'

/** The desktop menu. While closed it is inert, so that it leaves the tab order. */
export const SideMenu = ({ opened }: { opened: boolean }) => (
  <nav
    id="menu-lateral"
    aria-label="Relatórios Gerenciais"
    data-opened={opened || undefined}
    inert={!opened}
    className={classes.menu}
  >
    <div className={classes.inner}>
      <h2 className={classes.title}>Relatórios Gerenciais</h2>
      <ReportMenu />
      <ClinicalMenu />
      <Link to="/privacidade" className={classes.privacy}>
        Aviso de privacidade
      </Link>
    </div>
  </nav>
)
