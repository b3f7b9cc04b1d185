import { Accordion, Title } from '@mantine/core'
import { IconSettings } from '@tabler/icons-react'
import { adminSections } from '../../lib/navigation/admin-links.ts'
import menu from './menu.module.css'
import { MenuLinks } from './menu-links.tsx'
import { TopPopup } from './top-popup.tsx'

/** The gear: the pages of an ADMIN. */
export const SettingsPopup = () => (
  <TopPopup label="Configurações" icon={IconSettings}>
    {() => (
      <>
        <Title order={2} size="h3" mb="xs">
          Configurações
        </Title>
        <Accordion order={3} chevronPosition="right" classNames={menu}>
          {adminSections.map(({ title, links }) => (
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
