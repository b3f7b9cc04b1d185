import type { MenuReport, MenuWorkspace } from '@bi-manager/contract'
import { Accordion, Anchor, Button } from '@mantine/core'
import { IconFolder, IconSearchOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useLimitedList } from '../../lib/lists/use-first.ts'
import { reportAsPath } from '../../lib/navigation/report-path.ts'
import { matchesSearch } from '../../lib/text/search-text.ts'
import { countOf, isLazy } from '../../reports/index.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { PageSearch } from '../../ui/page-search/page-search.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { menuReportsAsQuery } from './explainer-queries.ts'
import classes from './menu-as.module.css'

interface Look {
  idUsuario: number
  opening: number
}

/** The number of reports from which a search field is shown, as in the menu itself. */
const SEARCH_FROM = 9
const WORKSPACES = 24
const REPORTS = 50

export const MenuAsWorkspaces = ({ menu, ...look }: Look & { menu: MenuWorkspace[] }) => {
  const [search, setSearch] = useState('')
  const isWhole = !menu.some(isLazy)
  const found = search.trim() ? matching(menu, search) : menu
  const { shown, hidden, showMore } = useLimitedList(found, WORKSPACES)
  const searchLabel = isWhole ? 'Buscar relatório ou workspace' : 'Buscar workspace'
  return (
    <>
      {countOf(menu) >= SEARCH_FROM && <PageSearch label={searchLabel} value={search} onChange={setSearch} />}
      {found.length === 0 && (
        <InlineMessage icon={IconSearchOff}>Desculpe! Sem resultados para essa pesquisa.</InlineMessage>
      )}
      {/* Several workspaces may be open at once, for comparison; in the menu itself only one. */}
      <Accordion
        multiple
        order={2}
        keepMounted={false}
        transitionDuration={160}
        classNames={{
          item: shared.lastOpen ?? '',
          control: shared.menuControl ?? '',
          content: classes.content ?? '',
        }}
      >
        {shown.map((workspace) => (
          <Accordion.Item key={workspace.idGrupoRelatorio} value={String(workspace.idGrupoRelatorio)}>
            <Accordion.Control icon={<IconFolder size={18} stroke={1.6} aria-hidden />}>
              <span className={shared.workspace}>
                {workspace.workspace}
                <span className={classes.count}>{workspace.quantidade.toLocaleString('pt-BR')}</span>
              </span>
            </Accordion.Control>
            <Accordion.Panel>
              {isLazy(workspace) ? (
                <ReportsOnDemand workspace={workspace} {...look} />
              ) : (
                <Reports reports={workspace.relatorios} groupId={workspace.groupId} {...look} />
              )}
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      {hidden > 0 && (
        <Button variant="subtle" onClick={showMore}>
          Mostrar mais
        </Button>
      )}
    </>
  )
}

const ReportsOnDemand = ({ workspace, ...look }: Look & { workspace: MenuWorkspace }) => {
  const { data, error, isFetching, refetch } = useQuery(
    menuReportsAsQuery(look.idUsuario, look.opening, workspace.idGrupoRelatorio),
  )
  if (data) return <Reports reports={data} groupId={workspace.groupId} {...look} />
  if (error) return <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  return <SkeletonLines label={`Carregando ${workspace.workspace}`} />
}

const Reports = ({ reports, groupId, idUsuario }: Look & { reports: MenuReport[]; groupId: string }) => {
  const { shown, hidden, showMore } = useLimitedList(reports, REPORTS)
  return (
    <>
      <ul className={shared.menuList}>
        {shown.map(({ idRelatorio, nome, reportId }) => (
          <li key={idRelatorio} className={classes.report}>
            <span className={shared.breakable}>{nome}</span>
            <Anchor
              component={Link}
              size="sm"
              flex="none"
              underline="always"
              to={reportAsPath(idUsuario, { groupId, reportId, idRelatorio })}
              aria-label={`Abrir como esta pessoa: ${nome}`}
            >
              Abrir como
            </Anchor>
            <Anchor
              component={Link}
              size="sm"
              flex="none"
              underline="always"
              to={`/permissoes/porque?usuario=${idUsuario}&relatorio=${idRelatorio}`}
              aria-label={`Por que vê ${nome}?`}
            >
              Por quê?
            </Anchor>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button variant="subtle" size="xs" onClick={showMore}>
          Mostrar mais
        </Button>
      )}
    </>
  )
}

/** Returns workspaces whose name matches, complete, and the matching reports of the others. */
const matching = (menu: MenuWorkspace[], search: string): MenuWorkspace[] =>
  menu.flatMap((workspace) => {
    if (matchesSearch(workspace.workspace, search)) return [workspace]
    const relatorios = workspace.relatorios.filter(({ nome }) => matchesSearch(nome, search))
    return relatorios.length > 0 ? [{ ...workspace, relatorios, quantidade: relatorios.length }] : []
  })
