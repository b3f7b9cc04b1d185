import type { CurrentUser, HiddenReport, MenuWorkspace } from '@bi-manager/contract'
import { reportPath } from '@bi-manager/contract'
import { accountLinks } from '../../lib/navigation/account-links.ts'
import { adminSectionsOf } from '../../lib/navigation/admin-links.ts'
import { clinicalLinksOf } from '../../lib/navigation/clinical-links.ts'
import { HOME } from '../../lib/navigation/destination.ts'
import { matchesSearch } from '../../lib/text/search-text.ts'
import { linksOf } from '../../reports/index.ts'
import { isActionPage } from './actions.ts'

/** A line of the quick search: what it is called, where it belongs, and its address or act. */
export interface Found {
  label: string
  detail: string
  to: string
}

const REPORTS_SHOWN = 8
const SCREENS_SHOWN = 6

/**
 * Returns the reports whose name and workspace have every word: those opened last, then those whose
 * own name has them.
 */
export const findReports = (
  menu: readonly MenuWorkspace[],
  recent: readonly { idRelatorio: number }[],
  text: string,
): Found[] => {
  const { pathOf } = linksOf(menu)
  const age = new Map(recent.map(({ idRelatorio }, index) => [idRelatorio, index]))
  const ageOf = ({ idRelatorio }: { idRelatorio: number }) => age.get(idRelatorio) ?? age.size
  const named = ({ nome }: { nome: string }) => matchesSearch(nome, text)
  return menu
    .flatMap((workspace) => workspace.relatorios.map((report) => ({ workspace, report })))
    .filter(({ workspace, report }) =>
      text === ''
        ? age.has(report.idRelatorio)
        : matchesSearch(`${report.nome} ${workspace.workspace}`, text),
    )
    .sort((a, b) => ageOf(a.report) - ageOf(b.report) || Number(named(b.report)) - Number(named(a.report)))
    .slice(0, REPORTS_SHOWN)
    .map(({ workspace, report }) => ({
      label: report.nome,
      detail: workspace.workspace,
      to: pathOf(workspace, report),
    }))
}

/** Returns reports that the person cannot open; their pages offer to ask for access. */
export const findHidden = (reports: readonly HiddenReport[]): Found[] =>
  reports.slice(0, REPORTS_SHOWN).map(({ nomeRelatorio, nomeGrupo, groupId, reportId, idRelatorio }) => ({
    label: nomeRelatorio,
    detail: `Sem acesso · ${nomeGrupo}`,
    to: reportPath({ workspace: nomeGrupo, relatorio: nomeRelatorio, groupId, reportId, idRelatorio }),
  }))

/** Returns the screens that this user may open and whose name has every word; actions are others. */
export const findScreens = (user: CurrentUser | undefined, text: string): Found[] => {
  const screens: Found[] = [
    { label: 'Início', detail: '', to: HOME },
    { label: 'Notificações', detail: '', to: '/notificacoes' },
    { label: 'Meu uso', detail: 'Sua conta', to: '/meu-uso' },
    { label: 'Chaves de API', detail: 'Sua conta', to: '/chaves' },
    ...accountLinks.map((link) => ({ ...link, detail: 'Sua conta' })),
    ...clinicalLinksOf(user).map(({ label, to }) => ({ label, detail: 'Prontuários', to })),
    ...adminSectionsOf(user?.tipoUsuario).flatMap(({ phoneTitle, links }) =>
      links
        .filter(({ to }) => !isActionPage(to))
        .map(({ label, name, to }) => ({
          label: name ?? `${label} ${phoneTitle}`,
          detail: 'Administração',
          to,
        })),
    ),
  ]
  return screens
    .filter(({ label, detail }) => matchesSearch(`${label} ${detail}`, text))
    .slice(0, SCREENS_SHOWN)
}
