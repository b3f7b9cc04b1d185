import { KIOSK_DAYS, KIOSK_SECONDS, type Kiosk, type KioskDraft, type KioskPage } from '@bi-manager/contract'
import { networksOf } from '../../lib/text/networks-of.ts'
import type { WholeBody } from '../../ui/entity-form/field-values.ts'
import type { SelectOption } from '../../ui/search-select/select-options.ts'

/** A page as the form edits it. */
export interface PageValues {
  /** Identifies it while pages are moved; new ones have negative keys. */
  chave: number
  relatorio: SelectOption | null
  /** '' is the report's first page. */
  pagina: string
  titulo: string
  segundos: string
  /** The name of a deleted report: the page leaves the list when the kiosk is saved. */
  excluido: string | null
}

/** The form's values. */
export const valuesOf = (kiosk: Kiosk | undefined) => ({
  nome: kiosk?.nome ?? '',
  paginas: kiosk?.paginas.map(pageValuesOf) ?? [newPage([])],
  aparencia: kiosk?.aparencia ?? ('CLARO' as const),
  ativo: kiosk?.ativo ?? true,
  validadeDias: String(kiosk?.validadeDias ?? KIOSK_DAYS.usual),
  usuarioIdentidade: kiosk?.usuarioIdentidade ?? '',
  identidadeRls: kiosk?.identidadeRls ?? '',
  redes: kiosk?.redes.join('\n') ?? '',
})
export type KioskValues = ReturnType<typeof valuesOf>

const pageValuesOf = ({ idTelaoPagina, idRelatorio, nomeRelatorio, ...page }: KioskPage): PageValues => ({
  chave: idTelaoPagina,
  relatorio: idRelatorio === null ? null : { value: idRelatorio, label: nomeRelatorio },
  pagina: page.pagina ?? '',
  titulo: page.tituloPagina ?? '',
  segundos: String(page.segundos),
  excluido: idRelatorio === null ? nomeRelatorio : null,
})

/** Returns a blank page with a key that none of these has. */
export const newPage = (pages: PageValues[]): PageValues => ({
  chave: Math.min(0, ...pages.map(({ chave }) => chave)) - 1,
  relatorio: null,
  pagina: '',
  titulo: '',
  segundos: pages.at(-1)?.segundos ?? String(KIOSK_SECONDS.usual),
  excluido: null,
})

/** Returns the request body. Pages of deleted reports are left out. */
export const draftOf = (values: KioskValues): WholeBody<KioskDraft> => ({
  nome: values.nome,
  paginas: values.paginas
    .filter(({ excluido }) => excluido === null)
    .map(({ relatorio, pagina, titulo, segundos }) => ({
      idRelatorio: relatorio?.value ?? 0,
      pagina: pagina || null,
      tituloPagina: titulo || null,
      segundos: Number(segundos),
    })),
  aparencia: values.aparencia,
  ativo: values.ativo,
  validadeDias: Number(values.validadeDias),
  usuarioIdentidade: values.usuarioIdentidade.trim() || null,
  identidadeRls: values.identidadeRls.trim() || null,
  redes: networksOf(values.redes),
})

/** Returns the pages with one of them moved by a step. */
export const movedPages = (pages: PageValues[], index: number, step: -1 | 1): PageValues[] => {
  const moved = pages[index]
  if (!moved || !pages[index + step]) return pages
  return pages.toSpliced(index, 1).toSpliced(index + step, 0, moved)
}
