import { type User, usersApi } from '@bi-manager/contract'
import { Alert, Anchor, Text } from '@mantine/core'
import { IconChevronLeft, IconSearch, IconUserShield } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { workspaceQuery } from '../../lib/api/entity-queries.ts'
import { usersKey, workspacesKey } from '../../lib/api/query-keys.ts'
import { listAddress } from '../../lib/lists/list-address.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { EntityPage, entityIdOf, useEntityId } from '../../ui/entity-form/entity-page.tsx'
import { Form } from '../../ui/form.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { UnknownUser } from '../../ui/page/unknown-user.tsx'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import shared from '../../ui/shared.module.css'
import { useMessageFor } from '../../ui/use-message-for.ts'
import classes from './grants.module.css'
import { searchWorkspaces } from './grants-queries.ts'
import { GroupReports } from './group-reports.tsx'
import { UserLinks } from './user-links.tsx'

/** How long the message on missing reports is shown, from the product's specification. */
const NO_REPORTS_MS = 3_000

/** A user's grants, one workspace at a time. */
export const UserGrantsPage = () => (
  <EntityPage
    id={useEntityId('user')}
    queryKey={usersKey}
    endpoint={usersApi.get}
    title="Usuário"
    notFound="Usuário não encontrado"
    listPath="/usuario"
    fields={1}
  >
    {(user) => (user ? <UserGrants user={user} /> : <UnknownUser />)}
  </EntityPage>
)

const UserGrants = ({ user }: { user: User }) => {
  const [params, setParams] = useSearchParams()
  const grupo = entityIdOf(params.get('grupo'))
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
        <Anchor component={Link} to={listAddress('/usuario')} size="sm" className={shared.backLink}>
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
      <Text role="alert" c="var(--mantine-color-error)" fw={600}>
        {isNothingShown && 'Não há relatórios cadastrados para esse usuário!'}
      </Text>
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

interface GroupFieldProps {
  /** The workspace whose reports are shown. */
  grupo: number | undefined
  /** Called when 'Buscar Relatórios' is pressed, or with undefined when the choice is cleared. */
  onOpen: (grupo: number | undefined) => void
}

/** Selects a workspace; its reports are fetched only on 'Buscar Relatórios'. */
const GroupField = ({ grupo, onOpen }: GroupFieldProps) => {
  const known = useQuery(workspaceQuery(grupo))
  /** The selected workspace, opened or not. */
  const [chosen, setChosen] = useState<SelectOption | null>(null)
  const [shownFor, setShownFor] = useState(grupo)
  const [isMissing, setMissing] = useState(false)
  // A changed URL (Back button) replaces a choice that was not opened.
  if (shownFor !== grupo) {
    setShownFor(grupo)
    if (chosen && chosen.value !== grupo) setChosen(null)
  }
  const value =
    chosen ?? (grupo === undefined ? null : { value: grupo, label: known.data?.nomeGrupo ?? `nº ${grupo}` })

  const handleSubmit = () => {
    setMissing(value === null)
    if (value) onOpen(value.value)
  }

  return (
    <Form
      onSubmit={handleSubmit}
      className={`${shared.panel} ${classes.chooser}`}
      aria-label="Escolher o grupo"
    >
      <div>
        <SearchSelect
          label="Grupo"
          placeholder="Pesquisar grupo..."
          emptyText="Sem resultados para essa pesquisa"
          queryKey={[...workspacesKey, 'grupos']}
          search={searchWorkspaces}
          value={value}
          error={isMissing && 'Escolha um grupo na lista.'}
          onChange={(option) => {
            setMissing(false)
            setChosen(option)
            if (!option) onOpen(undefined)
          }}
        />
      </div>
      <ActionButton isMain icon={IconSearch} label="Buscar Relatórios" type="submit" />
      <p className={`${shared.note} ${classes.words}`}>
        O grupo é um workspace: você libera os relatórios dele a esta pessoa, um grupo por vez. “Perfil”,
        nesta tela, é a própria pessoa.
      </p>
    </Form>
  )
}
