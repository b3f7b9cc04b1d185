import type { MenuWorkspace } from '@bi-manager/contract'
import { Accordion } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { reportInPath } from '../../lib/report-path.ts'
import { ReportLink } from './report-link.tsx'
import classes from './report-menu.module.css'

/** One accordion for each workspace, one open at a time; the one of the report on the screen opens by itself. */
export const WorkspaceAccordions = ({ workspaces }: { workspaces: MenuWorkspace[] }) => {
  const active = reportInPath(useLocation().pathname)
  const [opened, setOpened] = useState<string | null>(active?.groupId ?? null)
  useEffect(() => {
    if (active?.groupId) setOpened(active.groupId)
  }, [active?.groupId])

  return (
    <Accordion
      order={3}
      value={opened}
      onChange={setOpened}
      transitionDuration={160}
      classNames={{
        item: classes.item,
        control: classes.control,
        label: classes.label,
        content: classes.content,
      }}
    >
      {workspaces.map((workspace) => (
        <Accordion.Item key={workspace.idGrupoRelatorio} value={workspace.groupId}>
          <Accordion.Control
            icon={<IconFolder size={18} stroke={1.6} aria-hidden />}
            data-current={workspace.groupId === active?.groupId || undefined}
          >
            {workspace.workspace}
          </Accordion.Control>
          <Accordion.Panel>
            <ul className={classes.list}>
              {workspace.relatorios.map((report) => (
                <li key={report.idRelatorio}>
                  <ReportLink workspace={workspace} report={report} />
                </li>
              ))}
            </ul>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}
