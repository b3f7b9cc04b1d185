import { z } from './zod.ts'

/** Page sizes that the portal offers. */
export const PAGE_SIZES = [5, 10, 15, 20, 25, 50] as const

/** Maximum number of rows of a list without `pagina`. */
export const WHOLE_LIST = 1_000

/** Maximum number of rows of a list of health data without `pagina`: the first page. */
export const FIRST_CLINICAL_PAGE = 100

/** Rows per page of a call without `tamanho`. */
export const PAGE_SIZE = PAGE_SIZES[0]

/** Rows of a table up to which its lists show an exact total. */
export const COUNTED_EXACTLY = 5_000

/** In a larger table, matches of a search up to which their total is exact; more are shown as 'mais de'. */
export const MAX_COUNTED = 100

/** Query of lists with a fixed order. */
export const pageQuery = z.object({
  pagina: z.coerce
    .number<number | string>()
    .int()
    .min(1)
    .max(10_000_000)
    .optional()
    .meta({ description: 'A partir de 1. Sem ela vem a lista inteira, até 1.000 linhas.' }),
  tamanho: z.coerce
    .number<number | string>()
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Linhas por página, de 1 a 100; 5 se não informado.' }),
})

/** Query of lists of health data: always one page, so that no call reads all patients. */
export const clinicalPageQuery = pageQuery.extend({
  pagina: pageQuery.shape.pagina.meta({
    description: 'A partir de 1. Sem ela vem a primeira página, de `tamanho` linhas, ou 100.',
  }),
})

/** Part of a name to search for. The database takes no zero byte. */
export const searchText = z
  .string()
  .trim()
  .normalize('NFC')
  .max(200)
  .regex(/^[^\0]*$/)

/**
 * Query of every list. Answers are bare arrays; `X-Total-Count` is the number of matches
 * (`X-Total-Count-Capped: true` if there are more) and `Link` names the next page.
 */
export const listQuery = <const F extends string>(fields: readonly [F, ...F[]]) =>
  z.object({
    busca: searchText
      .optional()
      .meta({ description: 'Trecho do nome, sem diferença de acentos e maiúsculas.' }),
    ...pageQuery.shape,
    ordem: z
      .enum([...fields, ...fields.map((field) => `-${field}` as const)])
      .optional()
      .meta({ description: 'Campo da ordenação; com - na frente, decrescente.' }),
  })

export interface ListQuery<F extends string = string> {
  busca?: string | undefined
  pagina?: number | undefined
  tamanho?: number | undefined
  ordem?: F | `-${F}` | undefined
}
