import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endpoints } from '../../../test/calls/endpoints.ts'
import { createGuest, sentLink } from '../../../test/distribution/guests.ts'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { createUser } from '../../../test/users.ts'

/* Random invitations, changes and visits: a guest gets what a live invitation of theirs gives, no more. */

const guests = 3
const reports = 3
const guest = fc.nat(guests - 1)
const report = fc.nat(reports - 1)
const on = fc.boolean()
const others = endpoints.filter(({ permission }) => permission !== 'guest:visit' && permission !== 'public')

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('invite' as const), guest, report, named: on }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('enter' as const), guest }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('revoke' as const), guest }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revokeAll' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('switch' as const), on }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), guest, on }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('block' as const), on }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('roles' as const), report, on }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sensitive' as const), report, on }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('identity' as const), guest, named: on }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const { suite, publish } = embeddingSuite({ RATE_LIMIT_PER_MINUTE: '1000000' })
const { app } = suite

const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index]
  if (found === undefined) throw new Error(`no item ${index}`)
  return found
}

/** An invitation as the model knows it; `credential` is that of its open visit. */
interface Invitation {
  id: number
  report: number
  identity: string | null
  isRevoked: boolean
  isOver: boolean
  credential: string | undefined
}

const createWorld = async () => {
  await app.reset()
  suite.provider.seen.length = 0
  const admin = await createUser(app, { tipoUsuario: 'ADMIN' })
  const published = []
  for (let n = 0; n < reports; n += 1) published.push(await publish({ nomeRelatorio: `Relatório-${n}-` }))
  const known = published.map(({ report: { idRelatorio, reportId } }) => ({
    idRelatorio,
    reportId,
    hasRoles: false,
    isSensitive: false,
  }))
  const world = { isOn: true, isAdminActive: true }
  const invitations: (Invitation | undefined)[] = Array.from({ length: guests }, () => undefined)
  /** Every credential that any visit ever had. */
  const credentials = new Map<string, Invitation>()

  const mayVisit = (one: Invitation): boolean => {
    const { hasRoles, isSensitive } = at(known, one.report)
    const isShowable = !isSensitive && (!hasRoles || one.identity !== null)
    return world.isOn && world.isAdminActive && isShowable && !one.isRevoked && !one.isOver
  }

  const setGuest = (id: number, fields: object) =>
    app.db.updateTable('convidado').set(fields).where('idConvidado', '=', id).execute()
  const setReport = (index: number, fields: object) =>
    app.db
      .updateTable('relatorio')
      .set(fields)
      .where('idRelatorio', '=', at(known, index).idRelatorio)
      .execute()

  const perform = async (next: Step): Promise<void> => {
    const invitation = 'guest' in next ? invitations[next.guest] : undefined
    const asAdmin = async () => app.as(admin)
    switch (next.do) {
      case 'invite': {
        const identity = next.named ? `pessoa-${next.guest}-${next.report}` : null
        const row = await createGuest(app, {
          idRelatorio: at(known, next.report).idRelatorio,
          convidadoPor: admin.idUsuario,
          emailConvidado: `convidado-${next.guest}-${crypto.randomUUID()}@exemplo.com.br`,
          usuarioIdentidade: identity,
        })
        world.isOn = true
        const fresh = { id: row.idConvidado, report: next.report, identity, credential: undefined }
        invitations[next.guest] = { ...fresh, isRevoked: false, isOver: false }
        return
      }
      case 'enter': {
        if (!invitation) return
        const answer = await app.anonymous.post('/visita/entrada', {
          token: await sentLink(app, { idConvidado: invitation.id }),
        })
        expect(answer.status).toBe(mayVisit(invitation) ? 201 : 400)
        if (answer.status !== 201) return
        invitation.credential = answer.body.credencial
        credentials.set(answer.body.credencial, invitation)
        return
      }
      case 'revoke':
        if (!invitation || !world.isAdminActive) return
        await (await asAdmin()).post(`/convidados/${invitation.id}/revogar`)
        Object.assign(invitation, { isRevoked: true, credential: undefined })
        return
      case 'revokeAll':
        if (!world.isAdminActive) return
        await (await asAdmin()).post('/convidados/revogar')
        for (const one of credentials.values()) Object.assign(one, { isRevoked: true, credential: undefined })
        for (const one of invitations) if (one) one.isRevoked = true
        return
      case 'switch': {
        if (!world.isAdminActive) return
        const rules = { ligado: next.on, diasMaximos: 30, dominios: [], redes: [] }
        expect((await (await asAdmin()).put('/configuracao/convidados', rules)).status).toBe(200)
        world.isOn = next.on
        if (!next.on) for (const one of credentials.values()) one.credential = undefined
        return
      }
      case 'end':
        if (!invitation) return
        await setGuest(invitation.id, { venceEm: new Date(Date.now() + (next.on ? -1_000 : 3_600_000)) })
        invitation.isOver = next.on
        return
      case 'block':
        world.isAdminActive = !next.on
        await app.db
          .updateTable('usuario')
          .set({ situacao: next.on ? 'BLOQUEADO' : 'ATIVO' })
          .where('idUsuario', '=', admin.idUsuario)
          .execute()
        return
      case 'roles':
        at(known, next.report).hasRoles = next.on
        await setReport(next.report, { papeisRls: next.on ? ['Operadora'] : [] })
        return
      case 'sensitive':
        at(known, next.report).isSensitive = next.on
        await setReport(next.report, { sensivel: next.on })
        return
      case 'identity':
        if (!invitation) return
        invitation.identity = next.named ? `outra-${next.guest}` : null
        await setGuest(invitation.id, { usuarioIdentidade: invitation.identity })
    }
  }

  const compare = async (): Promise<void> => {
    for (const [credential, invitation] of credentials) {
      const isOpen = invitation.credential === credential && mayVisit(invitation)
      const visit = app.withHeaders({ authorization: `Bearer ${credential}` })
      suite.provider.seen.length = 0
      const [shown, opened] = [await visit.get('/visita'), await visit.post('/visita/relatorio')]
      expect([shown.status, opened.status]).toEqual(isOpen ? [200, 200] : [401, 401])
      const said = JSON.stringify([shown.body, opened.body])
      const names = [...said.matchAll(/Relatório-\d-/g)].map(([name]) => name)
      expect(new Set(names)).toEqual(new Set(isOpen ? [`Relatório-${invitation.report}-`] : []))
      const { reportId, hasRoles } = at(known, invitation.report)
      const tokens = suite.provider.seen
        .filter(({ path }) => path.endsWith('/GenerateToken'))
        .map(({ body }) => JSON.parse(body ?? ''))
      expect(tokens.map((token) => token.reports)).toEqual(
        isOpen ? [[{ id: reportId, allowEdit: false }]] : [],
      )
      if (isOpen && hasRoles)
        expect(tokens[0].identities).toMatchObject([{ username: invitation.identity, roles: ['Operadora'] }])
      const other = at(others, Math.floor(Math.random() * others.length))
      const url = other.url.replace(/:\w+/g, '1')
      const refused = await (other.method === 'GET' ? visit.get(url) : visit.post(url))
      if (other.method === 'GET' || other.method === 'POST') expect(refused.status, url).toBe(401)
    }
  }
  return { perform, compare }
}

test('no guest receives a report, a name or rows that no invitation of theirs gives', {
  timeout: 120_000,
}, async () => {
  const steps = fc.array(step, { minLength: 5, maxLength: 14, size: 'max' })
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const world = await createWorld()
      for (const next of sequence) {
        await world.perform(next)
        await world.compare()
      }
    }),
    { numRuns: 25, endOnFailure: true },
  )
})
