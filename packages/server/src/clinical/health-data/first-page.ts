import { FIRST_CLINICAL_PAGE } from '@bi-manager/contract'

/**
 * Lists of health data are always paged: a query without a page gets the first one
 * (contract/src/calls/lists.ts).
 */
export const orFirstPage = <Q extends { pagina?: number | undefined; tamanho?: number | undefined }>(
  query: Q,
): Q =>
  query.pagina === undefined ? { ...query, pagina: 1, tamanho: query.tamanho ?? FIRST_CLINICAL_PAGE } : query
