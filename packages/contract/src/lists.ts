import { z } from 'zod'

/** Rows a page that the portal offers. */
export const PAGE_SIZES = [5, 10, 25, 50] as const

/** Rows that a list without `pagina` answers at most. */
export const WHOLE_LIST = 1_000

/** Rows that a list of health data without `pagina` answers at most: the first page. */
export const FIRST_CLINICAL_PAGE = 100

/** Rows a page when nobody says otherwise. */
export const PAGE_SIZE = PAGE_SIZES[0]

/** Matches in tables of up to this many rows are always counted to the last. */
export const COUNTED_EXACTLY = 5_000

/** In larger ones, counting stops here: to count a search through 100,000 rows costs far more than its page. */
export const COUNTED_AT_MOST = 100

/** What lists take that are always in the same order. */
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

/** What lists of health data take: each answer is one page, so that no single call takes a thousand people along. */
export const clinicalPageQuery = pageQuery.extend({
  pagina: pageQuery.shape.pagina.meta({
    description: 'A partir de 1. Sem ela vem a primeira página, de `tamanho` linhas, ou 100.',
  }),
})

/**
 * What every list takes. Answers are a bare array; `X-Total-Count` says how many match in all (`X-Total-Count-Capped: true`
 * where there are more than it says) and `Link` names the next page.
 */
export const listQuery = <const F extends string>(fields: readonly [F, ...F[]]) =>
  z.object({
    busca: z
      .string()
      .trim()
      .normalize('NFC')
      .max(200)
      .regex(/^[^\0]*$/)
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
