import {
  ActionIcon,
  Badge,
  Button,
  Divider,
  SegmentedControl,
  Text,
  useMantineColorScheme,
} from '@mantine/core'
import {
  IconDevices,
  IconFileCertificate,
  IconKey,
  IconLogout,
  IconShieldLock,
  IconUserCircle,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Ref } from 'react'
import { Link } from 'react-router'
import { currentUserQuery } from '../../lib/api/queries.ts'
import { useSession } from '../../lib/session/session.ts'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import { TopPopup } from './top-popup.tsx'
import classes from './user-popup.module.css'

const schemes = [
  { value: 'light', label: 'Claro' },
  { value: 'dark', label: 'Escuro' },
  { value: 'auto', label: 'Sistema' },
] as const

const entries = [
  { to: '/meu-perfil', label: 'Meu perfil', icon: IconUserCircle },
  { to: '/meus-acessos', label: 'Meus acessos', icon: IconDevices },
  { to: '/mudar-senha', label: 'Alterar senha', icon: IconKey },
  { to: '/segundo-fator', label: 'Segundo fator', icon: IconShieldLock },
  { to: '/privacidade', label: 'Privacidade', icon: IconFileCertificate },
] as const

interface UserPopupProps {
  onSignOut: () => void
  button: Ref<HTMLButtonElement>
}

export const UserPopup = ({ onSignOut, button }: UserPopupProps) => (
  <TopPopup
    label="Sua conta"
    target={(toggle) => (
      <ActionIcon
        ref={button}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Sua conta"
        onClick={toggle}
      >
        <IconUserCircle size={23} stroke={1.6} aria-hidden />
      </ActionIcon>
    )}
  >
    {(close) => (
      <>
        <Person />
        <Divider my="sm" />
        <ThemeSwitch />
        <Divider my="sm" />
        {entries.map(({ to, label, icon: IconOf }) => (
          <Button
            key={to}
            component={Link}
            to={to}
            variant="subtle"
            color="gray"
            fullWidth
            justify="flex-start"
            leftSection={<IconOf size={18} stroke={1.6} aria-hidden />}
            className={classes.entry}
          >
            {label}
          </Button>
        ))}
        <Button
          variant="subtle"
          color="gray"
          fullWidth
          justify="flex-start"
          leftSection={<IconLogout size={18} stroke={1.6} aria-hidden />}
          className={classes.entry}
          onClick={() => {
            close()
            onSignOut()
          }}
        >
          Sair
        </Button>
      </>
    )}
  </TopPopup>
)

const Person = () => {
  const session = useSession()
  const { data: user } = useQuery(currentUserQuery)
  const name = user?.nomeUsuario ?? session?.nome ?? ''
  const profile = user?.tipoUsuario ?? session?.tipo
  return (
    <div className={classes.person}>
      <PersonAvatar name={name} id={session?.usuario_id ?? 0} />
      <div className={classes.who}>
        <Text fw={600} lh={1.3}>
          {name}
        </Text>
        {user && (
          <Text size="xs" c="dimmed">
            {user.emailUsuario}
          </Text>
        )}
        <Badge variant="light" size="sm" mt={6} className={classes.profile}>
          {profile === 'ADMIN' ? 'Administrador' : 'Usuário'}
        </Badge>
      </div>
    </div>
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
