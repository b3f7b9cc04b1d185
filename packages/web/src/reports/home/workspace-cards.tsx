import type { MenuWorkspace } from '@bi-manager/contract'
import { Button, Group } from '@mantine/core'
import { useMemo } from 'react'
import { useLimitedList } from '../../lib/lists/use-first.ts'
import shared from '../../ui/shared.module.css'
import { isLazy, linksOf } from '../menu/menu.ts'
import classes from './home-page.module.css'
import { WorkspaceCard } from './workspace-card.tsx'

interface WorkspaceCardsProps {
  menu: MenuWorkspace[]
  /** The workspaces and reports to show. */
  found: MenuWorkspace[]
}

const STEP = 24

/** Reports that a workspace shows at first. */
const FIRST = 6
/** More workspaces than this are shown densely, so that twenty of them fit on two screens. */
const MAX_SPACIOUS = 12

export const WorkspaceCards = ({ menu, found }: WorkspaceCardsProps) => {
  const { shown, hidden, showMore } = useLimitedList(found, STEP)
  const links = useMemo(() => linksOf(menu), [menu])
  return (
    <>
      <ul
        className={classes.cards}
        data-folding={found.some(isLazy) || undefined}
        data-dense={found.length > MAX_SPACIOUS || undefined}
      >
        {shown.map((workspace) => (
          <li key={workspace.idGrupoRelatorio} className={`${shared.surface} ${classes.card}`}>
            <WorkspaceCard menu={menu} links={links} workspace={workspace} first={FIRST} />
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Group gap="md" justify="center" mt="1.25rem">
          <Button variant="default" onClick={showMore}>
            Mostrar mais
          </Button>
          <span className={shared.smallNote}>
            {shown.length} de {found.length} workspaces
          </span>
        </Group>
      )}
    </>
  )
}
