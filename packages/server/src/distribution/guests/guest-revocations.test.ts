import { describe, expect, test } from 'vitest'
import { endpoints } from '../../../test/calls/endpoints.ts'
import { createGuest, openedVisit } from '../../../test/distribution/guests.ts'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { createUser } from '../../../test/users.ts'

/* Each call of a guest × each reason for which a visit ends: it applies to the next call. */

const { suite, publish } = embeddingSuite({ RATE_LIMIT_PER_MINUTE: '1000000' })

const past = () => new Date(Date.now() - 1_000)
const set = (table: 'convidado' | 'usuario' | 'relatorio' | 'convidadoRegras', fields: object) => () =>
  suite.app.db.updateTable(table).set(fields).execute()

const revocations: Record<string, () => Promise<unknown>> = {
  'the guest is revoked': set('convidado', { revogadoEm: past() }),
  'the last day has passed': set('convidado', { venceEm: past() }),
  'guests are switched off': set('convidadoRegras', { ligado: false }),
  'the domain is no longer allowed': set('convidadoRegras', { dominios: ['outro.com.br'] }),
  'the ADMIN who invited is blocked': set('usuario', { situacao: 'BLOQUEADO' }),
  'the account of the ADMIN has ended': set('usuario', { venceEm: past() }),
  'the ADMIN is none any more': set('usuario', { tipoUsuario: 'USER' }),
  'the account of the ADMIN is deleted': () => suite.app.db.deleteFrom('usuario').execute(),
  'the report gets roles, and the invitation has no identity': set('relatorio', { papeisRls: ['Operadora'] }),
  'the report is marked as sensitive': set('relatorio', { sensivel: true }),
  'the report becomes paginated': set('relatorio', { tipoRelatorio: 'PAGINADO' }),
  'the report is deleted': () => suite.app.db.deleteFrom('relatorio').execute(),
  'the visit has ended': () => suite.app.db.deleteFrom('convidadoVisita').execute(),
}

const calls = endpoints.filter(({ permission }) => permission === 'guest:visit')

test('a guest has calls to test', () => {
  expect(calls.map(({ method, url }) => `${method} ${url}`).sort()).toEqual([
    'GET /visita',
    'POST /visita/relatorio',
    'POST /visita/sair',
  ])
})

describe.each(Object.entries(revocations))('when %s', (_, revoke) => {
  test.each(calls.map(({ method, url }) => [method, url] as const))(
    '%s %s is refused',
    async (method, url) => {
      const { report } = await publish()
      const admin = await createUser(suite.app, { tipoUsuario: 'ADMIN' })
      const fields = { idRelatorio: report.idRelatorio, convidadoPor: admin.idUsuario }
      const credential = await openedVisit(suite.app, await createGuest(suite.app, fields))
      const visit = suite.app.withHeaders({ authorization: `Bearer ${credential}` })
      expect((await visit.get('/visita')).status).toBe(200)
      await revoke()
      const { status, body } = await (method === 'GET' ? visit.get(url) : visit.post(url))
      expect([status, body.codigo]).toEqual([401, 'visita_encerrada'])
      expect(suite.provider.seen.filter(({ path }) => path.endsWith('/GenerateToken'))).toEqual([])
    },
  )
})
