import { Accordion, ActionIcon, Group, Title } from '@mantine/core'
import { IconMenu2, IconSettings } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import { Link } from 'react-router'
import { useAdminSections } from '../../lib/navigation/admin-links.ts'
import { HOME } from '../../lib/navigation/destination.ts'
import { brandName } from '../../lib/text/brand.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import shared from '../../ui/shared.module.css'
import menu from './menu.module.css'
import { MenuLinks } from './menu-links.tsx'
import { NotificationsPopup } from './notifications-popup.tsx'
import { QuickSearchButton } from './quick-search-button.tsx'
import classes from './top-bar.module.css'
import { TopPopup } from './top-popup.tsx'
import { UserPopup } from './user-popup.tsx'

/** Characters of a name that fit into one line on a phone. */
const ONE_LINE = 14

interface TopBarProps {
  menuOpened: boolean
  onToggleMenu: () => void
  onSignOut: () => void
  /** Receives the button of the account's popup. */
  accountButton: Ref<HTMLButtonElement>
  inert: boolean
  /** Additional tools of the current page. */
  pageTools: ReactNode
}

/** The bar at the top of the portal: menu button, brand, page tools, search, and popups. */
export const TopBar = ({
  menuOpened,
  onToggleMenu,
  onSignOut,
  accountButton,
  inert,
  pageTools,
}: TopBarProps) => (
  <header className={`${shared.screenOnly} ${classes.bar}`} inert={inert}>
    <ActionIcon
      size="lg"
      onClick={onToggleMenu}
      aria-label={menuOpened ? 'Fechar menu' : 'Abrir menu'}
      aria-expanded={menuOpened}
      aria-controls="menu-lateral"
    >
      <IconMenu2 size={22} stroke={1.6} aria-hidden />
    </ActionIcon>
    <Link to={HOME} className={classes.brand} data-long={brandName.length > ONE_LINE || undefined}>
      <BrandMark size={28} />
      <span>{brandName}</span>
    </Link>
    <Group gap={4} wrap="nowrap" ml="auto">
      {pageTools}
      <QuickSearchButton onSignOut={onSignOut} />
      <NotificationsPopup />
      <SettingsPopup />
      <UserPopup onSignOut={onSignOut} buttonRef={accountButton} />
    </Group>
  </header>
)

/** The gear: the pages of administration. */
const SettingsPopup = () => {
  const sections = useAdminSections()
  if (sections.length === 0) return null
  return (
    <TopPopup label="Configurações" icon={IconSettings}>
      {() => (
        <>
          <Title order={2} size="h3" mb="xs">
            Configurações
          </Title>
          <Accordion order={3} chevronPosition="right" classNames={menu}>
            {sections.map(({ title, links }) => (
              <Accordion.Item key={title} value={title}>
                <Accordion.Control>{title}</Accordion.Control>
                <Accordion.Panel>
                  <MenuLinks links={links} section={title} />
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        </>
      )}
    </TopPopup>
  )
}
