import type { EmbeddedReport } from '@bi-manager/contract'

/** In a file without powerbi-client, which the opening of a report loads later. */
export const isPaginated = ({ tipoRelatorio }: EmbeddedReport): boolean => tipoRelatorio === 'PAGINADO'
