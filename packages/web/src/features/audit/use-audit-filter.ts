import type { AuditAction } from '@bi-manager/contract'
import { useSearchParams } from 'react-router'
import { isoDayOf } from '../../ui/day-text.ts'
import { recordIdOf } from '../../ui/record-form/record-page.tsx'
import { isAction } from './audit-texts.ts'

export type AuditFilter = {
  idUsuario?: number | undefined
  acao?: AuditAction | undefined
  objeto?: string | undefined
  de?: string | undefined
  ate?: string | undefined
}

/** What the trail is narrowed to, kept in the address beside its page. */
export const useAuditFilter = () => {
  const [params, setParams] = useSearchParams()
  const acao = params.get('acao')
  const filter: AuditFilter = {
    idUsuario: recordIdOf(params.get('idUsuario')),
    acao: isAction(acao) ? acao : undefined,
    objeto: params.get('objeto')?.slice(0, 80) || undefined,
    de: isoDayOf(params.get('de')),
    ate: isoDayOf(params.get('ate')),
  }
  const choose = (changes: AuditFilter) => {
    // Not the parameters of the last render: a second choice right after the first must not undo it.
    const next = new URLSearchParams(window.location.search)
    next.delete('pagina')
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, String(value))
      else next.delete(name)
    }
    setParams(next, { preventScrollReset: true })
  }
  return {
    filter,
    isSet: Object.values(filter).some((value) => value !== undefined),
    choose,
    clear: () =>
      choose({ idUsuario: undefined, acao: undefined, objeto: undefined, de: undefined, ate: undefined }),
  }
}
