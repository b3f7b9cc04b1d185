import { Accordion, ActionIcon, Title } from '@mantine/core'
import { IconSettings } from '@tabler/icons-react'
import { NavLink } from 'react-router'
import { adminSections } from '../../lib/navigation/admin-links.ts'
import menu from './menu.module.css'
import { TopPopup } from './top-popup.tsx'

/** The gear: the pages of an ADMIN. */
export const SettingsPopup = () => (
  <TopPopup
    label="Configurações"
    target={(toggle) => (
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Configurações" onClick={toggle}>
        <IconSettings size={21} stroke={1.6} aria-hidden />
      </ActionIcon>
    )}
  >
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
                <ul className={menu.list}>
                  {links.map(({ label, to, name }) => (
                    <li key={to}>
                      <NavLink to={to} end className={menu.link} aria-label={name ?? `${label} ${title}`}>
                        {label}
                      </NavLink>
                    </li>
                  ))}
                </ul>
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      </>
    )}
  </TopPopup>
)
