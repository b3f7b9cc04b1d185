import { Drawer } from '@mantine/core'
import { NavLink } from 'react-router'
import { ReportMenu } from '../../features/menus/report-menu.tsx'
import { adminSections } from '../../lib/navigation/admin-links.ts'
import { useSession } from '../../lib/session/session.ts'
import { ClinicalMenu } from './clinical-menu.tsx'
import menu from './menu.module.css'
import classes from './phone-menu.module.css'

interface PhoneMenuProps {
  opened: boolean
  onClose: () => void
}

/** The phone's menu: slides in over the page; closes with ×, Esc or a navigation. */
export const PhoneMenu = ({ opened, onClose }: PhoneMenuProps) => {
  const admin = useSession()?.tipo === 'ADMIN'
  return (
    <Drawer
      id="menu-lateral"
      opened={opened}
      onClose={onClose}
      title="Menu"
      size="min(20rem, 88vw)"
      closeButtonProps={{ 'aria-label': 'Fechar menu', size: 'lg' }}
      transitionProps={{ duration: 180 }}
    >
      <nav aria-label="Relatórios Gerenciais">
        <h2 className={classes.title}>Relatórios Gerenciais</h2>
        <ReportMenu />
      </nav>
      <ClinicalMenu />
      {admin && (
        <nav aria-label="Administração" className={classes.admin}>
          {adminSections.map(({ title, phoneTitle, links }) => (
            <section key={title}>
              <h2 className={classes.title}>{phoneTitle}</h2>
              <ul className={classes.links}>
                {links.map(({ label, to, name }) => (
                  <li key={to}>
                    <NavLink to={to} end className={menu.link} aria-label={name ?? `${label} ${phoneTitle}`}>
                      {label}
                    </NavLink>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </nav>
      )}
      <NavLink to="/privacidade" className={classes.privacy}>
        Aviso de privacidade
      </NavLink>
    </Drawer>
  )
}
