import { ApiProblem, type MenuWorkspace, type User } from '@bi-manager/contract'
import { Alert, Anchor } from '@mantine/core'
import { IconEye, IconFolderOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { counted } from '../../lib/text/counted.ts'
import { countOf } from '../../reports/index.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { useEntityId } from '../../ui/entity-form/entity-page.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { UnknownUser } from '../../ui/page/unknown-user.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { menuAsQuery, userQuery } from './explainer-queries.ts'
import classes from './menu-as.module.css'
import { MenuAsWorkspaces } from './menu-as-workspaces.tsx'

/** 'Ver como': a read-only view of another user's menu. */
export const MenuAsPage = () => {
  const id = useEntityId('user')
  return id ? <MenuAs key={id} id={id} /> : <UnknownUser />
}

let openings = 0

const MenuAs = ({ id }: { id: number }) => {
  const [opening] = useState(() => ++openings)
  const user = useQuery(userQuery(id))
  // Only for an existing user, because each call is audited.
  const menu = useQuery({ ...menuAsQuery(id, opening), enabled: user.data !== undefined })
  const failed = user.data ? menu : user

  if (user.error instanceof ApiProblem && user.error.status === 404) return <UnknownUser />
  return (
    <AdminPage
      title={user.data ? `Ver como ${user.data.nomeUsuario}` : 'Ver como'}
      lead={user.data && menu.data && <Lead user={user.data} menu={menu.data} />}
      narrow
    >
      <Alert color="teal" icon={<IconEye aria-hidden />}>
        Este é o menu como a pessoa o vê. Um relatório aberto daqui mostra os dados que ela vê, sem contar
        como visualização. Tudo fica registrado na auditoria, e a pessoa vê que um relatório foi aberto.
      </Alert>
      {user.data && user.data.situacao !== 'ATIVO' && (
        <Alert color="yellow">
          {user.data.situacao === 'PENDENTE'
            ? 'O cadastro ainda aguarda aprovação: a pessoa não consegue entrar. Depois de aprovada, verá este menu.'
            : 'A pessoa está bloqueada e não consegue entrar. Desbloqueada, verá este menu.'}
        </Alert>
      )}
      <section className={`${shared.surface} ${classes.menu}`} aria-label="Relatórios Gerenciais">
        {user.data && menu.data ? (
          <Menu user={user.data} menu={menu.data} opening={opening} />
        ) : failed.error ? (
          <ListFailure
            error={failed.error}
            isFetching={failed.isFetching}
            onRetry={() => void failed.refetch()}
          />
        ) : (
          <SkeletonLines label="Carregando o menu" />
        )}
      </section>
    </AdminPage>
  )
}

const Menu = ({ user, menu, opening }: { user: User; menu: MenuWorkspace[]; opening: number }) =>
  menu.length === 0 ? (
    <InlineMessage
      icon={IconFolderOff}
      action={<ActionButton isMain label="Liberar relatórios" to={`/editrelatorio/${user.idUsuario}`} />}
    >
      Nenhum relatório liberado para esta pessoa ainda.
    </InlineMessage>
  ) : (
    <MenuAsWorkspaces menu={menu} idUsuario={user.idUsuario} opening={opening} />
  )

const Lead = ({ user, menu }: { user: User; menu: MenuWorkspace[] }) => (
  <>
    {user.emailUsuario} · {counted(countOf(menu), 'relatório', 'relatórios')} em{' '}
    {counted(menu.length, 'workspace', 'workspaces')} ·{' '}
    <Anchor component={Link} underline="always" to={`/editrelatorio/${user.idUsuario}`}>
      Permissões
    </Anchor>
  </>
)
