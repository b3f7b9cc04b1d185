import type { User } from '@bi-manager/contract'
import { Alert, Anchor } from '@mantine/core'
import { IconChevronLeft, IconUserShield } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { UnknownUser } from '../../ui/page/unknown-user.tsx'
import { RecordPage, recordIdOf, useRecordId } from '../../ui/record-form/record-page.tsx'
import shared from '../../ui/shared.module.css'
import { useMessageFor } from '../../ui/use-message-for.ts'
import classes from './grants.module.css'
import { getUser, usersKey } from './grants-queries.ts'
import { GroupField } from './group-field.tsx'
import { GroupReports } from './group-reports.tsx'
import { UserLinks } from './user-links.tsx'

/** How long the message on missing reports is shown, from the product's specification. */
const NO_REPORTS_MS = 3_000

/** A user's grants, one workspace at a time. */
export const UserGrantsPage = () => (
  <RecordPage
    id={useRecordId('user')}
    queryKey={usersKey}
    load={getUser}
    title="Usuário"
    notFound="Usuário não encontrado"
    listPath="/usuario"
    fields={1}
  >
    {(user) => (user ? <UserGrants user={user} /> : <UnknownUser />)}
  </RecordPage>
)

const UserGrants = ({ user }: { user: User }) => {
  const [params, setParams] = useSearchParams()
  const grupo = recordIdOf(params.get('grupo'))
  const [search, setSearch] = useState(0)
  const [asked, setAsked] = useState<number>()
  const [isNothingShown, showNothing] = useMessageFor(NO_REPORTS_MS)

  // With unsaved marks the user may decline to leave: count the search only once the URL has
  // changed.
  if (asked !== undefined && asked === grupo) {
    setAsked(undefined)
    setSearch((count) => count + 1)
  }
  const open = (id: number | undefined) => {
    setAsked(id)
    if (id !== grupo) setParams(id === undefined ? {} : { grupo: String(id) }, { preventScrollReset: true })
  }

  return (
    <AdminPage
      title="Usuário"
      above={
        <Anchor component={Link} to="/usuario" size="sm" className={shared.backLink}>
          <IconChevronLeft size={16} aria-hidden />
          Usuários
        </Anchor>
      }
      lead={`Selecione o grupo deste perfil: ${user.nomeUsuario}`}
      actions={<UserLinks idUsuario={user.idUsuario} />}
      narrow
    >
      {user.tipoUsuario === 'ADMIN' && <AdminNote />}
      <GroupField grupo={grupo} onOpen={open} />
      <p role="alert" className={classes.nothing}>
        {isNothingShown && 'Não há relatórios cadastrados para esse usuário!'}
      </p>
      {grupo !== undefined && (
        <GroupReports key={grupo} user={user} grupo={grupo} search={search} onNothing={showNothing} />
      )}
    </AdminPage>
  )
}

export const AdminNote = () => (
  <Alert color="teal" icon={<IconUserShield aria-hidden />}>
    Administradores veem todos os relatórios, com ou sem permissão. As marcas abaixo só contam se esta pessoa
    deixar de ser administradora.
  </Alert>
)
