import type { MenuWorkspace } from '@bi-manager/contract'
import { Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { useLimitedList } from '../../lib/lists/use-first.ts'
import { InlineMessage } from '../../ui/inline-message.tsx'
import shared from '../../ui/shared.module.css'
import { linksOf } from './menu.ts'
import { ReportLink } from './report-link.tsx'
import classes from './report-menu.module.css'

interface FoundReportsProps {
  /** The whole menu, which decides whether links need the registration's id. */
  menu: MenuWorkspace[]
  /** The workspaces with the found reports. */
  found: MenuWorkspace[]
}

const STEP = 50

/** The results of the menu's search, each with the name of its workspace. */
export const FoundReports = ({ menu, found }: FoundReportsProps) => {
  const links = linksOf(menu)
  const matches = found.flatMap((workspace) => workspace.relatorios.map((report) => ({ workspace, report })))
  const { shown, hidden, showMore } = useLimitedList(matches, STEP)
  if (matches.length === 0)
    return <InlineMessage icon={IconSearchOff}>Desculpe! Sem resultados para essa pesquisa.</InlineMessage>
  return (
    <>
      <ul className={`${shared.menuList} ${classes.list}`} aria-label="Relatórios encontrados">
        {shown.map(({ workspace, report }) => (
          <li key={report.idRelatorio}>
            <ReportLink workspace={workspace} report={report} links={links} withWorkspace />
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button variant="subtle" size="sm" fullWidth mt={6} onClick={showMore}>
          Mostrar mais
        </Button>
      )}
    </>
  )
}
