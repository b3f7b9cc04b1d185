import { Badge, Divider, Group, SegmentedControl, Text, useMantineColorScheme } from '@mantine/core'
import {
  type Icon,
  IconBellRinging,
  IconDevices,
  IconFileCertificate,
  IconHelp,
  IconKey,
  IconLockQuestion,
  IconLogout,
  IconMailForward,
  IconShieldLock,
  IconUserCircle,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Ref } from 'react'
import { useLocation } from 'react-router'
import { currentUserQuery } from '../../lib/api/queries.ts'
import { accountLinks } from '../../lib/navigation/account-links.ts'
import { helpAddress } from '../../lib/navigation/help.ts'
import { useSession } from '../../lib/session/session.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import shared from '../../ui/shared.module.css'
import { TopPopup } from './top-popup.tsx'

const schemes = [
  { value: 'light', label: 'Claro' },
  { value: 'dark', label: 'Escuro' },
  { value: 'auto', label: 'Sistema' },
] as const

const icons: Record<(typeof accountLinks)[number]['to'], Icon> = {
  '/meu-perfil': IconUserCircle,
  '/assinaturas': IconMailForward,
  '/alertas': IconBellRinging,
  '/meus-acessos': IconDevices,
  '/meus-pedidos-acesso': IconLockQuestion,
  '/mudar-senha': IconKey,
  '/segundo-fator': IconShieldLock,
  '/privacidade': IconFileCertificate,
}

const entryLook = {
  variant: 'subtle',
  color: 'gray',
  c: 'var(--mantine-color-text)',
  fw: 500,
  px: 8,
  fullWidth: true,
  justify: 'flex-start',
} as const

interface UserPopupProps {
  onSignOut: () => void
  /** Receives the button that opens the popup. */
  buttonRef: Ref<HTMLButtonElement>
}

/** The popup of the account: who is signed in, theme, account pages, help and sign-out. */
export const UserPopup = ({ onSignOut, buttonRef }: UserPopupProps) => (
  <TopPopup label="Sua conta" icon={IconUserCircle} buttonRef={buttonRef}>
    {(close) => (
      <>
        <Person />
        <Divider my="sm" />
        <ThemeSwitch />
        <Divider my="sm" />
        {accountLinks.map((link) => (
          <ActionButton key={link.to} {...link} icon={icons[link.to]} {...entryLook} />
        ))}
        <Help />
        <ActionButton
          icon={IconLogout}
          label="Sair"
          {...entryLook}
          onClick={() => {
            close()
            onSignOut()
          }}
        />
      </>
    )}
  </TopPopup>
)

/** Opens the manual at the section on the current screen. */
const Help = () => (
  <ActionButton icon={IconHelp} label="Ajuda" to={helpAddress(useLocation().pathname)} {...entryLook} />
)

const Person = () => {
  // The session's data are shown until the user is loaded.
  const session = useSession()
  const { data: user } = useQuery(currentUserQuery)
  const name = user?.nomeUsuario ?? session?.nome ?? ''
  const userType = user?.tipoUsuario ?? session?.tipo
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <PersonAvatar name={name} id={session?.usuario_id ?? 0} />
      <div className={shared.breakable}>
        <Text fw={600} lh={1.3}>
          {name}
        </Text>
        {user && (
          <Text size="xs" c="dimmed">
            {user.emailUsuario}
          </Text>
        )}
        <Badge variant="light" size="sm" mt={6}>
          {userType === 'ADMIN' ? 'Administrador' : 'Usuário'}
        </Badge>
      </div>
    </Group>
  )
}

const ThemeSwitch = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Text id="tema" size="xs" c="dimmed" mb={6}>
        Tema
      </Text>
      <SegmentedControl
        fullWidth
        aria-labelledby="tema"
        data={[...schemes]}
        value={colorScheme}
        onChange={setColorScheme}
      />
    </>
  )
}
