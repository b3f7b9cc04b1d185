import { type CurrentUser, PAGE_SIZES } from '@bi-manager/contract'
import { Group, SegmentedControl, Skeleton, Text, useMantineColorScheme } from '@mantine/core'
import {
  type Icon,
  IconApi,
  IconChartBar,
  IconChevronRight,
  IconDevices,
  IconFileCertificate,
  IconKey,
  IconMailForward,
  IconShieldLock,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { currentUserQuery } from '../../lib/api/queries.ts'
import { pageSizeOf, rememberedPageSize, rememberPageSize } from '../../lib/lists/page-size.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import shared from '../../ui/shared.module.css'
import { NameForm } from './name-form.tsx'
import classes from './own-account.module.css'
import { PdfPassword } from './pdf-password.tsx'

/** '/meu-perfil': the user's name, preferences and links to the account's security pages. */
export const OwnAccountPage = () => {
  const { data: user, error, isFetching, refetch } = useQuery(currentUserQuery)
  return (
    <AdminPage title="Meu perfil" narrow>
      {user ? (
        <Person user={user} />
      ) : error ? (
        <section className={`${shared.panel} ${shared.stackMd}`}>
          <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
        </section>
      ) : (
        <div role="status" aria-label="Carregando o seu perfil">
          <Skeleton height={330} radius="lg" />
        </div>
      )}
      <Preferences />
      <PdfPassword />
      <section className={`${shared.panel} ${shared.stackMd}`} aria-labelledby="seguranca">
        <h2 id="seguranca" className={shared.heading}>
          Segurança da conta
        </h2>
        <ul className={shared.divided}>
          {links.map((link) => (
            <li key={link.to}>
              <AccountLink {...link} />
            </li>
          ))}
        </ul>
      </section>
    </AdminPage>
  )
}

const Person = ({ user }: { user: CurrentUser }) => (
  <section className={`${shared.panel} ${shared.stackMd}`} aria-label="Seus dados">
    <Group gap="1.125rem" wrap="nowrap">
      <PersonAvatar name={user.nomeUsuario} id={user.idUsuario} size="lg" />
      <div className={shared.breakable}>
        <Text fw={600} fz="lg">
          {user.nomeUsuario}
        </Text>
        <p className={shared.smallNote}>{user.tipoUsuario === 'ADMIN' ? 'Administrador' : 'Usuário'}</p>
      </div>
    </Group>
    <NameForm user={user} />
  </section>
)

interface AccountLinkProps {
  to: string
  icon: Icon
  label: string
  detail: string
}

const links: readonly AccountLinkProps[] = [
  {
    to: '/mudar-senha',
    icon: IconKey,
    label: 'Alterar senha',
    detail: 'Encerra os acessos nos outros aparelhos.',
  },
  {
    to: '/meus-acessos',
    icon: IconDevices,
    label: 'Meus acessos',
    detail: 'Onde a sua conta está aberta, e o que aconteceu com ela.',
  },
  {
    to: '/meu-uso',
    icon: IconChartBar,
    label: 'Meu uso',
    detail: 'Os relatórios que você abriu, e quanto demoraram.',
  },
  {
    to: '/assinaturas',
    icon: IconMailForward,
    label: 'Assinaturas',
    detail: 'Os relatórios que você recebe por e-mail.',
  },
  {
    to: '/segundo-fator',
    icon: IconShieldLock,
    label: 'Segundo fator',
    detail: 'Um código do celular, além da senha.',
  },
  {
    to: '/chaves',
    icon: IconApi,
    label: 'Chaves de API',
    detail: 'Para programas que chamam o portal em seu nome.',
  },
  {
    to: '/privacidade',
    icon: IconFileCertificate,
    label: 'Aviso de privacidade',
    detail: 'O que o portal guarda sobre você, e por quê.',
  },
]

const AccountLink = ({ to, icon: IconOf, label, detail }: AccountLinkProps) => (
  <Link to={to} className={`${shared.menuLink} ${classes.link}`}>
    <span className={shared.tileIcon}>
      <IconOf size={21} stroke={1.6} aria-hidden />
    </span>
    <span className={shared.fills}>
      <span className={classes.rowTitle}>{label}</span>
      <span className={shared.smallNote}>{detail}</span>
    </span>
    <IconChevronRight size={18} aria-hidden className={shared.dimmedIcon} />
  </Link>
)

const schemes = [
  { value: 'light', label: 'Claro' },
  { value: 'dark', label: 'Escuro' },
  { value: 'auto', label: 'Sistema' },
] as const

/** Preferences stored in this browser only. */
const Preferences = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [size, setSize] = useState(rememberedPageSize)
  return (
    <section className={`${shared.panel} ${shared.stackMd}`} aria-labelledby="preferencias">
      <div>
        <h2 id="preferencias" className={shared.heading}>
          Preferências
        </h2>
        <p className={shared.smallNote}>Valem neste aparelho.</p>
      </div>
      <div className={shared.spread}>
        <Text id="preferencia-tema" fw={600}>
          Tema
        </Text>
        <SegmentedControl
          aria-labelledby="preferencia-tema"
          data={[...schemes]}
          value={colorScheme}
          onChange={setColorScheme}
        />
      </div>
      <div className={shared.spread}>
        <Text id="preferencia-linhas" fw={600}>
          Linhas por página nas listas
        </Text>
        <SegmentedControl
          aria-labelledby="preferencia-linhas"
          data={PAGE_SIZES.map(String)}
          value={String(size)}
          onChange={(chosen) => {
            const known = pageSizeOf(chosen)
            if (known === undefined) return
            rememberPageSize(known)
            setSize(known)
          }}
        />
      </div>
    </section>
  )
}
