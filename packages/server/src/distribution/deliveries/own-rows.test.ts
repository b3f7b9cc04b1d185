import { beforeEach, describe, expect, test } from 'vitest'
import { alertDraft, createAlert } from '../../../test/distribution/alerts.ts'
import { createSubscription, subscriptionDraft } from '../../../test/distribution/subscriptions.ts'
import { grantReport } from '../../../test/reports.ts'
import { alertSuite } from '../../../test/stand-ins/alert-suite.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { createUser } from '../../../test/users.ts'

const { suite, values, publish } = alertSuite()
type Session = Awaited<ReturnType<TestApp['as']>>
type Person = Awaited<ReturnType<typeof createUser>>

interface Kind {
  kind: 'alert' | 'subscription'
  path: string
  own: string
  subject: string
  name: 'nomeAlerta' | 'assunto'
  active: 'ativo' | 'ativa'
  history: string
  tooMany: string
  draft: (name: string) => object
  insert: (idRelatorio: number, idDono: number, name: string) => Promise<number>
}

const kinds: Kind[] = [
  {
    kind: 'alert',
    path: 'alertas',
    own: 'meus',
    subject: 'alerta',
    name: 'nomeAlerta',
    active: 'ativo',
    history: 'avaliacoes',
    tooMany: 'alertas_demais',
    draft: (nomeAlerta) => alertDraft({ nomeAlerta }),
    insert: async (idRelatorio, idDono, nomeAlerta) =>
      (await createAlert(suite.app, { idRelatorio, idDono, nomeAlerta })).idAlerta,
  },
  {
    kind: 'subscription',
    path: 'assinaturas',
    own: 'minhas',
    subject: 'assinatura',
    name: 'assunto',
    active: 'ativa',
    history: 'execucoes',
    tooMany: 'assinaturas_demais',
    draft: (assunto) => subscriptionDraft({ assunto }),
    insert: async (idRelatorio, idDono, assunto) =>
      (await createSubscription(suite.app, { idRelatorio, idDono, assunto })).idAssinatura,
  },
]

describe.each(kinds)(
  '$kind',
  ({ kind, path, own, subject, name, active, history, tooMany, draft, insert }) => {
    let [admin, owner, other]: Session[] = []
    let ana: Person
    let report: Awaited<ReturnType<typeof publish>>

    beforeEach(async () => {
      values.set('todos', 1)
      ana = await createUser(suite.app, { nomeUsuario: 'Ana' })
      admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina' }))
      owner = await suite.app.as(ana)
      other = await suite.app.as(await createUser(suite.app, { nomeUsuario: 'Bia' }))
      report = await publish({ nomeRelatorio: 'Custos' })
      await grantReport(suite.app, ana.idUsuario, report.idRelatorio)
    })

    const ofReport = () => `/usuarios/relatorio/${report.idRelatorio}/${path}`
    const make = (as = ana, on = report, called = 'Custos') => insert(on.idRelatorio, as.idUsuario, called)
    const namesAt = async (session: Session | undefined, url: string): Promise<string[]> =>
      (await session?.get(url))?.body.map((row: Record<string, string>) => row[name])
    const revoke = () => suite.app.db.deleteFrom('relatorioUsuario').execute()
    const trailOf = async (id: number) =>
      (await admin?.get(`/auditoria?objeto=${subject}:${id}`))?.body as { acao: string; detalhes: object }[]

    test(`${kind}: one’s own are listed in Portuguese order, of one report and of all`, async () => {
      const second = await publish({ nomeRelatorio: 'Receitas' })
      await make(ana, report, 'Éter')
      await make(ana, second, 'água')
      await insert(report.idRelatorio, (await createUser(suite.app)).idUsuario, 'Outra pessoa')
      expect(await namesAt(owner, `/${path}/${own}`)).toEqual(['água', 'Éter'])
      expect(await namesAt(owner, ofReport())).toEqual(['Éter'])
    })

    test(`${kind}: another reader neither sees nor changes it`, async () => {
      const url = `/${path}/${await make()}`
      const calls = [
        other?.get(url),
        other?.get(`${url}/${history}`),
        other?.put(url, draft('Nova')),
        other?.put(`${url}/${active}`, { [active]: false }),
        other?.del(url),
        other?.get(ofReport()),
        other?.post(ofReport(), draft('Nova')),
        other?.get(`/${path}`),
      ]
      const statuses = (await Promise.all(calls)).map((answer) => answer?.status)
      expect(statuses).toEqual([404, 404, 404, 404, 404, 403, 403, 403])
      expect((await owner?.get(url))?.body).toMatchObject({ [name]: 'Custos', [active]: true, versao: 1 })
    })

    test(`${kind}: an owner who lost the report sees why nothing is sent, and may only pause and delete`, async () => {
      const url = `/${path}/${await make()}`
      await revoke()
      const { body } = (await owner?.get(`/${path}/${own}`)) ?? {}
      expect(body).toMatchObject([
        { relatorio: null, impedimento: expect.stringMatching(/pode (mais )?ver/) },
      ])
      expect(JSON.stringify(body)).not.toContain(report.reportId)
      expect((await owner?.put(url, draft('Nova')))?.status).toBe(403)
      expect((await owner?.post(ofReport(), draft('Nova')))?.status).toBe(403)
      const paused = await owner?.put(`${url}/${active}`, { [active]: false })
      expect([paused?.status, paused?.body.impedimento]).toEqual([200, null])
      expect((await owner?.del(url))?.status).toBe(204)
    })

    test(`${kind}: an ADMIN finds it among those of all by name, report and owner, in each order`, async () => {
      const second = await publish({ nomeRelatorio: 'Receitas' })
      const bia = await createUser(suite.app, { nomeUsuario: 'Beatriz' })
      await make(ana, second, 'Água')
      await make(bia, report, 'Banco')
      const listed = (query: string) => namesAt(admin, `/${path}?${query}`)
      expect(await listed('')).toEqual(['Água', 'Banco'])
      for (const [order, expected] of [
        [`-${name}`, ['Banco', 'Água']],
        ['nomeRelatorio', ['Banco', 'Água']],
        ['nomeDono', ['Água', 'Banco']],
      ] as const)
        expect([order, await listed(`ordem=${order}`)]).toEqual([order, expected])
      for (const [words, expected] of [
        ['agua', ['Água']],
        ['receitas', ['Água']],
        ['beatriz custos', ['Banco']],
      ] as const)
        expect([words, await listed(`busca=${words}`)]).toEqual([words, expected])
    })

    test(`${kind}: it is changed by its latest version only, paused and resumed, with its audit`, async () => {
      const id = await make()
      const url = `/${path}/${id}`
      const stale = await owner?.put(url, draft('Nova'), { 'if-match': '"7"' })
      expect([stale?.status, stale?.body.codigo]).toEqual([412, 'versao_antiga'])
      const paused = await owner?.put(`${url}/${active}`, { [active]: false })
      expect(paused?.body).toMatchObject({ [active]: false, proximaEm: null, versao: 2 })
      // Again: nothing changes.
      expect((await owner?.put(`${url}/${active}`, { [active]: false }))?.body.versao).toBe(2)
      const resumed = await admin?.put(`${url}/${active}`, { [active]: true })
      expect(resumed?.body).toMatchObject({ [active]: true, proximaEm: expect.any(String), versao: 3 })
      expect(await trailOf(id)).toMatchObject([
        { acao: `${kind}.updated`, detalhes: { antes: { [active]: false }, depois: { [active]: true } } },
        { acao: `${kind}.updated`, detalhes: { antes: { [active]: true }, depois: { [active]: false } } },
      ])
    })

    test(`${kind}: its deletion is audited with its report and its fields`, async () => {
      const id = await make()
      expect((await admin?.del(`/${path}/${id}`))?.status).toBe(204)
      expect((await owner?.get(`/${path}/${id}`))?.status).toBe(404)
      const { idRelatorio } = report
      expect(await trailOf(id)).toMatchObject([
        { acao: `${kind}.deleted`, detalhes: { idRelatorio, antes: { [name]: 'Custos', [active]: true } } },
      ])
    })

    test(`${kind}: a person has at most fifty`, async () => {
      for (let n = 0; n < 49; n += 1) await make()
      expect((await owner?.post(ofReport(), draft('50')))?.status).toBe(201)
      const { status, body } = (await owner?.post(ofReport(), draft('51'))) ?? {}
      expect([status, body.codigo]).toEqual([409, tooMany])
      expect(await namesAt(owner, `/${path}/${own}`)).toHaveLength(50)
    })
  },
)
