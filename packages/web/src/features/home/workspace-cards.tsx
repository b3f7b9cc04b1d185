import type { MenuWorkspace } from '@bi-manager/contract'
import { Button } from '@mantine/core'
import { useLimitedList } from '../../lib/lists/use-first.ts'
import { isLazy } from '../../lib/navigation/menu.ts'
import classes from './home-page.module.css'
import { WorkspaceCard } from './workspace-card.tsx'

interface WorkspaceCardsProps {
  menu: MenuWorkspace[]
  /** The workspaces and reports to show. */
  found: MenuWorkspace[]
}

const STEP = 24

export const WorkspaceCards = ({ menu, found }: WorkspaceCardsProps) => {
  const { shown, hidden, showMore } = useLimitedList(found, STEP)
  return (
    <>
      <ul className={classes.cards} data-folding={found.some(isLazy) || undefined}>
        {shown.map((workspace) => (
          <li key={workspace.idGrupoRelatorio} className={classes.card}>
            <WorkspaceCard menu={menu} workspace={workspace} />
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <div className={classes.more}>
          <Button variant="default" onClick={showMore}>
            Mostrar mais
          </Button>
          <span className={classes.count}>
            {shown.length} de {found.length} workspaces
          </span>
        </div>
      )}
    </>
  )
}
