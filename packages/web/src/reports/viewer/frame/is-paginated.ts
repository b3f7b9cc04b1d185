import type { EmbeddedReport } from '@bi-manager/contract'

/** This file does not import powerbi-client, which is loaded when a report is opened. */
export const isPaginated = ({ tipoRelatorio }: EmbeddedReport): boolean => tipoRelatorio === 'PAGINADO'
