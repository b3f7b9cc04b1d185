import { type EmbeddedReport, specifiedPanel } from '@bi-manager/contract'

/** The portal's answer that opens a report of the local service for an hour. */
export const embeddedReport = (change: Partial<EmbeddedReport> = {}): EmbeddedReport => ({
  embedToken: 'token',
  embedUrl: 'http://localhost:4501/reportEmbed',
  reportId: '33333333-aaaa-4333-8333-333333333333',
  pageName: null,
  expiration: new Date(Date.now() + 60 * 60_000).toISOString(),
  idRelatorio: 7,
  nomeRelatorio: 'Sinistralidade',
  nomeGrupo: 'Custos',
  operadoraRelatorio: '',
  filtros: [],
  filtrosPainel: [...specifiedPanel],
  tipoRelatorio: 'INTERATIVO',
  parametros: [],
  painelParametros: true,
  comentarios: false,
  ...change,
})
