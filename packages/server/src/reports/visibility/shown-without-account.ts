import { type RawBuilder, sql } from 'kysely'

/**
 * What keeps a report from every viewer without an account: guests and screens on walls. Conditions
 * for a query with `relatorio`, also after a left join.
 */
export const withoutAccountDenialReasons = {
  isSensitive: sql<boolean>`coalesce(relatorio.sensivel, false)`,
  isPaginated: sql<boolean>`coalesce(relatorio.tipo_relatorio = 'PAGINADO', false)`,
} satisfies Record<string, RawBuilder<boolean>>

/**
 * Returns the sentence of each reason.
 * @param refusal its end, such as 'não passam em telões'
 */
export const withoutAccountTexts = (
  refusal: string,
): Record<keyof typeof withoutAccountDenialReasons, string> => ({
  isSensitive: `Relatórios com dados sensíveis ${refusal}.`,
  isPaginated: `Relatórios paginados ${refusal}.`,
})
