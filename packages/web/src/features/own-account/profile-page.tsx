import type { CurrentUser } from '@bi-manager/contract'
import { Skeleton } from '@mantine/core'
import '@mantine/core/styles/Skeleton.layer.css'
import {
  type Icon,
  IconChevronRight,
  IconDevices,
  IconFileCertificate,
  IconKey,
  IconShieldLock,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { currentUserQuery } from '../../lib/api/queries.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import shared from '../../ui/shared.module.css'
import { NameForm } from './name-form.tsx'
import classes from './own-account.module.css'
import { Preferences } from './preferences.tsx'

/** '/meu-perfil': the user's name, preferences and links to the account's security pages. */
export const ProfilePage = () => {
  const { data: user, error, isFetching, refetch } = useQuery(currentUserQuery)
  return (
    <AdminPage title="Meu perfil" narrow>
      {user ? (
        <Person user={user} />
      ) : error ? (
        <section className={classes.card}>
          <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
        </section>
      ) : (
        <div role="status" aria-label="Carregando o seu perfil">
          <Skeleton height={330} radius="lg" />
        </div>
      )}
      <Preferences />
      <section className={classes.card} aria-labelledby="seguranca">
        <h2 id="seguranca" className={shared.heading}>
          Segurança da conta
        </h2>
        <ul className={classes.links}>
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
  <section className={classes.card} aria-label="Seus dados">
    <div className={classes.person}>
      <PersonAvatar name={user.nomeUsuario} id={user.idUsuario} size="lg" />
      <div className={classes.personText}>
        <p className={classes.personName}>{user.nomeUsuario}</p>
        <p className={shared.smallNote}>{user.tipoUsuario === 'ADMIN' ? 'Administrador' : 'Usuário'}</p>
      </div>
    </div>
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
    to: '/segundo-fator',
    icon: IconShieldLock,
    label: 'Segundo fator',
    detail: 'Um código do celular, além da senha.',
  },
  {
    to: '/privacidade',
    icon: IconFileCertificate,
    label: 'Aviso de privacidade',
    detail: 'O que o portal guarda sobre você, e por quê.',
  },
]

const AccountLink = ({ to, icon: IconOf, label, detail }: AccountLinkProps) => (
  <Link to={to} className={classes.link}>
    <span className={shared.tileIcon}>
      <IconOf size={21} stroke={1.6} aria-hidden />
    </span>
    <span className={classes.rowText}>
      <span className={classes.rowTitle}>{label}</span>
      <span className={shared.smallNote}>{detail}</span>
    </span>
    <IconChevronRight size={18} aria-hidden className={shared.dimmedIcon} />
  </Link>
)
