import type { UsageDetailKind, UsageGrouping } from '@bi-manager/contract'
import { useSearchParams } from 'react-router'
import { useChooseFilters } from '../../lib/lists/use-change-search.ts'
import { type UsageDays, usageDaysOf } from './usage-queries.ts'

interface UsageTable {
  label: string
  /** One kind of list each. */
  list: { por: UsageGrouping } | { tipo: UsageDetailKind } | 'semUso' | 'nuncaEntraram'
}

/** The tables of the page, by their name in the address. */
export const usageTables = {
  relatorios: { label: 'Relatórios', list: { por: 'relatorio' } },
  workspaces: { label: 'Workspaces', list: { por: 'workspace' } },
  pessoas: { label: 'Pessoas', list: { por: 'pessoa' } },
  perfis: { label: 'Perfis', list: { por: 'perfil' } },
  paginas: { label: 'Páginas mais abertas', list: { tipo: 'pagina' } },
  filtros: { label: 'Filtros mais usados', list: { tipo: 'filtro' } },
  exportacoes: { label: 'Exportações mais pedidas', list: { tipo: 'exportacao' } },
  erros: { label: 'Erros mais frequentes', list: { tipo: 'erro' } },
  'sem-uso': { label: 'Relatórios sem uso', list: 'semUso' },
  'nunca-entraram': { label: 'Pessoas que nunca entraram', list: 'nuncaEntraram' },
} as const satisfies Record<string, UsageTable>
export type UsageTableName = keyof typeof usageTables

export const UNUSED_DAYS = [7, 30, 60, 90, 180, 365] as const

const isTable = (text: string | null): text is UsageTableName =>
  text !== null && Object.hasOwn(usageTables, text)

/** The period and the table, kept in the address with the state of the list. */
export const useUsageView = () => {
  const [params] = useSearchParams()
  const choose = useChooseFilters()
  const wanted = params.get('ver')
  const ver: UsageTableName = isTable(wanted) ? wanted : 'relatorios'
  const dias = usageDaysOf(params.get('dias'))
  const semUso = UNUSED_DAYS.find((days) => String(days) === params.get('semUso')) ?? 30
  return {
    ver,
    dias,
    semUso,
    /** The other tables have other orders, and the search belongs to the old one. */
    chooseTable: (next: string) => choose({ ver: next, ordem: undefined, busca: undefined }),
    choosePeriod: (days: UsageDays) => choose({ dias: String(days) }),
    chooseUnused: (days: string) => choose({ semUso: days }),
  }
}
