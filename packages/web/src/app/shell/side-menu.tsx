import { Box } from '@mantine/core'
import { Link } from 'react-router'
import { ReportMenu } from '../../reports/index.ts'
import shared from '../../ui/shared.module.css'
import { ClinicalMenu } from './clinical-menu.tsx'
import classes from './side-menu.module.css'

/** The desktop menu. While closed it is inert, so that it leaves the tab order. */
export const SideMenu = ({ opened }: { opened: boolean }) => (
  <nav
    id="menu-lateral"
    aria-label="Relatórios Gerenciais"
    data-opened={opened || undefined}
    inert={!opened}
    className={`${shared.screenOnly} ${classes.menu}`}
  >
    <div className={classes.inner}>
      <Box component="h2" className={shared.menuTitle} mb="sm">
        Relatórios Gerenciais
      </Box>
      <ReportMenu />
      <ClinicalMenu />
      <Link to="/privacidade" className={`${shared.smallNote} ${classes.privacy}`}>
        Aviso de privacidade
      </Link>
    </div>
  </nav>
)
