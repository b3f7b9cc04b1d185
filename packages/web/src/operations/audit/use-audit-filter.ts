import type { AuditAction } from '@bi-manager/contract'
import { useSearchParams } from 'react-router'
import { useChooseFilters } from '../../lib/lists/use-change-search.ts'
import { isoDayOf } from '../../ui/day-field/day-text.ts'
import { entityIdOf } from '../../ui/entity-form/entity-page.tsx'
import { isAction } from './audit-texts.ts'

export type AuditFilter = {
  idUsuario?: number | undefined
  acao?: AuditAction | undefined
  objeto?: string | undefined
  de?: string | undefined
  ate?: string | undefined
}

/** State of the trail's filters, kept in the URL with the page number. */
export const useAuditFilter = () => {
  const [params] = useSearchParams()
  const acao = params.get('acao')
  const filter: AuditFilter = {
    idUsuario: entityIdOf(params.get('idUsuario')),
    acao: isAction(acao) ? acao : undefined,
    objeto: params.get('objeto')?.slice(0, 80) || undefined,
    de: isoDayOf(params.get('de')),
    ate: isoDayOf(params.get('ate')),
  }
  const choose: (changes: AuditFilter) => void = useChooseFilters()
  return {
    filter,
    /** The period ends before it begins, so nothing is fetched. */
    isInverted: filter.de !== undefined && filter.ate !== undefined && filter.de > filter.ate,
    isSet: Object.values(filter).some((value) => value !== undefined),
    choose,
    clear: () =>
      choose({ idUsuario: undefined, acao: undefined, objeto: undefined, de: undefined, ate: undefined }),
  }
}
