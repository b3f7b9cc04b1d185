import { EmbeddedReport, panelFieldsOf } from '@bi-manager/contract'
import { afterEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../../test/token.ts'
import { call } from '../../../lib/api/api.ts'
import { startSession } from '../../../lib/session/session.ts'
import { choiceFrom, filtersOf } from '../filters/panel-filters.ts'
import { PrefetchedTokens } from './prefetched-tokens.ts'
import { requestToken } from './request-token.ts'

const address = {
  groupId: '22222222-aaaa-4222-8222-222222222222',
  reportId: '33333333-aaaa-4333-8333-333333333333',
}
/** What 0.2.0 answers. */
const earlier = {
  embedToken: 'token',
  embedUrl: 'http://localhost:4501/reportEmbed',
  reportId: address.reportId,
  pageName: null,
  expiration: new Date(Date.now() + 3_600_000).toISOString(),
  idRelatorio: 7,
  nomeRelatorio: 'Sinistralidade',
  nomeGrupo: 'Custos',
  operadoraRelatorio: 'CNU',
  filtros: [],
}
const completed = {
  ...earlier,
  filtrosPainel: panelFieldsOf({ operadora: 'CNU' }),
  tipoRelatorio: 'INTERATIVO',
  parametros: [],
  painelParametros: true,
  comentarios: false,
}

afterEach(() => vi.unstubAllGlobals())
const signInWith = (answer: object) => {
  vi.stubGlobal('fetch', async () => Response.json(answer))
  startSession(signedInUntil(Date.now() + 3_600_000))
}
const sources = [
  ['requestToken', () => requestToken({ address }, call, new AbortController().signal)],
  ['PrefetchedTokens', () => new PrefetchedTokens().prefetch(address)],
] as const

test('a field that 0.2.0 does not send has a value of its own', () => {
  expect(Object.keys(completed).toSorted()).toEqual(Object.keys(EmbeddedReport.shape).toSorted())
})

test.each(sources)(
  '%s gives a report of a portal without panel filters the specified ones',
  async (_, get) => {
    signInWith(earlier)
    const embedded = await get()
    expect(embedded).toEqual(completed)
    const fields = embedded?.filtrosPainel ?? []
    expect(fields.map(({ nome, padrao }) => [nome, padrao])).toEqual([
      ['operadora', 'CNU'],
      ['sexo', ''],
      ['titularidade', ''],
    ])
    const chosen = filtersOf(fields, choiceFrom(new URLSearchParams('sexo=feminino'), fields))
    expect(JSON.stringify(chosen)).toContain('feminino')
  },
)

test.each(sources)('%s keeps the fields that the portal sends', async (_, get) => {
  const sent = { ...completed, filtrosPainel: [], tipoRelatorio: 'PAGINADO', painelParametros: false }
  signInWith(sent)
  expect(await get()).toEqual(sent)
})
