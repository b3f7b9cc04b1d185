import type { MenuWorkspace } from '@bi-manager/contract'
import { Accordion, Button } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useLimitedList } from '../../lib/lists/use-first.ts'
import { reportInAddress } from '../../lib/navigation/report-path.ts'
import shared from '../../ui/shared.module.css'
import { activeWorkspace } from './menu.ts'
import classes from './report-menu.module.css'
import { WorkspaceReports } from './workspace-reports.tsx'

const STEP = 24

/** An accordion per workspace, one open at a time; opens that of the report on the screen. */
export const WorkspaceAccordions = ({ workspaces }: { workspaces: MenuWorkspace[] }) => {
  const active = activeWorkspace(workspaces, reportInAddress(useLocation()))?.idGrupoRelatorio
  const [opened, setOpened] = useState(keyOf(active))
  useEffect(() => {
    if (active !== undefined) setOpened(keyOf(active))
  }, [active])
  const { shown, hidden, showMore } = useLimitedList(
    workspaces,
    STEP,
    ({ idGrupoRelatorio }) => idGrupoRelatorio === active,
  )

  return (
    <>
      <Accordion
        order={3}
        value={opened}
        onChange={setOpened}
        transitionDuration={160}
        // Closed workspaces render no links: there may be a thousand.
        keepMounted={false}
        classNames={{
          item: classes.item,
          control: `${shared.menuControl} ${classes.control}`,
          label: classes.label,
          content: classes.content,
        }}
      >
        {shown.map((workspace) => (
          <Accordion.Item key={workspace.idGrupoRelatorio} value={keyOf(workspace.idGrupoRelatorio) ?? ''}>
            <Accordion.Control
              icon={<IconFolder size={18} stroke={1.6} aria-hidden />}
              data-current={workspace.idGrupoRelatorio === active || undefined}
            >
              {workspace.workspace}
            </Accordion.Control>
            <Accordion.Panel>
              <WorkspaceReports menu={workspaces} workspace={workspace} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      {hidden > 0 && (
        <Button variant="subtle" size="sm" fullWidth mt={6} onClick={showMore}>
          Mostrar mais
        </Button>
      )}
    </>
  )
}

const keyOf = (idGrupoRelatorio: number | undefined) =>
  idGrupoRelatorio === undefined ? null : String(idGrupoRelatorio)
