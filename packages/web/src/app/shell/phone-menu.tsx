import { Drawer, Stack } from '@mantine/core'
import { NavLink } from 'react-router'
import { useAdminSections } from '../../lib/navigation/admin-links.ts'
import { ReportMenu } from '../../reports/index.ts'
import shared from '../../ui/shared.module.css'
import { ClinicalMenu } from './clinical-menu.tsx'
import menu from './menu.module.css'
import { MenuLinks } from './menu-links.tsx'
import classes from './phone-menu.module.css'

interface PhoneMenuProps {
  opened: boolean
  onClose: () => void
}

/** The phone's menu: slides in over the page; closes with ×, Esc or a navigation. */
export const PhoneMenu = ({ opened, onClose }: PhoneMenuProps) => {
  const sections = useAdminSections()
  return (
    <Drawer
      id="menu-lateral"
      opened={opened}
      onClose={onClose}
      title="Menu"
      size="min(20rem, 88vw)"
      closeButtonProps={{ 'aria-label': 'Fechar menu', size: 'lg' }}
      transitionProps={{ duration: 180, exitDuration: 0 }}
    >
      <nav aria-label="Relatórios Gerenciais">
        <h2 className={shared.menuTitle}>Relatórios Gerenciais</h2>
        <ReportMenu />
      </nav>
      <ClinicalMenu />
      {sections.length > 0 && (
        <Stack component="nav" aria-label="Administração" gap="1.25rem" className={menu.part}>
          {sections.map(({ title, phoneTitle, links }) => (
            <section key={title}>
              <h2 className={shared.menuTitle}>{phoneTitle}</h2>
              <MenuLinks links={links} section={phoneTitle} className={classes.links} />
            </section>
          ))}
        </Stack>
      )}
      <NavLink to="/privacidade" className={`${shared.smallNote} ${classes.privacy}`}>
        Aviso de privacidade
      </NavLink>
    </Drawer>
  )
}
